//! Why a change cannot be put away.

use std::io;

use thiserror::Error;

use super::baseline::Conflict;
use crate::engine::expected::FileFault;
use crate::template::IncludeFault;

/// Why a change cannot be put away. Paths are below `agentd/`.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The files of the change are not what they must be.
    #[error("the files of the archive are invalid: {}", list(.0))]
    Files(Vec<FileFault>),
    /// Main specs that the change writes were changed by others since it was planned.
    #[error("specs changed since this change was planned: {}", list(.0))]
    Conflicts(Vec<Conflict>),
    /// A file cannot be read, or must not be: above all one that a link puts outside of `agentd/`.
    #[error("cannot use `{path}`: {fault}")]
    Unusable {
        /// The file or folder.
        path: String,
        /// Why.
        fault: IncludeFault,
    },
    /// A file is neither as it was when the archive was planned nor as the archive makes it.
    #[error("`{path}` changed while the change was being archived")]
    Changed {
        /// The file or folder.
        path: String,
    },
    /// Another archive is being applied in this project.
    #[error("another change is being archived")]
    Busy,
    /// The watcher said stop.
    #[error("the archive was stopped before it was done")]
    Stopped,
    /// A file cannot be written or moved.
    #[error("cannot {what} `{path}`: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The file or folder.
        path: String,
        /// Why.
        source: io::Error,
    },
}

impl ArchiveError {
    /// Returns what to do about it.
    pub const fn help(&self) -> &'static str {
        match self {
            Self::Files(_) => "run the archive phase again; its prompt names what is missing",
            Self::Conflicts(_) => {
                "check what changed there, then have the archive written again: `agentd reject CHANGE \"…\"`"
            }
            Self::Unusable { .. } => {
                "make it a regular file below `agentd/` with a single name, and not a link"
            }
            Self::Changed { .. } => "nothing was overwritten; check the file, then archive again",
            Self::Busy | Self::Stopped => "archive again: completed steps are not repeated",
            Self::Io { .. } => {
                "fix what the message says, then archive again: completed steps are not repeated"
            }
        }
    }
}

fn list(things: &[impl ToString]) -> String {
    things.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
