//! The words of each call of tmux. Pure: what is typed into a pane is always literal, so that no text can become the name
//! of a key or a command.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

/// The name of agentd's own server.
pub const SOCKET: &str = "agentd";

/// The size of a terminal that nobody looks at.
const SIZE: [&str; 4] = ["-x", "200", "-y", "50"];

/// What is asked of every pane, one line each. The last word may be empty.
pub(super) const PANES: &str = "#{window_name} #{pane_id} #{pane_pid} #{pane_dead} #{@agentd}";

/// The name of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionName(String);

impl SessionName {
    /// Names the session of a change. An id has lower-case letters, digits and hyphens, which mean nothing to tmux.
    pub fn of_change(id: &str) -> Self {
        Self(format!("agentd-{id}"))
    }

    /// Names exactly this session, not one whose name begins like it.
    fn exactly(&self) -> String {
        format!("={}", self.0)
    }

    /// Names its window that is looked at, where tmux takes a session for less.
    fn its_window(&self) -> String {
        format!("={}:", self.0)
    }

    /// Returns the command with which a person looks at one window of the session.
    pub fn attach_to(&self, window: &str) -> String {
        format!("{}:{window}", self.attach())
    }

    /// Returns the command with which a person looks at the session.
    ///
    /// ```
    /// use agentd::tmux::SessionName;
    ///
    /// assert_eq!(SessionName::of_change("add-logo").attach(), "tmux -L agentd attach -t =agentd-add-logo");
    /// ```
    pub fn attach(&self) -> String {
        format!("tmux -L {SOCKET} attach -t {}", self.exactly())
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A window with one pane.
#[derive(Clone, Copy, Debug)]
pub struct Look<'l> {
    /// The window's name.
    pub name: &'l str,
    /// The folder it begins in.
    pub folder: &'l Path,
    /// The program and its arguments, which no shell sees.
    pub program: &'l [OsString],
}

fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Vec<OsString> {
    words.into_iter().map(OsString::from).collect()
}

/// Returns which server is meant. No configuration of the user's is read: it may start programs.
pub(super) fn server() -> Vec<OsString> {
    words(["-u", "-L", SOCKET, "-f", "/dev/null"])
}

/// Makes a session with one window, prints the server's process, and first of all lets panes stay whose programs have ended.
pub(super) fn new_session(name: &SessionName, mark: &str, first: Look<'_>) -> Vec<OsString> {
    let mut all = words(["set-option", "-g", "remain-on-exit", "on", ";"]);
    all.extend(words(["set-option", "-g", "automatic-rename", "off", ";"]));
    all.extend(words(["new-session", "-d", "-P", "-F", "#{pid}", "-s", &name.0]));
    all.extend(words(SIZE));
    all.extend(look(first));
    all.extend(words([";", "set-option", "-t", &name.its_window(), "@agentd_change"]));
    all.push(argument(mark));
    all
}

/// Makes a window in a session, and prints the id of its pane.
pub(super) fn new_window(name: &SessionName, window: Look<'_>) -> Vec<OsString> {
    let mut all = words(["new-window", "-d", "-t", &name.its_window(), "-P", "-F", "#{pane_id}"]);
    all.extend(look(window));
    all
}

fn look(look: Look<'_>) -> Vec<OsString> {
    let mut all = words(["-n", look.name, "-c"]);
    all.push(look.folder.into());
    all.push("--".into());
    all.extend(look.program.iter().cloned());
    all
}

/// Marks a pane with a word of ours.
pub(super) fn mark_pane(pane: &str, mark: &str) -> Vec<OsString> {
    words(["set-option", "-p", "-t", pane, "@agentd", mark])
}

/// Asks for the mark of a session.
pub(super) fn session_mark(name: &SessionName) -> Vec<OsString> {
    words(["show-options", "-v", "-t", &name.its_window(), "@agentd_change"])
}

/// Asks whether there is a session.
pub(super) fn has_session(name: &SessionName) -> Vec<OsString> {
    words(["has-session", "-t", &name.exactly()])
}

/// Lists the panes of a session.
pub(super) fn list_panes(name: &SessionName) -> Vec<OsString> {
    words(["list-panes", "-s", "-t", &name.exactly(), "-F", PANES])
}

/// Types text into a pane, letter by letter.
pub(super) fn type_text(pane: &str, text: &str) -> Vec<OsString> {
    let mut all = words(["send-keys", "-t", pane, "-l", "--"]);
    all.push(argument(text));
    all
}

/// Presses Enter in a pane.
pub(super) fn press_enter(pane: &str) -> Vec<OsString> {
    words(["send-keys", "-t", pane, "Enter"])
}

/// Presses the backspace key in a pane so many times.
pub(super) fn erase(pane: &str, letters: usize) -> Vec<OsString> {
    words(["send-keys", "-t", pane, "-N", &letters.to_string(), "BSpace"])
}

/// Asks in one call which process is in a pane, whether it has ended, and what the pane shows, wrapped lines joined.
pub(super) fn glance(pane: &str) -> Vec<OsString> {
    let state = ["display-message", "-p", "-t", pane, "#{pane_pid} #{pane_dead}", ";"];
    words(state.into_iter().chain(["capture-pane", "-p", "-J", "-t", pane]))
}

/// Reads what a pane shows and has shown.
pub(super) fn capture_all(pane: &str) -> Vec<OsString> {
    words(["capture-pane", "-p", "-J", "-S", "-", "-t", pane])
}

/// Ends a pane.
pub(super) fn kill_pane(pane: &str) -> Vec<OsString> {
    words(["kill-pane", "-t", pane])
}

/// Ends a session.
pub(super) fn kill_session(name: &SessionName) -> Vec<OsString> {
    words(["kill-session", "-t", &name.exactly()])
}

/// Returns text as one word of tmux's: a semicolon at its end would end the command.
fn argument(text: &str) -> OsString {
    let word = text.strip_suffix(';').map(|before| format!("{before}\\;"));
    OsStr::new(word.as_deref().unwrap_or(text)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_typed_as_it_is() {
        let typed = type_text("%3", "Enter");
        assert_eq!(typed, ["send-keys", "-t", "%3", "-l", "--", "Enter"]);
        assert_eq!(type_text("%3", "-x; y;").last().unwrap(), "-x; y\\;");
    }

    #[test]
    fn a_session_is_meant_by_its_whole_name() {
        let name = SessionName::of_change("add");
        assert_eq!(has_session(&name), ["has-session", "-t", "=agentd-add"]);
        assert_eq!(kill_session(&name), ["kill-session", "-t", "=agentd-add"]);
    }

    #[test]
    fn every_call_is_for_our_own_server_without_the_user_s_configuration() {
        assert_eq!(server(), ["-u", "-L", "agentd", "-f", "/dev/null"]);
    }
}
