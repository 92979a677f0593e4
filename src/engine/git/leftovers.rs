//! What is on the disk of workspaces: their folders, and what agentd knows of each. Either can be there without the other.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::beside::BESIDE;
use super::error::GitError;
use super::folder::{real, remove_folder, size_of};
use super::repository::Repository;
use super::workspace::{STATES, Workspace};
use crate::engine::confinement::CACHES;
use crate::engine::setup::OUTBOXES;

/// A workspace, or what is left of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The name of both folders.
    pub name: String,
    /// The folder of its files, if it is there.
    pub folder: Option<PathBuf>,
    /// What agentd knows of it, if anything.
    state: Option<PathBuf>,
}

impl Leftover {
    /// Lists what is there of workspaces; `folder` is where those of this checkout are. What agentd knows of the workspaces
    /// of another checkout is not among it.
    pub fn all(repository: &Repository, folder: &Path) -> Result<Vec<Self>, GitError> {
        Self::listed(repository, folder, |state| Ok(!is_elsewhere(state, folder)?))
    }

    /// Lists what is there of the workspaces of a change, wherever agentd knows them to be.
    pub fn of(repository: &Repository, folder: &Path, id: &str) -> Result<Vec<Self>, GitError> {
        let mut found = Self::listed(repository, folder, |_| Ok(true))?;
        found.retain(|one| one.id() == id);
        Ok(found)
    }

    fn listed(
        repository: &Repository,
        folder: &Path,
        is_wanted: impl Fn(&Path) -> Result<bool, GitError>,
    ) -> Result<Vec<Self>, GitError> {
        let mut found = BTreeMap::new();
        let empty = |name: &str| Self { name: name.to_owned(), folder: None, state: None };
        for (name, path) in entries(folder)? {
            found.entry(name.clone()).or_insert_with(|| empty(&name)).folder = Some(path);
        }
        for (name, path) in entries(&repository.common.join(STATES))? {
            if !is_wanted(&path)? {
                continue;
            }
            found.entry(name.clone()).or_insert_with(|| empty(&name)).state = Some(path);
        }
        Ok(found.into_values().collect())
    }

    /// Returns the id that its name begins with: no id has a full stop.
    pub fn id(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// Returns how many bytes it takes.
    pub fn size(&self) -> u64 {
        self.folder.iter().chain(&self.state).map(|path| size_of(path)).sum()
    }

    /// Returns its folder, or where agentd keeps what it knows of it.
    pub fn path(&self, repository: &Repository) -> PathBuf {
        let state = || repository.common.join(STATES).join(&self.name);
        self.folder.clone().unwrap_or_else(state)
    }

    /// Returns whether it holds nothing but the files of a commit that a branch holds; none where that is not known.
    pub fn is_clean(&self, repository: &Repository) -> Result<Option<bool>, GitError> {
        let Some(folder) = &self.folder else { return Ok(Some(true)) };
        if [OUTBOXES, CACHES, BESIDE].iter().any(|end| self.name.ends_with(end)) {
            // Copies, and what was not taken of them.
            return Ok(Some(true));
        }
        let Some(found) = Workspace::find(repository, folder)? else { return Ok(None) };
        let Some(commit) = found.head()? else { return Ok(None) };
        Ok(Some(repository.is_held(&commit)? && found.changes_since(&commit)?.is_empty()))
    }

    /// Removes it with all that is in it. What a crash left of it is removed by the next call.
    pub fn remove(&self, repository: &Repository) -> Result<(), GitError> {
        if let Some(folder) = &self.folder {
            if let Some(found) = Workspace::find(repository, folder)? {
                return found.remove();
            }
            remove_folder(folder)?;
        }
        self.state.as_deref().map_or(Ok(()), remove_folder)
    }
}

/// Returns whether what agentd knows is of a workspace in another folder that is still there.
fn is_elsewhere(state: &Path, folder: &Path) -> Result<bool, GitError> {
    let Some(recorded) = Workspace::recorded_folder(state)? else { return Ok(false) };
    let is_here = recorded.parent() == Some(real(folder)?.as_path());
    Ok(!is_here && recorded.symlink_metadata().is_ok())
}

/// Lists what is in a folder; one that is not there is empty.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, GitError> {
    let unread = |error| GitError::io("read", folder, error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unread(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unread)?;
        // What has a name that is no text is none of agentd's.
        if let Ok(name) = OsString::into_string(entry.file_name()) {
            found.push((name, entry.path()));
        }
    }
    Ok(found)
}
