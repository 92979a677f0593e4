//! Folders of workspaces on the disk: where one may be, and putting aside what is there already.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::error::GitError;
use crate::files::faults::{Step, before};
use crate::files::own::{self, Folder, parent};
use crate::files::{make_private_folder, real_path};

/// Returns a path in full and without symbolic links, as far as it is there.
pub(super) fn real(path: &Path) -> Result<PathBuf, GitError> {
    real_path(path).map_err(|error| GitError::io("find", path, error))
}

/// Makes a folder and those above it, for the user alone.
pub(super) fn make_folder(folder: &Path) -> Result<(), GitError> {
    make_private_folder(folder).map_err(|error| GitError::io("create", folder, error))
}

/// Returns whether nothing is at a path, or a folder with nothing in it.
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

/// Returns a path where nothing is, which begins with that of a workspace.
fn free_name(workspace: &Path) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let mut kept = workspace.as_os_str().to_owned();
        kept.push(format!(".kept-{number}"));
        let kept = PathBuf::from(kept);
        let (parent, name) = parent(&kept)?;
        if parent.look(name)?.is_none() {
            return Ok(kept);
        }
        number += 1;
    }
}

/// Moves what has a name in a folder to a free name beside a workspace, and returns the new path. Nothing is deleted, and no link
/// is followed.
pub(super) fn put_aside(folder: &Folder, name: &OsStr, workspace: &Path) -> io::Result<PathBuf> {
    let kept = free_name(workspace)?;
    let (parent, new) = parent(&kept)?;
    folder.rename(name, &parent, new, &kept)?;
    Ok(kept)
}

/// Makes an empty file, unless it is there.
#[expect(clippy::disallowed_methods, reason = "an empty file is whole")]
pub(super) fn touch(path: &Path) -> Result<(), GitError> {
    let made = before(Step::Create, path)
        .and_then(|()| fs::OpenOptions::new().create(true).append(true).open(path));
    made.map(drop).map_err(|error| GitError::io("create", path, error))
}

/// Copies an index with its time. Git compares the contents of files that were written when their index was: it would take a
/// younger copy for a proof that a file is as it was, though it was changed in the same instant, to as many bytes.
#[expect(clippy::disallowed_methods, reason = "copies of an index are made anew each time")]
pub(super) fn copy_index(from: &Path, to: &Path) -> io::Result<()> {
    let written = fs::metadata(from)?.modified()?;
    fs::copy(from, to)?;
    fs::File::options().write(true).open(to)?.set_modified(written)
}

/// Dates an index to when a listing began that found every file as the index has it, if that was in a later second. Git compares
/// seconds, so it reads a file again and again that was written in the second of its index. Whoever changes one after the listing
/// does so in a later second than the index says of it, which shows.
#[expect(clippy::disallowed_methods, reason = "its time alone is written")]
pub(super) fn date_index(index: &Path, listed: SystemTime) -> io::Result<()> {
    let second = |time: SystemTime| time.duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    // The clock by which files are dated may be a little behind.
    let listed = listed - Duration::from_millis(100);
    if second(listed) <= second(fs::metadata(index)?.modified()?) {
        return Ok(());
    }
    fs::File::options().write(true).open(index)?.set_modified(listed)
}

/// Removes a file if it is there.
pub(super) fn remove_file(path: &Path) -> Result<(), GitError> {
    match fs::remove_file(path) {
        // Below a file there is nothing.
        Err(error)
            if !matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Err(GitError::io("remove", path, error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Removes a folder with all that is in it, if it is there, whatever rights programs have taken from it. A link in its place is
/// removed, and none is followed below the folder that it is in.
pub(super) fn remove_folder(folder: &Path) -> Result<(), GitError> {
    own::clear(&place_of(folder)?).map_err(|error| GitError::io("remove", folder, error))
}

/// Returns a folder's path without links above it. What the folder itself is, is looked at before it is used.
pub(super) fn place_of(path: &Path) -> Result<PathBuf, GitError> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => Ok(real(parent)?.join(name)),
        _ => real(path),
    }
}

/// Returns how many bytes the files below a path have together; links are not followed, and what cannot be read has none.
pub(in super::super) fn size_of(path: &Path) -> u64 {
    let (mut sum, mut paths) = (0_u64, vec![path.to_owned()]);
    while let Some(path) = paths.pop() {
        let Ok(about) = fs::symlink_metadata(&path) else { continue };
        if about.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            paths.extend(entries.map(|entry| entry.path()));
        } else {
            sum = sum.saturating_add(about.len());
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_an_index_is_as_old_as_the_index() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("index"), folder.path().join("copy"));
        fs::write(&from, "entries").unwrap();
        let written = SystemTime::now() - Duration::from_mins(1);
        fs::File::options().write(true).open(&from).unwrap().set_modified(written).unwrap();
        copy_index(&from, &to).unwrap();
        assert_eq!(to.metadata().unwrap().modified().unwrap(), written);
        assert_eq!(fs::read_to_string(to).unwrap(), "entries");
    }
}
