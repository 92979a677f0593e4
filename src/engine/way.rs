//! The way to a file of a change. An agent may have put a link, or anything else, in the place of a folder or a file:
//! nothing is written or removed through a link.

use std::io;
use std::path::Path;

use crate::files::own::{self, Folder, Refused};

/// Lists the folders below a change's folder that lead to a file of it, from the first to the last.
pub(super) fn folders_to(path: &Path) -> impl Iterator<Item = &Path> {
    let mut folders: Vec<_> = path.ancestors().skip(1).collect();
    folders.pop();
    folders.into_iter().rev()
}

/// Says whether real folders alone lead to a file of a change.
pub(super) fn is_open(change: &Path, path: &Path) -> io::Result<bool> {
    let folder = path.parent().map_or_else(|| change.to_owned(), |parent| change.join(parent));
    match Folder::open(&folder) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound || Refused::is_in_the_way(&error) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Removes what keeps a file of a change from being written: what is no folder on the way to it, a folder in its place or
/// in that of its unfinished self. A link that stands in its place is replaced without being followed.
pub(super) fn clear(change: &Path, path: &Path) -> io::Result<()> {
    for folder in folders_to(path).map(|folder| change.join(folder)) {
        match Folder::open(&folder) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => break,
            Err(error) if Refused::is_in_the_way(&error) => own::clear(&folder)?,
            Err(error) => return Err(error),
        }
    }
    let target = change.join(path);
    let name = path.file_name().unwrap_or_default().display();
    for place in [target.with_file_name(format!(".{name}.new")), target] {
        clear_folder(&place)?;
    }
    Ok(())
}

/// Removes a folder with all that is in it, and nothing else.
pub(super) fn clear_folder(path: &Path) -> io::Result<()> {
    if Folder::open(path).is_ok() { own::clear(path) } else { Ok(()) }
}
