//! The way to a file of a change. An agent may have put a link, or anything else, in the place of a folder or a file:
//! nothing is written or removed through a link.

use std::fs;
use std::io;
use std::path::Path;

/// Gives the folders below a change's folder that lead to a file of it, from the first to the last.
pub(super) fn folders_to(path: &Path) -> impl Iterator<Item = &Path> {
    let mut folders: Vec<_> = path.ancestors().skip(1).collect();
    folders.pop();
    folders.into_iter().rev()
}

/// Says whether real folders alone lead to a file of a change.
pub(super) fn is_open(change: &Path, path: &Path) -> io::Result<bool> {
    for folder in folders_to(path) {
        match fs::symlink_metadata(change.join(folder)) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
    }
    Ok(true)
}

/// Removes what keeps a file of a change from being written: what is no folder on the way to it, a folder in its place or
/// in that of its unfinished self. A link that stands in its place is replaced without being followed.
pub(super) fn clear(change: &Path, path: &Path) -> io::Result<()> {
    for folder in folders_to(path).map(|folder| change.join(folder)) {
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => remove(&folder)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) => return Err(error),
        }
    }
    let target = change.join(path);
    let name = path.file_name().unwrap_or_default().display();
    for place in [target.with_file_name(format!(".{name}.new")), target] {
        if fs::symlink_metadata(&place).is_ok_and(|found| found.is_dir()) {
            remove(&place)?;
        }
    }
    Ok(())
}

/// Removes a file, a link or a folder with all that is in it; what is not there is none.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
