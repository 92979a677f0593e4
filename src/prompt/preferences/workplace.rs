//! The files of preferences: which they are, read within bounds, written whole, one process at a time, and nothing
//! outside of the project.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::PreferenceError;
use crate::files::{Failed, OrFailed as _};
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::team::EXTENSION_FOLDERS as FOLDERS;
use crate::template::{IncludeFault, Role, TeamPrompt};

/// The largest file that is read or written.
const LARGEST: u64 = 1 << 20;

/// A project whose files of preferences are read.
#[derive(Debug)]
pub(super) struct Workplace {
    root: PathBuf,
    folder: ConfinedFolder,
}

/// A project whose files nobody else changes as long as this lives.
///
/// What is locked is the project's folder itself: it is there in any project, and a lock on it leaves no file behind.
#[derive(Debug)]
pub(super) struct Held {
    place: Workplace,
    _lock: File,
}

/// A file of a project, as it is now.
#[derive(Debug)]
pub(super) struct Found {
    /// Its path below the project's root.
    pub(super) path: String,
    /// What it says.
    pub(super) text: String,
}

impl Workplace {
    pub(super) fn open(project: &Path) -> Result<Self, PreferenceError> {
        let root = fs::canonicalize(project).or_failed("find", project)?;
        let folder = ConfinedFolder::of_project(&root).or_failed("open", &root)?;
        Ok(Self { root, folder })
    }

    /// Finds the prompt files of a role, ours first.
    pub(super) fn prompts(&self, role: Role) -> Result<Vec<Found>, PreferenceError> {
        let mut found = Vec::new();
        for folder in FOLDERS {
            found.extend(self.read(&prompt(folder, role))?);
        }
        Ok(found)
    }

    /// Returns the prompt file that a role without one is to have.
    pub(super) fn new_prompt(role: Role) -> Found {
        let path = prompt(FOLDERS[0], role);
        Found { path, text: String::new() }
    }

    /// Reads a file; one that is not there is `None`.
    pub(super) fn read(&self, path: &str) -> Result<Option<Found>, PreferenceError> {
        let shown = || PathBuf::from(path);
        let bytes = self.folder.read_bytes(path).map_err(|fault| refused("read", path, fault))?;
        let Some(bytes) = bytes else { return Ok(None) };
        if bytes.len() as u64 > LARGEST {
            return Err(too_large(path));
        }
        let text = String::from_utf8(bytes).map_err(|_| PreferenceError::NotText(shown()))?;
        Ok(Some(Found { path: path.to_owned(), text }))
    }
}

impl Held {
    /// Waits until nobody else changes the project's preferences, and keeps them out.
    pub(super) fn take(project: &Path) -> Result<Self, PreferenceError> {
        let place = Workplace::open(project)?;
        let locked = File::open(&place.root).and_then(|file| file.lock().map(|()| file));
        let lock = locked.or_failed("lock", &place.root)?;
        Ok(Self { place, _lock: lock })
    }

    pub(super) fn place(&self) -> &Workplace {
        &self.place
    }

    /// Writes a file in one step, making the folders that lead to it. A link is refused, wherever it leads.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<(), PreferenceError> {
        Self::refuse_large(path, text)?;
        let written = self.place.folder.replace(path, text.as_bytes());
        written.map_err(|fault| refused("write", path, fault))
    }

    /// Makes sure that a text could be written.
    pub(super) fn refuse_large(path: &str, text: &str) -> Result<(), PreferenceError> {
        if text.len() as u64 > LARGEST { Err(too_large(path)) } else { Ok(()) }
    }
}

fn prompt(folder: &str, role: Role) -> String {
    format!("{folder}/{}", TeamPrompt::Role(role).file())
}

fn refused(what: &'static str, path: &str, fault: IncludeFault) -> PreferenceError {
    match fault {
        IncludeFault::Outside => PreferenceError::Outside(path.into()),
        IncludeFault::NotAFile => PreferenceError::NotAFile(path.into()),
        IncludeFault::Shared => PreferenceError::Shared(path.into()),
        IncludeFault::TooLarge(_) | IncludeFault::TooLargeTogether { .. } => too_large(path),
        IncludeFault::Unreadable(why) => Failed::new(what, path, io::Error::other(why)).into(),
    }
}

fn too_large(path: &str) -> PreferenceError {
    PreferenceError::TooLarge { path: path.into(), limit: LARGEST }
}
