//! agentd's own tmux server: calls of the client, each of which is over at once.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Output};
use std::time::Duration;

use thiserror::Error;

use super::command::{self, Look, SessionName};
use crate::process::{self, Haste};

/// The variables that the server gets, and with it every pane: nothing that could be a secret.
const PASSED: [&str; 11] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "TMUX_TMPDIR",
];

/// How long a call may take: each is over at once, unless the server has been stopped.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// The oldest version that knows options of a pane.
const OLDEST: u32 = 3;

/// Why tmux did not do something.
#[derive(Debug, Error)]
pub enum TmuxError {
    /// It is not there.
    #[error("`tmux` is not installed")]
    NotInstalled,
    /// It is there, and lacks what is needed.
    #[error("`{found}` is too old: {OLDEST}.0 or later is needed")]
    TooOld {
        /// What it says of itself.
        found: String,
    },
    /// It cannot be started.
    #[error("cannot run `tmux`: {0}")]
    Start(#[source] io::Error),
    /// Its server did not answer.
    #[error("`tmux` did not answer in time, and was ended")]
    TimedOut,
    /// It refused.
    #[error("`tmux {what}` failed: {reason}")]
    Refused {
        /// What it was to do.
        what: String,
        /// What it said.
        reason: String,
    },
    /// The session of this name is another project's.
    #[error("the tmux session `{name}` belongs to another change, in `{folder}`")]
    NotOurs {
        /// The session's name.
        name: String,
        /// The folder of the change that it belongs to.
        folder: String,
    },
}

/// A pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pane {
    /// The name of its window, which has no other pane.
    pub name: String,
    /// Its id on the server.
    pub id: String,
    /// Its process, which leads a session of processes.
    pub pid: i32,
    /// Whether that process has ended.
    pub is_dead: bool,
    /// What it is marked with.
    pub mark: String,
}

/// A client of agentd's own server.
#[derive(Clone, Debug)]
pub struct Tmux {
    environment: Vec<(OsString, OsString)>,
}

impl Tmux {
    /// Calls tmux in an environment, of which it gets no more than it needs.
    pub fn new(environment: &[(OsString, OsString)]) -> Self {
        let is_passed =
            |(name, _): &&(OsString, OsString)| PASSED.iter().any(|passed| name == passed);
        Self { environment: environment.iter().filter(is_passed).cloned().collect() }
    }

    /// Returns whether tmux can be run at all.
    pub fn is_installed(&self) -> bool {
        answer(self.client().arg("-V")).is_ok_and(|output| output.status.success())
    }

    /// Makes sure that there is a tmux which can do what is asked of it.
    pub fn check(&self) -> Result<(), TmuxError> {
        let output = answer(self.client().arg("-V")).map_err(|error| match error {
            TmuxError::Start(error) if error.kind() == io::ErrorKind::NotFound => {
                TmuxError::NotInstalled
            }
            error => error,
        })?;
        let found = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if is_too_old(&found) { Err(TmuxError::TooOld { found }) } else { Ok(()) }
    }

    /// Returns whether there is a session.
    pub fn has_session(&self, name: &SessionName) -> Result<bool, TmuxError> {
        match self.call(command::has_session(name)) {
            Ok(_) => Ok(true),
            Err(TmuxError::Refused { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns what a session is marked with.
    pub fn session_mark(&self, name: &SessionName) -> Result<String, TmuxError> {
        Ok(self.call(command::session_mark(name))?.trim_end_matches('\n').to_owned())
    }

    /// Makes a session with one window, and returns the process of the server.
    pub fn new_session(
        &self,
        name: &SessionName,
        mark: &str,
        first: Look<'_>,
    ) -> Result<Option<i32>, TmuxError> {
        Ok(self.call(command::new_session(name, mark, first))?.trim().parse().ok())
    }

    /// Makes a window with one marked pane.
    pub fn new_window(
        &self,
        name: &SessionName,
        mark: &str,
        window: Look<'_>,
    ) -> Result<(), TmuxError> {
        let id = self.call(command::new_window(name, window))?;
        self.call(command::mark_pane(id.trim(), mark)).map(drop)
    }

    /// Lists the panes of a session.
    pub fn panes(&self, name: &SessionName) -> Result<Vec<Pane>, TmuxError> {
        let listed = self.call(command::list_panes(name))?;
        Ok(listed.lines().filter_map(pane).collect())
    }

    /// Types text into a pane; no text is taken for a key.
    pub fn type_text(&self, pane: &Pane, text: &str) -> Result<(), TmuxError> {
        self.call(command::type_text(&pane.id, text)).map(drop)
    }

    /// Presses Enter in a pane.
    pub fn press_enter(&self, pane: &Pane) -> Result<(), TmuxError> {
        self.call(command::press_enter(&pane.id)).map(drop)
    }

    /// Takes back so many letters that were typed into a pane.
    pub fn erase(&self, pane: &Pane, letters: usize) -> Result<(), TmuxError> {
        self.call(command::erase(&pane.id, letters)).map(drop)
    }

    /// Reads what a pane shows; none if it is gone, or its process is.
    pub fn glance(&self, pane: &Pane) -> Result<Option<String>, TmuxError> {
        let seen = match self.call(command::glance(&pane.id)) {
            Ok(seen) => seen,
            Err(TmuxError::Refused { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let screen = seen.split_once('\n').filter(|(state, _)| *state == format!("{} 0", pane.pid));
        Ok(screen.map(|(_, screen)| screen.to_owned()))
    }

    /// Reads what a pane shows and has shown.
    pub fn history(&self, pane: &Pane) -> Result<String, TmuxError> {
        self.call(command::capture_all(&pane.id))
    }

    /// Ends a pane.
    pub fn kill_pane(&self, pane: &Pane) -> Result<(), TmuxError> {
        self.call(command::kill_pane(&pane.id)).map(drop)
    }

    /// Ends a session.
    pub fn kill_session(&self, name: &SessionName) -> Result<(), TmuxError> {
        self.call(command::kill_session(name)).map(drop)
    }

    fn client(&self) -> Command {
        let mut client = Command::new("tmux");
        client.env_clear().envs(self.environment.iter().cloned());
        client
    }

    fn call(&self, words: Vec<OsString>) -> Result<String, TmuxError> {
        let what = words.first().map(|word| word.to_string_lossy().into_owned());
        let output = answer(self.client().args(command::server()).args(words))?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(TmuxError::Refused { what: what.unwrap_or_default(), reason });
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Runs a client, which prints little.
fn answer(client: &mut Command) -> Result<Output, TmuxError> {
    match process::output(client, TIME_LIMIT, Haste::Soon) {
        Ok((output, None)) => Ok(output),
        Ok((_, Some(_))) => Err(TmuxError::TimedOut),
        Err(error) => Err(TmuxError::Start(error)),
    }
}

/// Returns whether a version is too old: `tmux 2.9a` is, and one without a number is its maker's latest.
fn is_too_old(version: &str) -> bool {
    let number = version.split(|letter: char| !letter.is_ascii_digit()).find(|it| !it.is_empty());
    number.and_then(|number| number.parse::<u32>().ok()).is_some_and(|number| number < OLDEST)
}

fn pane(line: &str) -> Option<Pane> {
    let mut words = line.splitn(5, ' ');
    let (name, id) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (pid, is_dead) = (words.next()?.parse().ok()?, words.next()? == "1");
    let mark = words.next().unwrap_or_default().to_owned();
    Some(Pane { name, id, pid, is_dead, mark })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_read_with_or_without_its_mark() {
        let read = pane("architect %3 4711 0 abc").unwrap();
        assert_eq!((read.id.as_str(), read.pid, read.is_dead), ("%3", 4711, false));
        assert_eq!(pane("control %0 12 1 ").unwrap().mark, "");
        assert!(pane("control").is_none());
    }

    #[test]
    fn a_version_is_too_old_by_its_first_number() {
        for version in ["tmux 1.8", "tmux 2.9a"] {
            assert!(is_too_old(version), "{version}");
        }
        for version in ["tmux 3.0", "tmux 3.3a", "tmux next-3.6", "tmux 10.1", "tmux master", ""] {
            assert!(!is_too_old(version), "{version}");
        }
    }

    #[test]
    fn no_secret_reaches_the_server() {
        let environment =
            ["PATH", "ANTHROPIC_API_KEY", "TMUX"].map(|name| (name.into(), "x".into()));
        let tmux = Tmux::new(&environment);
        assert_eq!(tmux.environment, [("PATH".into(), "x".into())]);
    }
}
