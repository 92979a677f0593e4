//! A git that runs, and how it ended.

use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::error::GitError;
use crate::process::{Cut, Haste, Hold, Limit, Signal};

/// How much is kept of what git complains about.
const LARGEST_COMPLAINT: usize = 4 << 10;

/// A git that was started.
#[derive(Debug)]
pub(super) struct Running {
    pub(super) child: Child,
    shown: String,
    complaint: JoinHandle<String>,
    limit: Limit,
    longest: Duration,
}

impl Running {
    /// Starts git, and begins to read what it complains of and to watch how long it takes.
    pub(super) fn start(
        command: &mut Command,
        shown: String,
        hold: Option<&Hold>,
        (longest, patience): (Duration, Duration),
        haste: Haste,
    ) -> Result<Self, GitError> {
        let failed = |source| GitError::NotRun { command: shown.clone(), source };
        command.stderr(Stdio::piped());
        let started = Limit::start_held(command, hold, (longest, patience), haste);
        let (mut child, limit) = match started {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(GitError::NoGit),
            started => started.map_err(failed)?,
        };
        let stderr = child.stderr.take();
        let complaint = thread::Builder::new()
            .spawn(move || stderr.map(last_words).unwrap_or_default())
            .map_err(|error| {
                // Nobody waits for it any more.
                limit.kill();
                failed(error)
            })?;
        Ok(Self { child, shown, complaint, limit, longest })
    }

    /// Waits for the end of git, given what was read of it. It is ended where that failed.
    pub(super) fn end<T>(mut self, output: io::Result<T>) -> Result<Answer<T>, GitError> {
        let shown = self.shown;
        let failed = |source: io::Error| GitError::NotRun { command: shown.clone(), source };
        if output.is_err() {
            self.limit.kill();
        }
        // What git has started may hold its standard error longer than git lives, and is watched until then.
        let complaint = self.complaint.join().unwrap_or_default();
        let (status, cut) = self.limit.wait(&mut self.child).map_err(failed)?;
        match cut {
            Some(Cut::Interrupted(signal)) => {
                return Err(GitError::Interrupted { command: shown, signal });
            }
            Some(Cut::TimedOut) => {
                let minutes = self.longest.as_secs() / 60;
                let reason =
                    format!("it took longer than {minutes} minutes: see what it waits for");
                return Err(failed(io::Error::new(io::ErrorKind::TimedOut, reason)));
            }
            Some(Cut::Stalled) => {
                let reason = "it waited for something: a pipe, or a disk that does not answer";
                return Err(failed(io::Error::new(io::ErrorKind::TimedOut, reason)));
            }
            None => {}
        }
        // Git is in a group of its own, but whoever ends all processes, as at a shutdown, reaches it too.
        if let Some(signal) = status.signal().and_then(Signal::of_number) {
            return Err(GitError::Interrupted { command: shown, signal });
        }
        let output = output.map_err(failed)?;
        // We have not ended it: the system has, for want of memory say, or because a file may not be as large.
        if status.signal().is_some() {
            return Err(failed(io::Error::other(status.to_string())));
        }
        Ok(Answer { status, output, shown, complaint })
    }

    /// Ends git, which holds nothing that could be lost.
    pub(super) fn stop(self) {
        self.limit.kill();
        let Self { mut child, limit, .. } = self;
        let _ = limit.wait(&mut child);
    }

    /// Returns why git, which was not to end, did not answer.
    pub(super) fn failed(self, error: io::Error) -> GitError {
        let has_ended =
            matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe);
        match self.end(if has_ended { Ok(()) } else { Err(error) }) {
            Ok(answer) => answer.failed(),
            Err(error) => error,
        }
    }
}

/// How a call of git ended.
pub(super) struct Answer<T> {
    pub(super) status: ExitStatus,
    pub(super) output: T,
    pub(super) shown: String,
    complaint: String,
}

impl<T> Answer<T> {
    /// Returns the output if git succeeded.
    pub(super) fn successful(self) -> Result<T, GitError> {
        if self.status.success() { Ok(self.output) } else { Err(self.failed()) }
    }

    /// Returns whether git ended with a code.
    pub(super) fn is(&self, code: i32) -> bool {
        self.status.code() == Some(code)
    }

    /// Returns whether git complained of something.
    pub(super) fn complains(&self, of: &str) -> bool {
        self.complaint.contains(of)
    }

    /// Returns what happened as an error.
    pub(super) fn failed(self) -> GitError {
        let status = self.status.to_string();
        GitError::Failed { command: self.shown, status, stderr: self.complaint }
    }
}

/// Reads everything and keeps the end.
fn last_words(mut from: impl Read) -> String {
    let (mut kept, mut chunk) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = from.read(&mut chunk) {
        kept.extend_from_slice(&chunk[..count]);
        let surplus = kept.len().saturating_sub(LARGEST_COMPLAINT);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(&kept).trim_end().to_owned()
}
