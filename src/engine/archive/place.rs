//! The folder `agentd/` of a project, beyond which an archive reads and writes nothing.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::baseline::{Baseline, baseline};
use super::error::ArchiveError;
use crate::files::move_within;
use crate::files::own::{Folder, Reason, Refused};
use crate::models::hash::Hash;
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

/// The changelog that agentd keeps.
pub const CHANGELOG: &str = "CHANGELOG.md";
pub(super) const SPECS: &str = "specs/";
const ARCHIVE: &str = "archive";

/// What an archive finds in a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The main specs.
    pub specs: Baseline,
    /// The changelog.
    pub changelog: Option<String>,
    /// The names of what is in the archive.
    pub archived: BTreeSet<String>,
}

/// Looks at a project; `root` is its folder `agentd/`.
pub fn look(root: &Path) -> Result<Found, ArchiveError> {
    let place = Place::open(root)?;
    let archived = place.folder.list(ARCHIVE, "").map_err(|fault| unusable(ARCHIVE, fault))?;
    Ok(Found {
        specs: baseline(&place.folder)?,
        changelog: place.changelog()?,
        archived: archived.into_iter().collect(),
    })
}

/// What became of a folder that is to be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    /// It is where it was.
    NotYet,
    /// It is where it goes.
    Already,
    /// It is in both places, or in none.
    Neither,
}

/// The opened folder.
pub(super) struct Place {
    folder: ConfinedFolder,
    path: PathBuf,
}

impl Place {
    pub(super) fn open(root: &Path) -> Result<Self, ArchiveError> {
        let failed = |source| io_error("open", &root.display().to_string(), source);
        let folder = ConfinedFolder::open(root).map_err(failed)?;
        Ok(Self { folder, path: root.to_owned() })
    }

    /// Lets one archive at a time be applied, until the file is dropped.
    pub(super) fn lock(&self) -> Result<File, ArchiveError> {
        let name = self.path.display().to_string();
        let folder = Folder::open(&self.path).map_err(|source| io_error("open", &name, source))?;
        let folder = File::from(folder);
        match folder.try_lock() {
            Ok(()) => Ok(folder),
            Err(TryLockError::WouldBlock) => Err(ArchiveError::Busy),
            Err(TryLockError::Error(source)) => Err(io_error("lock", &name, source)),
        }
    }

    /// Reads a file as it is.
    pub(super) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, ArchiveError> {
        self.folder.read_bytes(path).map_err(|fault| unusable(path, fault))
    }

    /// Reads a file of the change as its check read it.
    pub(super) fn text(&self, path: &str) -> Result<String, ArchiveError> {
        let text = self.folder.read(path).map_err(|fault| unusable(path, fault))?;
        text.ok_or_else(|| ArchiveError::Changed { path: path.to_owned() })
    }

    /// Hashes a file.
    pub(super) fn hash(&self, path: &str) -> Result<Option<Hash>, ArchiveError> {
        Ok(self.read(path)?.map(Hash::of))
    }

    /// Reads the changelog, which must be text: what is read here is written again.
    pub(super) fn changelog(&self) -> Result<Option<String>, ArchiveError> {
        let not_text =
            |_| unusable(CHANGELOG, IncludeFault::Unreadable("it is not UTF-8".to_owned()));
        self.read(CHANGELOG)?.map(String::from_utf8).transpose().map_err(not_text)
    }

    /// Replaces a file in one step, making the folder that it is in.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.folder.replace(path, bytes).map_err(|fault| match fault {
            IncludeFault::Unreadable(why) => io_error("write", path, io::Error::other(why)),
            fault => unusable(path, fault),
        })
    }

    /// Removes a file; one that is not there is none.
    pub(super) fn remove(&self, path: &str) -> Result<(), ArchiveError> {
        self.folder.remove(path).map_err(|fault| match fault {
            IncludeFault::Unreadable(why) => io_error("remove", path, io::Error::other(why)),
            fault => unusable(path, fault),
        })
    }

    /// Returns whether a folder was moved already.
    pub(super) fn moved(&self, from: &str, to: &str) -> Result<Moved, ArchiveError> {
        Ok(match (self.has_folder(from)?, self.has_folder(to)?) {
            (true, false) => Moved::NotYet,
            (false, true) => Moved::Already,
            (true, true) | (false, false) => Moved::Neither,
        })
    }

    /// Returns whether there is a folder. A link, or a file, is not the change's folder.
    fn has_folder(&self, path: &str) -> Result<bool, ArchiveError> {
        match Folder::open(&self.path.join(path)) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(match Refused::of(&error).map(|refused| refused.reason) {
                Some(Reason::Link) => unusable(path, IncludeFault::Outside),
                Some(_) => unusable(path, IncludeFault::NotAFile),
                None => io_error("inspect", path, error),
            }),
        }
    }

    /// Moves a folder in one step.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<(), ArchiveError> {
        move_within(&self.path, Path::new(from), Path::new(to))
            .map_err(|source| io_error("move", from, source))
    }
}

pub(super) fn unusable(path: &str, fault: IncludeFault) -> ArchiveError {
    ArchiveError::Unusable { path: path.to_owned(), fault }
}

pub(super) fn io_error(what: &'static str, path: &str, source: io::Error) -> ArchiveError {
    ArchiveError::Io { what, path: path.to_owned(), source }
}
