//! The files of a worktree as git would commit them, without its index being touched.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::command::Call;
use super::error::GitError;
use super::place::Place;
use crate::files::Unnamed;

/// An index of its own that holds all files of a worktree.
pub(super) struct Snapshot<'a> {
    place: &'a Place,
    folder: TempDir,
}

impl<'a> Snapshot<'a> {
    /// Takes all files that are not ignored, but for repositories inside, which have no place in a commit.
    #[expect(clippy::disallowed_methods, reason = "the copy is temporary")]
    pub(super) fn take(place: &'a Place) -> Result<Self, GitError> {
        let folder = TempDir::with_prefix_in("agentd-", &place.git_dir);
        let folder = folder.map_err(|error| GitError::io("create", &place.git_dir, error))?;
        let snapshot = Self { place, folder };
        // From a copy, git need not read again what has not changed.
        let index = place.git_dir.join("index");
        match fs::copy(&index, snapshot.index()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(GitError::io("copy", &index, error));
            }
            Ok(_) | Err(_) => {}
        }
        let mut call = snapshot.call(&["add", "--all", "--sparse", "--", "."]);
        for changed in place.status()? {
            if changed.is_nested_repository() {
                let mut except = std::ffi::OsString::from(":(exclude,top,literal)");
                except.push(&changed.path);
                call = call.argument(except);
            }
        }
        call.run()?;
        Ok(snapshot)
    }

    fn index(&self) -> PathBuf {
        self.folder.path().join("index")
    }

    /// Prepares a call of git on these files.
    pub(super) fn call<'b>(&self, arguments: &[&'b str]) -> Call<'b> {
        self.place.call(arguments).variable("GIT_INDEX_FILE", self.index())
    }
}

/// Writes what git prints to a file that has its name only when it is whole, for the user alone.
pub(super) fn save(call: Call<'_>, path: &Path) -> Result<(), GitError> {
    let failed = |error| GitError::io("write", path, error);
    let file = Unnamed::begin(path).map_err(failed)?;
    call.into_file(file.file().try_clone().map_err(failed)?)?;
    file.replace().map_err(failed)
}
