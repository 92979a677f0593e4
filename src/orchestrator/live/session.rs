//! The session of a change: a control window that shows how it goes on, and a window for each role that has come up.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::files::own;
use crate::orchestrator::run_folder::{RunFolder, live_folder};
use crate::process::{self, ProcessError, end_session, is_running};
use crate::tmux::{Look, Pane, SessionName, Tmux, TmuxError};

/// The window that shows how the change goes on.
const CONTROL: &str = "control";
/// How long the programs of a session may take to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// The session of a change.
#[derive(Clone, Debug)]
pub struct LiveSession {
    pub(super) tmux: Tmux,
    pub(super) name: SessionName,
    /// The folder of the change's state.
    state: PathBuf,
}

impl LiveSession {
    /// The lines that the control window shows, in the folder of live sessions.
    pub const PROGRESS: &'static str = "progress.log";

    /// Means the session of a change, which need not be there.
    pub fn of(id: &str, state: &Path, environment: &[(OsString, OsString)]) -> Self {
        let (tmux, name) = (Tmux::new(environment), SessionName::of_change(id));
        Self { tmux, name, state: state.to_owned() }
    }

    /// Makes sure that there is a tmux which can do what is asked of it.
    pub fn check(environment: &[(OsString, OsString)]) -> Result<(), TmuxError> {
        Tmux::new(environment).check()
    }

    /// Returns whether tmux can be run at all.
    pub fn is_possible(&self) -> bool {
        self.tmux.is_installed()
    }

    /// Returns the command with which a person looks at it.
    pub fn attach(&self) -> String {
        self.name.attach()
    }

    /// Returns the command with which a person looks at one window of it.
    pub(super) fn attach_to(&self, window: &str) -> String {
        self.name.attach_to(window)
    }

    /// Makes the folder of what belongs to the session, and gives it.
    pub fn folder(&self) -> io::Result<PathBuf> {
        live_folder(&self.state)
    }

    /// Makes the session unless it is there.
    pub fn open(&self) -> Result<(), LiveError> {
        let folder = self.folder().map_err(LiveError::Folder)?;
        let progress = folder.join(Self::PROGRESS);
        // It is shown on the screen as it grows.
        own::refuse_unless_file(&progress).map_err(LiveError::Folder)?;
        if !progress.exists() {
            RunFolder::at(&folder).write(Self::PROGRESS, b"").map_err(LiveError::Folder)?;
        }
        if self.is_ours()? {
            return Ok(());
        }
        let program: [OsString; 5] =
            ["tail".into(), "-n".into(), "+1".into(), "-F".into(), progress.into()];
        let look = Look { name: CONTROL, folder: &folder, program: &program };
        let mark = self.mark();
        // The server that it may start stays for whoever looks.
        process::start_leader(|| self.tmux.new_session(&self.name, &mark, look), |server| *server)?;
        Ok(())
    }

    /// Returns whether it is there; one of the same name that is another change's is an error.
    pub fn is_ours(&self) -> Result<bool, TmuxError> {
        if !self.tmux.has_session(&self.name)? {
            return Ok(false);
        }
        let folder = self.tmux.session_mark(&self.name)?;
        if folder == self.mark() {
            return Ok(true);
        }
        Err(TmuxError::NotOurs { name: self.name.to_string(), folder })
    }

    fn mark(&self) -> String {
        self.state.display().to_string()
    }

    /// Finds a pane by its name.
    pub(super) fn pane(&self, name: &str) -> Result<Option<Pane>, TmuxError> {
        if !self.is_ours()? {
            return Ok(None);
        }
        Ok(self.tmux.panes(&self.name)?.into_iter().find(|pane| pane.name == name))
    }

    /// Ends a pane, and every process in it.
    pub(super) fn end_pane(&self, pane: &Pane) -> Result<(), LiveError> {
        self.tmux.kill_pane(pane)?;
        self.see_out(pane)
    }

    /// Ends the session, if it is there, and every process in it; says whether it was there.
    pub fn close(&self) -> Result<bool, LiveError> {
        if !self.is_ours()? {
            return Ok(false);
        }
        let panes = self.tmux.panes(&self.name)?;
        self.tmux.kill_session(&self.name)?;
        for pane in panes {
            self.see_out(&pane)?;
        }
        Ok(true)
    }

    /// Waits for the process of a pane, which ends its own children, and then ends whoever is left of its session.
    fn see_out(&self, pane: &Pane) -> Result<(), LiveError> {
        let deadline = Instant::now() + PATIENCE;
        while is_running(pane.pid) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        let survivors = end_session(pane.pid);
        if !survivors.is_empty() {
            log::warn!("processes of `{}` cannot be ended: {survivors:?}", pane.name);
        }
        Ok(process::clear(&self.state.join("runs/live").join(&pane.name))?)
    }
}

/// Why a session cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// tmux did not do something.
    #[error(transparent)]
    Tmux(#[from] TmuxError),
    /// Its folder cannot be used.
    #[error("cannot use the folder of the live session: {0}")]
    Folder(#[source] io::Error),
    /// What an agent needs cannot be laid out for it.
    #[error(transparent)]
    Process(#[from] ProcessError),
}
