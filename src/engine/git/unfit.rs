//! What cannot be part of a result: no commit can hold it, or none should.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::FileType;

use super::survey::{Survey, is_gone, split};
use crate::files::own::Folder;

/// Something in a workspace that is not taken, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Its path in the workspace.
    pub path: PathBuf,
    /// Why it is not taken.
    pub why: Why,
}

/// Why something is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is a pipe, a socket or a device.
    Irregular,
    /// It is a file that is larger than those that are taken.
    TooLarge {
        /// How many bytes it has.
        bytes: u64,
        /// How many one may have.
        most: u64,
    },
}

impl Why {
    /// Returns what to do about it.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Irregular => "remove it, or make it a file",
            Self::TooLarge { .. } => {
                "remove it, or have git ignore it if it is only built; `[limits] max_file` says how large a file may be"
            }
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Irregular => write!(f, "it is a pipe, a socket or a device"),
            Self::TooLarge { bytes, most } => write!(f, "it has {bytes} bytes, more than {most}"),
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.path.display(), self.why)
    }
}

/// Paths of a workspace, by what is there. The lists are as git reads them.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Nothing, a folder, or something to which a link leads.
    pub(super) gone: Vec<u8>,
    /// A file or a link.
    pub(super) there: Vec<u8>,
    /// What is not taken.
    pub(super) unfit: Vec<Unfit>,
}

impl Sorted {
    /// Looks at each path; no file may have more bytes than `most`.
    pub(super) fn of(paths: &BTreeSet<PathBuf>, survey: &Survey, most: u64) -> io::Result<Self> {
        let mut sorted = Self::default();
        let mut open: Option<(&Path, Option<Folder>)> = None;
        for path in paths {
            let (parent, name) = split(path);
            let folder = match open.take() {
                Some((path, folder)) if path == parent => folder,
                _ => opened(survey.below(parent))?,
            };
            let stat = folder.as_ref().map(|folder| folder.look(name)).transpose()?.flatten();
            open = Some((parent, folder));
            let kind = stat.map(|stat| FileType::from_raw_mode(stat.st_mode));
            let bytes = stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0));
            let list = match kind {
                None | Some(FileType::Directory) => &mut sorted.gone,
                Some(FileType::RegularFile) if bytes > most => {
                    let why = Why::TooLarge { bytes, most };
                    sorted.unfit.push(Unfit { path: path.clone(), why });
                    continue;
                }
                Some(FileType::RegularFile | FileType::Symlink) => &mut sorted.there,
                Some(_) => {
                    sorted.unfit.push(Unfit { path: path.clone(), why: Why::Irregular });
                    continue;
                }
            };
            list.extend_from_slice(path.as_os_str().as_bytes());
            list.push(0);
        }
        Ok(sorted)
    }
}

/// Returns a folder if no link led to it, and nobody has taken it away.
fn opened(folder: io::Result<Folder>) -> io::Result<Option<Folder>> {
    match folder {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if is_gone(&error) => Ok(None),
        Err(error) => Err(error),
    }
}
