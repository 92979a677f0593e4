//! Where things are in a user's project: the folder `agentd/` and what is in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::journal;
use crate::models::change::ChangeId;

/// A user's project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// Its root.
    pub root: PathBuf,
}

/// Where a change is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// It is being worked on.
    Open(PathBuf),
    /// It is done, and is kept in the archive.
    Archived(PathBuf),
    /// There is no such change.
    Nowhere,
}

impl Project {
    /// Names a project by its root.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Gives the folder of agentd in the project.
    pub fn folder(&self) -> PathBuf {
        self.root.join("agentd")
    }

    /// Gives the folder of the changes that are being worked on.
    pub fn changes(&self) -> PathBuf {
        self.folder().join("changes")
    }

    /// Gives the folder of a change.
    pub fn change(&self, id: &ChangeId) -> PathBuf {
        self.changes().join(id.as_str())
    }

    /// Gives the folder of the changes that are done.
    pub fn archive(&self) -> PathBuf {
        self.folder().join("archive")
    }

    /// Gives the folder of the specs that hold for the project.
    pub fn specs(&self) -> PathBuf {
        self.folder().join("specs")
    }

    /// Finds a change. One that was archived more than once under the same id is found where it was archived last.
    pub fn find(&self, id: &ChangeId) -> io::Result<Whereabouts> {
        let open = self.change(id);
        if is_begun(&open) {
            return Ok(Whereabouts::Open(open));
        }
        let archived = self.archived()?.into_iter().rfind(|(archived, _)| archived == id);
        Ok(archived.map_or(Whereabouts::Nowhere, |(_, path)| Whereabouts::Archived(path)))
    }

    /// Lists the changes that are being worked on, sorted by their ids.
    pub fn open(&self) -> io::Result<Vec<(ChangeId, PathBuf)>> {
        let named = entries(&self.changes())?.into_iter().filter_map(|(name, path)| {
            let id = name.parse().ok()?;
            is_begun(&path).then_some((id, path))
        });
        Ok(named.collect())
    }

    /// Lists the changes that are done, sorted by the names of their folders, which begin with the date.
    pub fn archived(&self) -> io::Result<Vec<(ChangeId, PathBuf)>> {
        let named = entries(&self.archive())?
            .into_iter()
            .filter_map(|(_, path)| Some((id_in(&path)?, path)));
        Ok(named.collect())
    }
}

/// Says whether a folder holds a change: its journal has an entry, or one that cannot be read. A crash may have left a
/// folder in which nobody asked for anything yet.
fn is_begun(folder: &Path) -> bool {
    folder.join(journal::FILE).is_file()
        && journal::read(folder).map_or(true, |(records, _)| !records.is_empty())
}

/// Reads whose folder an archived one is: its name may have a number at its end, its journal tells.
fn id_in(folder: &Path) -> Option<ChangeId> {
    let (records, _) = journal::read(folder).ok()?;
    records.iter().find_map(|record| match &record.entry {
        super::entry::Entry::Created { id, .. } => Some(id.clone()),
        _ => None,
    })
}

/// Lists the folders in a folder, sorted by name; one that is not there is empty.
fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string()
            && entry.file_type()?.is_dir()
        {
            found.push((name, entry.path()));
        }
    }
    found.sort();
    Ok(found)
}
