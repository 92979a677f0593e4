//! What could not be done with a file or a folder.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Something that could not be done with a file or a folder.
#[derive(Debug, Error)]
#[error("cannot {what} `{}`: {source}", path.display())]
pub struct Failed {
    /// What was tried.
    pub(crate) what: &'static str,
    /// The file or folder.
    pub(crate) path: PathBuf,
    /// Why it failed.
    pub(crate) source: io::Error,
}

impl Failed {
    /// Adds what was tried, and with which file or folder.
    pub(crate) fn new(
        what: &'static str,
        path: impl AsRef<Path>,
        source: impl Into<io::Error>,
    ) -> Self {
        Self { what, path: path.as_ref().to_owned(), source: source.into() }
    }
}

/// Adds to an error what was tried.
pub(crate) trait OrFailed<T> {
    /// Names what was tried, and with which file or folder.
    fn or_failed(self, what: &'static str, path: impl AsRef<Path>) -> Result<T, Failed>;
}

impl<T, E: Into<io::Error>> OrFailed<T> for Result<T, E> {
    fn or_failed(self, what: &'static str, path: impl AsRef<Path>) -> Result<T, Failed> {
        self.map_err(|error| Failed::new(what, path, error))
    }
}
