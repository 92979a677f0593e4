//! The files of preferences: which they are, read within bounds, written whole, one process at a time, and nothing
//! outside of the project.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::PreferenceError;
use crate::files::replace_atomically;
use crate::prompt::confined::ConfinedFolder;
use crate::template::{IncludeFault, Role, TeamPrompt};

/// The folders that may hold a project's own prompts, the first one ours.
const FOLDERS: [&str; 2] = ["agentd/prompts", ".agentmux/prompts"];

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
    /// Where it really is, below the root with all links followed.
    pub(super) real: PathBuf,
    /// What it says.
    pub(super) text: String,
}

impl Workplace {
    pub(super) fn open(project: &Path) -> Result<Self, PreferenceError> {
        let root = fs::canonicalize(project).map_err(|source| failed("find", project, source))?;
        let folder = ConfinedFolder::open(&root).map_err(|source| failed("open", &root, source))?;
        Ok(Self { root, folder })
    }

    /// Finds the prompt files of a role, ours first. One that both folders lead to is found once.
    pub(super) fn prompts(&self, role: Role) -> Result<Vec<Found>, PreferenceError> {
        let mut found: Vec<Found> = Vec::new();
        for folder in FOLDERS {
            let file = self.read(&prompt(folder, role))?;
            found.extend(file.filter(|file| found.iter().all(|other| other.real != file.real)));
        }
        Ok(found)
    }

    /// Gives the prompt file that a role without one is to have.
    pub(super) fn new_prompt(role: Role) -> Found {
        let path = prompt(FOLDERS[0], role);
        Found { real: PathBuf::from(&path), path, text: String::new() }
    }

    /// Reads a file; one that is not there is `None`.
    pub(super) fn read(&self, path: &str) -> Result<Option<Found>, PreferenceError> {
        let shown = || PathBuf::from(path);
        let bytes = self.folder.read_bytes(path).map_err(|fault| match fault {
            IncludeFault::Outside => PreferenceError::Outside(shown()),
            IncludeFault::NotAFile => PreferenceError::NotAFile(shown()),
            IncludeFault::TooLarge(_) => too_large(path),
            IncludeFault::Unreadable(why) => failed("read", &shown(), io::Error::other(why)),
        })?;
        let Some(bytes) = bytes else { return Ok(None) };
        if bytes.len() as u64 > LARGEST {
            return Err(too_large(path));
        }
        let real = self.real(path)?;
        let text = String::from_utf8(bytes).map_err(|_| PreferenceError::NotText(shown()))?;
        Ok(Some(Found { path: path.to_owned(), real, text }))
    }

    /// Follows the links of a path, and refuses what is not the project's to have changed here.
    fn real(&self, path: &str) -> Result<PathBuf, PreferenceError> {
        let full = self.root.join(path);
        let real =
            fs::canonicalize(&full).map_err(|source| failed("find", Path::new(path), source))?;
        let below = real.strip_prefix(&self.root).ok();
        // A line in one of git's own files could be a command.
        let is_ours = below.is_some_and(|below| below.iter().all(|name| name != ".git"));
        if is_ours { Ok(real) } else { Err(PreferenceError::Outside(path.into())) }
    }
}

impl Held {
    /// Waits until nobody else changes the project's preferences, and keeps them out.
    pub(super) fn take(project: &Path) -> Result<Self, PreferenceError> {
        let place = Workplace::open(project)?;
        let locked = File::open(&place.root).and_then(|file| file.lock().map(|()| file));
        let lock = locked.map_err(|source| failed("lock", &place.root, source))?;
        Ok(Self { place, _lock: lock })
    }

    pub(super) fn place(&self) -> &Workplace {
        &self.place
    }

    /// Writes a file in one step, making the folders that lead to it. A link stays one.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<(), PreferenceError> {
        Self::refuse_large(path, text)?;
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        self.place.folder.make(parent).map_err(|source| {
            match (source.kind(), source.raw_os_error()) {
                // The refusal to leave the project is not the system's own.
                (io::ErrorKind::PermissionDenied, None) => PreferenceError::Outside(parent.into()),
                _ => failed("make", Path::new(parent), source),
            }
        })?;
        let place = self.place.real(parent)?.join(name);
        let is_link = fs::symlink_metadata(&place).is_ok_and(|it| it.is_symlink());
        let place = if is_link { self.place.real(path)? } else { place };
        replace_atomically(&place, text.as_bytes())
            .map_err(|source| failed("write", Path::new(path), source))
    }

    /// Makes sure that a text could be written.
    pub(super) fn refuse_large(path: &str, text: &str) -> Result<(), PreferenceError> {
        if text.len() as u64 > LARGEST { Err(too_large(path)) } else { Ok(()) }
    }
}

fn prompt(folder: &str, role: Role) -> String {
    format!("{folder}/{}", TeamPrompt::Role(role).file())
}

fn too_large(path: &str) -> PreferenceError {
    PreferenceError::TooLarge { path: path.into(), limit: LARGEST }
}

fn failed(what: &'static str, path: &Path, source: io::Error) -> PreferenceError {
    PreferenceError::Io { what, path: path.to_owned(), source }
}
