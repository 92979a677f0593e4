//! Why something below `agentd/` is not opened.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why something below `agentd/` is not opened. It is carried by an [`io::Error`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// What is not as it must be; none if it is the very file that was to be opened.
    pub(super) at: Option<PathBuf>,
    pub(crate) reason: Reason,
}

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A link stands there.
    Link,
    /// The path leads out of its folder, or a link is on its way.
    Outside,
    /// It is a folder, a pipe, a socket or a device.
    NotAFile,
    /// A pipe, a socket or a device stands where a folder belongs.
    NotAFolder,
    /// It is a file that has another name, perhaps outside of the project.
    Shared,
    /// It is larger than anything that belongs there, in bytes.
    TooLarge(u64),
    /// It is a folder that lies in too many others: each of them is opened on the way to it.
    TooDeep(usize),
    /// It is a folder whose files are larger together than what may be read of them.
    TooLargeTogether {
        /// How large they are, in bytes.
        bytes: u64,
        /// How large they may be.
        limit: u64,
    },
}

impl Reason {
    const fn is_size(self) -> bool {
        match self {
            Self::TooLarge(_) | Self::TooDeep(_) | Self::TooLargeTogether { .. } => true,
            Self::Link | Self::Outside | Self::NotAFile | Self::NotAFolder | Self::Shared => false,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.at {
            Some(path) => write!(f, "`{}` ", path.display())?,
            None => write!(f, "it ")?,
        }
        match self.reason {
            Reason::Link => write!(f, "is a link"),
            Reason::Outside => write!(f, "is a link, or leads outside its folder"),
            Reason::NotAFile => write!(f, "is not a regular file"),
            Reason::NotAFolder => write!(f, "is not a folder"),
            Reason::Shared => write!(f, "has another name elsewhere (a hard link)"),
            Reason::TooLarge(limit) => write!(f, "is larger than {limit} bytes"),
            Reason::TooDeep(limit) => write!(f, "lies in more than {limit} folders"),
            Reason::TooLargeTogether { bytes, limit } => {
                write!(f, "contains {bytes} bytes in its files, and {limit} is the limit")
            }
        }
    }
}

impl std::error::Error for Refused {}

impl Refused {
    pub(crate) fn because(reason: Reason) -> io::Error {
        Self { at: None, reason }.into()
    }

    /// Finds the refusal in an error, if it is one.
    pub(crate) fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// Returns whether an error is that something below `agentd/` is not what it must be. A file that is too large is one
    /// that exceeds a limit.
    pub(crate) fn is(error: &io::Error) -> bool {
        Self::of(error).is_some_and(|refused| !refused.reason.is_size())
    }

    /// Returns whether an error is that something else stands where a file or a folder belongs.
    pub(crate) fn is_in_the_way(error: &io::Error) -> bool {
        Self::is(error) || error.kind() == io::ErrorKind::NotADirectory
    }

    /// Adds to an error what could not be done, and with what. A refusal stays one.
    pub(crate) fn named(error: &io::Error, what: &str, path: &Path) -> io::Error {
        match Self::of(error) {
            Some(Self { at, reason }) => {
                let at = at.clone().unwrap_or_else(|| path.to_owned());
                Self { at: Some(at), reason: *reason }.into()
            }
            None => io::Error::new(error.kind(), format!("{what} `{}`: {error}", path.display())),
        }
    }

    /// Returns whether an error is that a file is too large.
    pub(crate) fn is_too_large(error: &io::Error) -> bool {
        Self::of(error).is_some_and(|refused| refused.reason.is_size())
    }
}

impl From<Refused> for io::Error {
    fn from(refused: Refused) -> Self {
        let kind = match refused.reason {
            Reason::NotAFolder => io::ErrorKind::NotADirectory,
            Reason::TooLarge(_) | Reason::TooDeep(_) | Reason::TooLargeTogether { .. } => {
                io::ErrorKind::FileTooLarge
            }
            Reason::Link | Reason::Outside | Reason::NotAFile | Reason::Shared => {
                io::ErrorKind::InvalidInput
            }
        };
        Self::new(kind, refused)
    }
}
