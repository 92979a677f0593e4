//! Following what an agent prints: the file that its guard writes is read as it grows, and handed on by lines.

use std::io;
use std::path::PathBuf;

use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

use super::error::ProcessError;
use super::lines::{Lines, TooLong};
use crate::files::own;

/// A file that grows, and who wants its lines.
pub(super) struct Follower<'a> {
    path: PathBuf,
    file: Option<File>,
    buffer: Vec<u8>,
    lines: Lines,
    on_line: &'a mut (dyn FnMut(&str) + Send),
    trouble: Option<Trouble>,
}

/// Why a file is not followed any further.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A line is too long.
    TooLong,
    /// The file cannot be read.
    Unreadable(ProcessError),
}

impl<'a> Follower<'a> {
    /// Begins to follow a file, which need not be there yet.
    pub(super) fn of(path: PathBuf, on_line: &'a mut (dyn FnMut(&str) + Send)) -> Self {
        let buffer = vec![0; 64 << 10];
        Self { path, file: None, buffer, lines: Lines::default(), on_line, trouble: None }
    }

    /// Reads on a little; gives how much there was.
    pub(super) async fn read(&mut self) -> usize {
        if self.trouble.is_some() {
            return 0;
        }
        let count = match self.read_bytes().await {
            Ok(count) => count,
            Err(error) => {
                let error = ProcessError::io("cannot read", &self.path, error);
                self.trouble = Some(Trouble::Unreadable(error));
                return 0;
            }
        };
        if self.lines.take(&self.buffer[..count], self.on_line) == Err(TooLong) {
            self.trouble = Some(Trouble::TooLong);
        }
        count
    }

    /// Returns whether the rest is not followed.
    pub(super) const fn has_trouble(&self) -> bool {
        self.trouble.is_some()
    }

    /// Reads all that is left, once the file grows no more.
    pub(super) async fn finish(mut self) -> Result<(), Trouble> {
        while self.read().await > 0 {}
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        self.lines.finish(self.on_line);
        Ok(())
    }

    async fn read_bytes(&mut self) -> io::Result<usize> {
        if self.file.is_none() {
            self.file = match own::open(&self.path) {
                Ok(file) => Some(File::from_std(file)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(error),
            };
        }
        match &mut self.file {
            Some(file) => file.read(&mut self.buffer).await,
            None => Ok(0),
        }
    }
}
