//! Folders of workspaces on the disk: where one may be, and putting aside what is there already.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::error::GitError;
use crate::files::faults::{Step, before};
use crate::files::{make_private_folder, own, real_path};

/// All that the owner of a folder may do with it.
const OWNERS: u32 = 0o700;

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

/// Removes a folder with all that is in it, if it is there.
pub(super) fn remove_folder(folder: &Path) -> Result<(), GitError> {
    own::clear(folder).map_err(|error| GitError::io("remove", folder, error))
}

/// Lets the owner change a folder and every one below it, as far as that is possible; links are not followed.
pub(super) fn open_up(folder: &Path) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(about) = fs::symlink_metadata(&folder) else { continue };
        if !about.is_dir() {
            continue;
        }
        let mode = about.permissions().mode();
        if mode & OWNERS != OWNERS {
            let _ = fs::set_permissions(&folder, fs::Permissions::from_mode(mode | OWNERS));
        }
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        folders.extend(entries.map(|entry| entry.path()));
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
