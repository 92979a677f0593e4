//! A folder beside a workspace, in which no agent writes. What is made there is whole before it is moved into the workspace, and
//! what is moved out of the workspace is out of the reach of whoever works there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::error::GitError;
use super::folder::remove_folder;
use super::workspace::Workspace;
use crate::files::own::{Folder, parent};

/// What its name ends with, behind that of the workspace.
pub(super) const BESIDE: &str = ".beside";

/// A folder beside a workspace. It goes when this is dropped.
#[derive(Debug)]
pub(super) struct Beside {
    path: PathBuf,
    folder: Folder,
}

impl Workspace {
    /// Makes an empty folder beside the workspace.
    pub(super) fn beside(&self) -> Result<Beside, GitError> {
        let path = self.path_beside();
        // A crash may have left it.
        remove_folder(&path)?;
        let made = parent(&path).and_then(|(parent, name)| {
            parent.new_folder(name, &path)?;
            parent.below(Path::new(name))
        });
        match made {
            Ok(folder) => Ok(Beside { path, folder }),
            Err(error) => Err(GitError::io("make", &path, error)),
        }
    }

    /// Returns the path of the folder beside the workspace.
    pub(super) fn path_beside(&self) -> PathBuf {
        let mut name = self.path.as_os_str().to_owned();
        name.push(BESIDE);
        name.into()
    }

    /// Opens the folder of the workspace, to which no link leads.
    pub(super) fn folder(&self) -> Result<Folder, GitError> {
        let path = self.path();
        Folder::open(path).map_err(|source| GitError::NoWorkspace { path: path.to_owned(), source })
    }
}

impl Beside {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts what has a name in this folder in the place of what has that name in the workspace, and takes that away.
    pub(super) fn move_in(&self, name: &str, workspace: &Workspace) -> Result<(), GitError> {
        let name = OsStr::new(name);
        let moved = self.folder.exchange(name, &workspace.folder()?, name);
        moved.map_err(|error| GitError::io("make", &workspace.path().join(name), error))
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if let Err(error) = remove_folder(&self.path) {
            log::warn!("{error}");
        }
    }
}
