//! The folder `agentd/` of a project, beyond which an archive reads and writes nothing.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::baseline::{Baseline, baseline};
use super::error::ArchiveError;
use crate::files::faults::{Step, before};
use crate::files::{replace_atomically, sync_folder};
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
    /// Its path without links.
    path: PathBuf,
}

impl Place {
    pub(super) fn open(root: &Path) -> Result<Self, ArchiveError> {
        let failed = |source| io_error("open", &root.display().to_string(), source);
        let folder = ConfinedFolder::open(root).map_err(failed)?;
        Ok(Self { folder, path: fs::canonicalize(root).map_err(failed)? })
    }

    /// Lets one archive at a time be applied, until the file is dropped.
    pub(super) fn lock(&self) -> Result<File, ArchiveError> {
        let name = self.path.display().to_string();
        let folder = File::open(&self.path).map_err(|source| io_error("open", &name, source))?;
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
        let target = self.inside(path)?;
        replace_atomically(&target, bytes).map_err(|source| io_error("write", path, source))
    }

    /// Says where a folder is that is to be moved.
    pub(super) fn moved(&self, from: &str, to: &str) -> Result<Moved, ArchiveError> {
        let is_there = |path: &str| match fs::symlink_metadata(self.path.join(path)) {
            Ok(found) if found.is_dir() => Ok(true),
            // A link, or a file, is not the change's folder.
            Ok(_) => Err(unusable(path, IncludeFault::Unreadable("it is not a folder".to_owned()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(source) => Err(io_error("look at", path, source)),
        };
        for path in [from, to] {
            let folder = parent_of(path);
            match self.confined(folder) {
                Ok(_) => {}
                // It is made when it is needed.
                Err(ArchiveError::Io { source, .. })
                    if source.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(match (is_there(from)?, is_there(to)?) {
            (true, false) => Moved::NotYet,
            (false, true) => Moved::Already,
            (true, true) | (false, false) => Moved::Neither,
        })
    }

    /// Moves a folder in one step.
    #[expect(clippy::disallowed_methods, reason = "a folder is moved in one step")]
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<(), ArchiveError> {
        let (old, new) = (self.parent(from)?, self.parent(to)?);
        let failed = |source| io_error("move", from, source);
        let target = self.path.join(to);
        before(Step::Rename, &target).map_err(failed)?;
        fs::rename(self.path.join(from), &target).map_err(failed)?;
        for folder in [new, old] {
            sync_folder(&folder).map_err(failed)?;
        }
        Ok(())
    }

    /// Gives the path of a file without links, which must be below the folder.
    fn inside(&self, path: &str) -> Result<PathBuf, ArchiveError> {
        let folder = self.parent(path)?;
        let target = folder.join(Path::new(path).file_name().unwrap_or_default());
        match fs::canonicalize(&target) {
            Ok(real) if real.starts_with(&self.path) => Ok(real),
            Ok(_) => Err(unusable(path, IncludeFault::Outside)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                match fs::symlink_metadata(&target) {
                    // A link to nothing would be written through.
                    Ok(_) => Err(unusable(path, IncludeFault::NotAFile)),
                    Err(_) => Ok(target),
                }
            }
            Err(source) => Err(io_error("look at", path, source)),
        }
    }

    /// Gives the folder that a path is in, without links; it is made if it is not there.
    fn parent(&self, path: &str) -> Result<PathBuf, ArchiveError> {
        let folder = parent_of(path);
        if folder == Path::new("") {
            return Ok(self.path.clone());
        }
        let failed = |source| io_error("make", &folder.display().to_string(), source);
        let full = self.path.join(folder);
        match before(Step::Create, &full).and_then(|()| fs::create_dir(&full)) {
            Ok(()) => sync_folder(&self.path).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(source) => return Err(failed(source)),
        }
        self.confined(folder)
    }

    /// Gives the path of a folder without links, which must be below this one.
    fn confined(&self, folder: &Path) -> Result<PathBuf, ArchiveError> {
        let name = folder.display().to_string();
        let real = fs::canonicalize(self.path.join(folder))
            .map_err(|source| io_error("open", &name, source))?;
        if real.starts_with(&self.path) {
            Ok(real)
        } else {
            Err(unusable(&name, IncludeFault::Outside))
        }
    }
}

fn parent_of(path: &str) -> &Path {
    Path::new(path).parent().unwrap_or(Path::new(""))
}

pub(super) fn unusable(path: &str, fault: IncludeFault) -> ArchiveError {
    ArchiveError::Unusable { path: path.to_owned(), fault }
}

fn io_error(what: &'static str, path: &str, source: io::Error) -> ArchiveError {
    ArchiveError::Io { what, path: path.to_owned(), source }
}
