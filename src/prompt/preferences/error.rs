//! Why preferences cannot be read, kept or decided.

use std::path::PathBuf;

use thiserror::Error;

use super::entry::EntryFault;
use super::proposal::ProposalId;
use crate::files::Failed;
use crate::template::Role;

/// Why preferences cannot be read, kept or decided. In every case no file was changed, but where writing itself failed.
#[derive(Debug, Error)]
pub enum PreferenceError {
    /// Some entries are wrong.
    #[error("{}", lines(.0))]
    Entries(Vec<EntryFault>),
    /// A file is a link, or a link is on the way to it.
    #[error("`{}` is a link, or a link leads to it", .0.display())]
    Outside(PathBuf),
    /// A pipe, a device or a folder is where a file should be.
    #[error("`{}` is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// A file has another name, which may be anywhere.
    #[error("`{}` has another name elsewhere (a hard link)", .0.display())]
    Shared(PathBuf),
    /// A file is not UTF-8.
    #[error("`{}` is not UTF-8 text", .0.display())]
    NotText(PathBuf),
    /// A file is, or would become, too large.
    #[error("`{}` would be larger than {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most it may have.
        limit: u64,
    },
    /// What is added to a file would not be read as what it is.
    #[error("`{}` has a code block, a comment or another block that is never closed", .0.display())]
    Unclosed(PathBuf),
    /// The file of proposals makes no sense.
    #[error("`{}` {why}", path.display())]
    Proposals {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// There are no such proposals.
    #[error("no preference is pending under {}", quoted(.0))]
    NotPending(Vec<ProposalId>),
    /// There is no such preference.
    #[error("{role} has no preference {which}")]
    NoSuchPreference {
        /// The role.
        role: Role,
        /// Its number or its words.
        which: String,
    },
    /// A preference has more than its line.
    #[error("preference {number} of {role} continues over several lines in `{}`", path.display())]
    GoesOn {
        /// The role.
        role: Role,
        /// Its number.
        number: usize,
        /// The file.
        path: PathBuf,
    },
    /// A file or folder cannot be read, locked or written.
    #[error(transparent)]
    Io(#[from] Failed),
}

impl PreferenceError {
    /// Returns what to do about it.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::Entries(_) => {
                "nothing was stored: fix these and submit all of them again".to_owned()
            }
            Self::Outside(_) | Self::Shared(_) => {
                "replace it with a regular file; preferences are kept within the project".to_owned()
            }
            Self::NotAFile(_) => "move it away".to_owned(),
            Self::NotText(_) => "save it as UTF-8; it was not changed".to_owned(),
            Self::TooLarge { .. } => "remove what is no longer needed".to_owned(),
            Self::Unclosed(_) => "close it: text added after it would become part of it".to_owned(),
            Self::Proposals { .. } => {
                "fix it, or remove it, which drops the pending proposals".to_owned()
            }
            Self::NotPending(_) => "`agentd preferences pending` shows what is".to_owned(),
            Self::NoSuchPreference { role, .. } => {
                format!("`agentd preferences list --role {role}` shows them")
            }
            Self::GoesOn { .. } => "remove it in the file".to_owned(),
            Self::Io(_) => return None,
        })
    }
}

fn lines(faults: &[EntryFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn quoted(ids: &[ProposalId]) -> String {
    ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ")
}
