//! One stream of an agent's output on its way to a file: read without waiting, kept up to a limit.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use super::error::ProcessError;
use crate::files::faults::{self, Step, before};
use crate::files::own;

/// A stream and its file.
#[derive(Debug)]
pub(super) struct Spool {
    source: Option<OwnedFd>,
    file: File,
    path: PathBuf,
    kept: u64,
    largest: u64,
    /// Why no more is kept.
    stopped: Option<Stop>,
}

#[derive(Debug)]
enum Stop {
    /// There was more than may be kept.
    Overflow,
    /// The file could not be written.
    Failure(io::Error),
}

/// What a pipe is asked to hold: the most that Linux gives to anybody.
#[cfg(target_os = "linux")]
const ROOM: usize = 1 << 20;

impl Spool {
    /// Creates the file, which must not be there yet.
    pub(super) fn create(path: PathBuf, largest: u64) -> Result<Self, ProcessError> {
        match own::create(&path) {
            Ok(file) => Ok(Self { source: None, file, path, kept: 0, largest, stopped: None }),
            Err(error) => Err(ProcessError::io("cannot create", &path, error)),
        }
    }

    /// Takes the stream.
    pub(super) fn connect(&mut self, source: OwnedFd) {
        widen(&source);
        match rustix::io::ioctl_fionbio(&source, true) {
            Ok(()) => self.source = Some(source),
            Err(error) => self.stopped = Some(Stop::Failure(error.into())),
        }
    }

    /// Returns the stream for as long as it may bring more.
    pub(super) fn source(&self) -> Option<BorrowedFd<'_>> {
        self.source.as_ref().map(|source| source.as_fd())
    }

    /// Reads once and keeps what there is; gives how much it was.
    pub(super) fn pump(&mut self, buffer: &mut [u8]) -> usize {
        let Some(source) = &self.source else { return 0 };
        match rustix::io::read(source, &mut *buffer) {
            Ok(0) => {
                self.source = None;
                0
            }
            Ok(count) => {
                self.keep(&buffer[..count]);
                count
            }
            // Nothing is there now; a pipe knows no other errors.
            Err(_) => 0,
        }
    }

    /// Returns whether no more is kept: there was too much, or the file cannot be written.
    pub(super) const fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Brings the file onto the disk and gives its size.
    pub(super) fn finish(self) -> Result<u64, ProcessError> {
        let written = match self.stopped {
            Some(Stop::Failure(error)) => Err(error),
            Some(Stop::Overflow) | None => {
                before(Step::Sync, &self.path).and_then(|()| self.file.sync_all())
            }
        };
        written.map_err(|error| ProcessError::io("cannot write", &self.path, error))?;
        Ok(self.kept)
    }

    /// Once it has stopped, what comes is read and dropped, so that the agent can end in peace.
    fn keep(&mut self, bytes: &[u8]) {
        if self.stopped.is_some() {
            return;
        }
        let room = usize::try_from(self.largest - self.kept).unwrap_or(usize::MAX);
        let kept = &bytes[..bytes.len().min(room)];
        match faults::write_all(&mut self.file, &self.path, kept) {
            Ok(()) => self.kept += kept.len() as u64,
            Err(error) => self.stopped = Some(Stop::Failure(error)),
        }
        if self.stopped.is_none() && kept.len() < bytes.len() {
            self.stopped = Some(Stop::Overflow);
        }
    }
}

/// Makes room in a pipe. Programs on Node.js do not wait for what they have written before they exit: what a pipe cannot
/// take at once is lost, and of 64 KiB that is soon the end of a long output.
#[cfg(target_os = "linux")]
fn widen(pipe: &OwnedFd) {
    if let Err(error) = rustix::pipe::fcntl_setpipe_size(pipe, ROOM) {
        log::debug!("a pipe keeps its size: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn widen(_: &OwnedFd) {}
