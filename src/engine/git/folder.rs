//! Folders of workspaces on the disk: where one may be, and putting aside what is there already.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::error::GitError;
use crate::files::faults::{Step, before};
use crate::files::make_private_folder;

/// Gives a path in full and without symbolic links, as far as it is there.
pub(super) fn real(path: &Path) -> Result<PathBuf, GitError> {
    let failed = |error| GitError::io("find", path, error);
    let full = std::path::absolute(path).map_err(failed)?;
    for there in full.ancestors() {
        let Ok(real) = fs::canonicalize(there) else { continue };
        let rest = full.strip_prefix(there).unwrap_or(Path::new(""));
        if rest.components().all(|part| matches!(part, Component::Normal(_))) {
            return Ok(if rest == Path::new("") { real } else { real.join(rest) });
        }
        break;
    }
    Err(failed(io::ErrorKind::InvalidInput.into()))
}

/// Makes a folder and those above it, for the user alone.
pub(super) fn make_folder(folder: &Path) -> Result<(), GitError> {
    make_private_folder(folder).map_err(|error| GitError::io("create", folder, error))
}

/// Says whether nothing is at a path, or a folder with nothing in it.
pub(super) fn is_vacant(path: &Path) -> Result<bool, GitError> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A dangling symbolic link is something.
            Ok(fs::symlink_metadata(path).is_err())
        }
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
        Err(error) => Err(GitError::io("read", path, error)),
    }
}

/// Moves what is at a path to a free name, which begins with that of `beside`, and returns the new path. Nothing is deleted.
#[expect(
    clippy::disallowed_methods,
    reason = "nothing is written, and what is there gets another name"
)]
pub(super) fn put_aside(path: &Path, beside: &Path) -> Result<PathBuf, GitError> {
    let mut number = 1;
    loop {
        let mut name = beside.as_os_str().to_owned();
        name.push(format!(".kept-{number}"));
        let kept = PathBuf::from(name);
        if fs::symlink_metadata(&kept).is_err() {
            let renamed = before(Step::Rename, &kept).and_then(|()| fs::rename(path, &kept));
            return renamed.map(|()| kept).map_err(|error| GitError::io("rename", path, error));
        }
        number += 1;
    }
}

/// Makes an empty file, unless it is there.
#[expect(clippy::disallowed_methods, reason = "an empty file is whole")]
pub(super) fn touch(path: &Path) -> Result<(), GitError> {
    let made = before(Step::Create, path)
        .and_then(|()| fs::OpenOptions::new().create(true).append(true).open(path));
    made.map(drop).map_err(|error| GitError::io("create", path, error))
}

/// Removes a file if it is there.
pub(super) fn remove_file(path: &Path) -> Result<(), GitError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(GitError::io("remove", path, error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}
