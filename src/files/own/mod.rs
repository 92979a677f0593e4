//! The one way to what lies below a project's `agentd/`: a clone of somebody's repository may hold anything there.
//!
//! No link is followed, in no part of the path: the root of a project is given without links, as git and the system name it.
//! Only a regular file that has one name is opened, and nobody waits for a pipe.

mod contents;
mod folder;
mod refused;
mod removal;
mod survey;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::faults::{Step, before};
pub(crate) use folder::{Folder, Kind, split};
pub(crate) use refused::{Reason, Refused};
pub(crate) use survey::{DEEPEST, Found, Names, refuse_unless_plain};

/// Opens a file to be read.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    at(path, OFlags::RDONLY)
}

/// Opens a file to be read and written, which is made if it is not there.
pub(crate) fn open_or_make(path: &Path) -> io::Result<File> {
    before(Step::Create, path)?;
    at(path, OFlags::RDWR | OFlags::CREATE)
}

/// Opens a file to which is only added, and which is made if it is not there.
pub(crate) fn append(path: &Path) -> io::Result<File> {
    before(Step::Create, path)?;
    at(path, OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE)
}

/// Opens a file to be written anew, which is made if it is not there. It is empty once it is known to be a file of its
/// own.
pub(crate) fn open_to_replace(path: &Path) -> io::Result<File> {
    before(Step::Create, path)?;
    let file = at(path, OFlags::WRONLY | OFlags::CREATE)?;
    file.set_len(0)?;
    Ok(file)
}

/// Makes a file where there is nothing, for its owner alone.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    before(Step::Create, path)?;
    let (folder, name) = parent(path)?;
    folder.new_file(name, Mode::from_raw_mode(0o600))
}

/// Makes a folder where there is nothing, for its owner alone; its name is on the disk then.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let (folder, name) = parent(path)?;
    folder.new_folder(name, path)?;
    folder.sync(path)
}

/// Reads a file of at most `largest` bytes; one that is not there is `None`.
pub(crate) fn read(path: &Path, largest: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    if file.metadata()?.len() > largest {
        return Err(Refused::because(Reason::TooLarge(largest)));
    }
    let mut bytes = Vec::new();
    // It may grow meanwhile.
    file.take(largest).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// Returns the path of a folder without the links that lead to it: they are those of a person who named it.
pub(crate) fn root(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// Removes whatever is at a path, a folder with all that is in it; nothing is none.
pub(crate) fn clear(path: &Path) -> io::Result<()> {
    match parent(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        found => found.and_then(|(folder, name)| folder.clear(name)),
    }
}

/// Refuses what stands at a path unless it is a regular file that has one name, or nothing.
pub(crate) fn refuse_unless_file(path: &Path) -> io::Result<()> {
    let (folder, name) = match parent(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    folder.refuse_unless_file(name)
}

/// Refuses what stands at a path unless it is a folder, or nothing.
pub(crate) fn refuse_unless_folder(path: &Path) -> io::Result<()> {
    match Folder::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        opened => opened.map(drop),
    }
}

/// Lists what is in a folder, sorted by name; one that is not there is empty.
pub(crate) fn entries(path: &Path) -> io::Result<Vec<(OsString, Kind)>> {
    match Folder::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        folder => folder?.entries(),
    }
}

/// Makes a folder that goes when it is dropped, and to which no link leads.
pub(crate) fn scratch() -> io::Result<tempfile::TempDir> {
    tempfile::tempdir_in(root(&tempfile::env::temp_dir())?)
}

/// Opens the folder that a path is in, and gives it with the last name of the path.
pub(crate) fn parent(path: &Path) -> io::Result<(Folder, &OsStr)> {
    let (parent, name) = split(path)?;
    let parent = if parent == Path::new("") { Path::new(".") } else { parent };
    Ok((Folder::open(parent)?, name))
}

fn at(path: &Path, flags: OFlags) -> io::Result<File> {
    let (folder, name) = parent(path)?;
    folder.file_at(name, flags)
}
