//! Writing a file so that it is always whole: the old one or the new one, also after a crash.
//!
//! All of it happens in one folder that is open, to which no link led. What a name stands for is replaced and never
//! written to: where it is a link, the link goes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{FileType, Mode};

use super::faults::{self, Step, before};
use super::own::{self, Folder};

/// Any user may read what the user writes, but for what the user's mask takes away.
const USERS: Mode = Mode::from_raw_mode(0o666);
/// Its owner's alone.
const OWNERS: Mode = Mode::from_raw_mode(0o600);

/// Puts a file in place in one step, readable by its owner alone.
///
/// The bytes are on the disk before the file has its name, and the name is on the disk when this returns.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Unnamed::begin(path)?.filled(bytes)?.replace()
}

/// Replaces a user's file in one step, as [`write_atomically`] does. The new one may be read by whoever might read
/// the old one; where there was none, or no file, by whoever may read what the user writes.
///
/// Until it has its name it is called `.NAME.new`: what a crash leaves is overwritten when the step is done again,
/// so no two processes may write the same file at once.
pub(crate) fn replace_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (folder, name) = own::parent(path)?;
    replace_in(folder, name, path, bytes)
}

/// Replaces a file of a folder that is open, as [`replace_atomically`] does; `path` is what it is announced by.
pub(crate) fn replace_in(
    folder: Folder,
    name: &OsStr,
    path: &Path,
    bytes: &[u8],
) -> io::Result<()> {
    let old = folder.look(name)?;
    let old = old.filter(|old| FileType::from_raw_mode(old.st_mode).is_file());
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(".new");
    folder.remove(&temporary)?;
    before(Step::Create, path)?;
    let file = folder.new_file(&temporary, USERS)?;
    let unnamed = Unnamed { folder, temporary, name, path, file, is_named: false };
    if let Some(old) = old {
        rustix::fs::fchmod(&unnamed.file, Mode::from_raw_mode(old.st_mode & 0o777))?;
    }
    unnamed.filled(bytes)?.replace()
}

/// Makes a user's file in one step, as [`replace_atomically`] does. What is there stays, and is an error of that kind.
pub(crate) fn create_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (folder, name) = own::parent(path)?;
    // A folder that cannot be written to need not be, where nothing is to be made in it.
    if folder.look(name)?.is_some() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    Unnamed::of(folder, name, path, USERS)?.filled(bytes)?.add()
}

/// A file that has no name of its own yet. It is removed again unless it gets one.
pub(crate) struct Unnamed<'p> {
    folder: Folder,
    temporary: OsString,
    name: &'p OsStr,
    path: &'p Path,
    file: File,
    is_named: bool,
}

impl<'p> Unnamed<'p> {
    /// Begins a file that is for its owner alone.
    pub(crate) fn begin(path: &'p Path) -> io::Result<Self> {
        let (folder, name) = own::parent(path)?;
        Self::of(folder, name, path, OWNERS)
    }

    fn of(folder: Folder, name: &'p OsStr, path: &'p Path, mode: Mode) -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        before(Step::Create, path)?;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let mut temporary = OsString::from(".");
            temporary.push(name);
            temporary.push(format!(".{}-{count}.new", std::process::id()));
            match folder.new_file(&temporary, mode) {
                Ok(file) => {
                    return Ok(Self { folder, temporary, name, path, file, is_named: false });
                }
                // A process that had our number was cut off.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the file, for those who have it filled by others.
    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    fn filled(mut self, bytes: &[u8]) -> io::Result<Self> {
        faults::write_all(&mut self.file, self.path, bytes)?;
        Ok(self)
    }

    /// Names the file, in place of what has it.
    pub(crate) fn replace(mut self) -> io::Result<()> {
        self.settle()?;
        self.folder.rename(&self.temporary, &self.folder, self.name, self.path)?;
        self.is_named = true;
        self.folder.sync(self.path)
    }

    /// Names the file, which must be free.
    fn add(mut self) -> io::Result<()> {
        self.settle()?;
        self.folder.rename_to_free(&self.temporary, self.name, self.path)?;
        self.is_named = true;
        self.folder.sync(self.path)
    }

    /// Brings what is in it onto the disk.
    fn settle(&self) -> io::Result<()> {
        before(Step::Sync, self.path)?;
        self.file.sync_all()
    }
}

impl Drop for Unnamed<'_> {
    fn drop(&mut self) {
        if !self.is_named {
            // If that fails too, it is left beside what has its name, and does no harm.
            let _ = self.folder.remove(&self.temporary);
        }
    }
}

/// Moves a folder or a file to another place below the same folder, in one step; the folders that lead there are made.
pub(crate) fn move_within(root: &Path, from: &Path, to: &Path) -> io::Result<()> {
    let root = Folder::open(root)?;
    let ((old, name), (new, target)) = (own::split(from)?, own::split(to)?);
    let (old, new) = (root.below(old)?, root.made(new)?);
    old.rename(name, &new, target, to)?;
    new.sync(to)?;
    old.sync(from)
}

/// Brings a folder onto the disk: which files are in it, by which names.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    Folder::open(folder)?.sync(folder)
}

/// Makes a folder and those that lead to it; one that is there already stays as it is.
///
/// The name of each that is new is on the disk when this returns: what is in a folder is lost with it.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    make_folder_for(folder, Mode::from_raw_mode(0o777))
}

/// Makes a folder as [`make_folder`] does, for its owner alone.
pub(crate) fn make_private_folder(folder: &Path) -> io::Result<()> {
    make_folder_for(folder, Mode::from_raw_mode(0o700))
}

fn make_folder_for(folder: &Path, mode: Mode) -> io::Result<()> {
    match Folder::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        opened => return opened.map(drop),
    }
    let parent = folder.parent().filter(|parent| *parent != Path::new(""));
    let parent = parent.unwrap_or(Path::new("."));
    make_folder_for(parent, mode)?;
    let name = folder.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Folder::open(parent)?.made_for(Path::new(name), mode).map(drop)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_user_s_file_keeps_its_readers_and_what_a_crash_left_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("CHANGELOG.md");
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::write(folder.path().join(".CHANGELOG.md.new"), "half").unwrap();

        replace_atomically(&path, b"one").unwrap();
        assert_eq!(mode(&path), mode(&plain), "as any file that the user writes");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        replace_atomically(&path, b"two").unwrap();
        assert_eq!(mode(&path), 0o640);
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("CHANGELOG.md", &path).unwrap();
        replace_atomically(&path, b"three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three", "in place of a link to itself");
        assert_eq!(mode(&path), mode(&plain));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left over");
    }

    #[test]
    fn what_is_there_is_not_replaced_by_what_is_only_to_be_made() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        create_atomically(&path, b"one").unwrap();
        let error = create_atomically(&path, b"two").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        let (plain, link) = (folder.path().join("plain"), folder.path().join("link"));
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), mode(&plain), "as any file that the user writes");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert!(create_atomically(&link, b"two").is_err(), "a link is something too");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left over");
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        for text in ["old", "new"] {
            write_atomically(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_folder_is_made_with_those_that_lead_to_it_and_one_that_is_there_stays() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("a/b/c");
        for _ in 0..2 {
            make_folder(&folder).unwrap();
            fs::write(folder.join("file"), "x").unwrap();
        }
        assert!(make_folder(&folder.join("file/d")).is_err(), "a file leads nowhere");
        assert!(make_folder(&folder.join("file")).is_err(), "a file is no folder");
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("state.json");
        fs::create_dir(&target).unwrap();
        assert!(write_atomically(&target, b"new").is_err(), "a folder is not replaced");
        assert!(target.is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
        assert!(write_atomically(&folder.path().join("none/state.json"), b"new").is_err());
    }
}
