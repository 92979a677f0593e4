//! A folder that is open, and what is done with the names in it.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::refused::{Reason, Refused};
use crate::files::faults::{Step, before};

/// How often something is put in a place where others put something else each time.
const MOST_TRIES: u32 = 1000;

/// Passes through a folder, for which no right to list it is needed.
#[cfg(target_os = "linux")]
pub(super) const PASS: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const PASS: OFlags = OFlags::RDONLY;

pub(super) const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const FILE: OFlags =
    OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// What an entry of a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Folder,
    File,
    /// A link, a pipe, a socket or a device.
    Other,
}

/// A folder that is open, to which no link led.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(super) handle: OwnedFd,
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

impl From<Folder> for File {
    fn from(folder: Folder) -> Self {
        folder.handle.into()
    }
}

impl Folder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        #[cfg(target_os = "macos")]
        let path = &without_system_links(path);
        Ok(Self { handle: walk(CWD, path, Dots::Followed)? })
    }

    /// Opens the folder that a project is in. A person named it, and may have done so by a link.
    pub(crate) fn of_project(root: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { handle: rustix::fs::open(root, flags, Mode::empty())? })
    }

    /// Opens a folder below this one.
    pub(crate) fn below(&self, path: &Path) -> io::Result<Self> {
        let handle = match at_once(&self.handle, path) {
            Some(handle) => handle,
            // It is not there, or not as it must be: this says what is the matter.
            None => walk(self.handle.as_fd(), path, Dots::Refused)?,
        };
        Ok(Self { handle })
    }

    /// Opens a folder below this one, which is made if it is not there, with those that lead to it: their names are on
    /// the disk then.
    pub(crate) fn made(&self, path: &Path) -> io::Result<Self> {
        self.made_for(path, Mode::from_raw_mode(0o777))
    }

    /// Opens a folder below this one as [`Self::made`] does. What is made of it is for whom `mode` says.
    pub(in crate::files) fn made_for(&self, path: &Path, mode: Mode) -> io::Result<Self> {
        match self.below(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        let (parent, name) = split(path)?;
        let parent = self.made_for(parent, mode)?;
        before(Step::Create, path)?;
        match rustix::fs::mkdirat(&parent, name, mode) {
            // Somebody else was faster.
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        parent.sync(path)?;
        parent.below(Path::new(name))
    }

    /// Opens a file below this folder to be read.
    pub(crate) fn file(&self, path: &Path) -> io::Result<File> {
        let (parent, name) = split(path)?;
        if parent == Path::new("") {
            return opened(self.handle.as_fd(), name, OFlags::RDONLY);
        }
        let inner = self.below(parent)?;
        opened(inner.handle.as_fd(), name, OFlags::RDONLY)
    }

    /// Opens a file of this folder as the flags say.
    pub(super) fn file_at(&self, name: &OsStr, flags: OFlags) -> io::Result<File> {
        opened(self.handle.as_fd(), name, flags)
    }

    /// Makes a folder at a name of this folder where there is nothing, for its owner alone.
    pub(crate) fn new_folder(&self, name: &OsStr, path: &Path) -> io::Result<()> {
        before(Step::Create, path)?;
        Ok(rustix::fs::mkdirat(&self.handle, name, Mode::from_raw_mode(0o700))?)
    }

    /// Looks at what stands at a name of this folder, following nothing; nothing is `None`.
    pub(crate) fn look(&self, name: &OsStr) -> io::Result<Option<Stat>> {
        match rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stat)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns how large what stands below this folder is, following nothing; what cannot be reached is nothing.
    pub(crate) fn size(&self, path: &Path) -> io::Result<u64> {
        let (parent, name) = split(path)?;
        let stat = match self.below(parent) {
            Ok(folder) => folder.look(name)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // Whoever opens it is told.
            Err(error) if Refused::is_in_the_way(&error) => None,
            Err(error) => return Err(error),
        };
        Ok(stat.map_or(0, |stat| u64::try_from(stat.st_size).unwrap_or(0)))
    }

    /// Refuses what stands at a name of this folder unless it is a regular file that has one name, or nothing.
    pub(crate) fn refuse_unless_file(&self, name: &OsStr) -> io::Result<()> {
        self.look(name)?.map_or(Ok(()), |stat| refuse(&stat))
    }

    /// Makes a file at a name of this folder where there is nothing.
    pub(in crate::files) fn new_file(&self, name: &OsStr, mode: Mode) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | FILE;
        Ok(File::from(rustix::fs::openat(&self.handle, name, flags, mode)?))
    }

    /// Moves what is at a name of this folder to a name of another, in place of what has that; `path` is what it is
    /// announced by.
    pub(crate) fn rename(
        &self,
        name: &OsStr,
        to: &Self,
        new: &OsStr,
        path: &Path,
    ) -> io::Result<()> {
        before(Step::Rename, path)?;
        Ok(rustix::fs::renameat(&self.handle, name, &to.handle, new)?)
    }

    /// Renames what is at a name of this folder to another name in it, which must be free.
    pub(in crate::files) fn rename_to_free(
        &self,
        name: &OsStr,
        new: &OsStr,
        path: &Path,
    ) -> io::Result<()> {
        before(Step::Rename, path)?;
        let (from, to) = (&self.handle, &self.handle);
        #[cfg(target_os = "linux")]
        match rustix::fs::renameat_with(from, name, to, new, rustix::fs::RenameFlags::NOREPLACE) {
            // Not every file system can do that.
            Err(Errno::INVAL | Errno::NOSYS) => {}
            renamed => return Ok(renamed?),
        }
        rustix::fs::linkat(from, name, to, new, AtFlags::empty())?;
        self.remove(name)
    }

    /// Removes a file or a link from this folder; nothing is none.
    pub(crate) fn remove(&self, name: &OsStr) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.handle, name, AtFlags::empty()) {
            Err(error) if error != Errno::NOENT => Err(error.into()),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Gives the folder at a name of this one another mode.
    pub(super) fn set_mode(&self, name: &OsStr, mode: Mode) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            // By its number, since no link must be followed.
            let folder = rustix::fs::openat(&self.handle, name, PASS | FOLDER, Mode::empty())?;
            let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
            rustix::fs::chmod(path, mode)?;
        }
        #[cfg(not(target_os = "linux"))]
        rustix::fs::chmodat(&self.handle, name, mode, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(())
    }

    /// Puts what has a name in this folder in the place of what has a name in another, if anything has: that gets a name in this
    /// one. Whatever others put there at any moment, no link is followed, and nothing is written through one.
    pub(crate) fn exchange(&self, name: &OsStr, with: &Self, other: &OsStr) -> io::Result<()> {
        before(Step::Rename, Path::new(other))?;
        let open_both = || self.open_up(name).and_then(|()| with.open_up(other));
        #[cfg(target_os = "linux")]
        for _ in 0..MOST_TRIES {
            use rustix::fs::{RenameFlags, renameat_with};
            let renamed = |flags| renameat_with(&self.handle, name, &with.handle, other, flags);
            match renamed(RenameFlags::EXCHANGE) {
                Err(Errno::NOENT) => {}
                // A folder that is moved must be one that its owner may change.
                Err(Errno::ACCESS) => open_both()?,
                // Not every file system can do that.
                Err(Errno::INVAL | Errno::NOSYS) => break,
                done => return Ok(done?),
            }
            match renamed(RenameFlags::NOREPLACE) {
                Err(Errno::EXIST) => {}
                Err(Errno::ACCESS) => open_both()?,
                Err(Errno::INVAL | Errno::NOSYS) => break,
                done => return Ok(done?),
            }
        }
        for number in 0..MOST_TRIES {
            let old = format!(".old-{number}");
            match rustix::fs::renameat(&with.handle, other, &self.handle, old.as_str()) {
                Ok(()) | Err(Errno::NOENT) => {}
                Err(Errno::ACCESS) => {
                    open_both()?;
                    continue;
                }
                Err(error) => return Err(error.into()),
            }
            match rustix::fs::renameat(&self.handle, name, &with.handle, other) {
                Err(Errno::EXIST | Errno::ISDIR | Errno::NOTDIR | Errno::NOTEMPTY) => {}
                done => return Ok(done?),
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Brings onto the disk which names are in the folder; `path` is what it is announced by.
    pub(crate) fn sync(&self, path: &Path) -> io::Result<()> {
        before(Step::Sync, path)?;
        Ok(rustix::fs::fsync(&self.handle)?)
    }
}

/// Spells out the links that macOS itself has in `/`: temporary folders lie behind one.
#[cfg(any(test, target_os = "macos"))]
fn without_system_links(path: &Path) -> PathBuf {
    match ["var", "tmp", "etc"].iter().find(|name| path.starts_with(Path::new("/").join(name))) {
        Some(_) => Path::new("/private").join(path.strip_prefix("/").unwrap_or(path)),
        None => path.to_owned(),
    }
}

/// Takes the last name off a path.
pub(crate) fn split(path: &Path) -> io::Result<(&Path, &OsStr)> {
    let is_here = path.components().all(|part| part == Component::CurDir);
    let reason = if is_here { Reason::NotAFile } else { Reason::Outside };
    let name = path.file_name().ok_or_else(|| Refused::because(reason))?;
    // `plan.md/` and `plan.md/.` name a folder.
    if !path.as_os_str().as_encoded_bytes().ends_with(name.as_encoded_bytes()) {
        return Err(Refused::because(Reason::NotAFile));
    }
    Ok((path.parent().unwrap_or(Path::new("")), name))
}

/// Opens a file of a folder, and refuses what is none, or has another name.
fn opened(folder: BorrowedFd<'_>, name: &OsStr, flags: OFlags) -> io::Result<File> {
    let mode = Mode::from_raw_mode(0o666);
    let file = match rustix::fs::openat(folder, name, flags | FILE, mode) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP | Errno::MLINK) => return Err(Refused::because(Reason::Link)),
        // A pipe without a reader, a socket; a folder that was opened for writing.
        Err(Errno::NXIO | Errno::ISDIR) => return Err(Refused::because(Reason::NotAFile)),
        Err(error) => return Err(error.into()),
    };
    refuse(&rustix::fs::fstat(&file)?)?;
    // Whoever gets the file as standard input expects it as any other.
    let kept = rustix::fs::fcntl_getfl(&file)? - OFlags::NONBLOCK;
    rustix::fs::fcntl_setfl(&file, kept)?;
    Ok(file)
}

/// Refuses what is no regular file, or has more names than one.
fn refuse(stat: &Stat) -> io::Result<()> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile if stat.st_nlink > 1 => Err(Refused::because(Reason::Shared)),
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(Refused::because(Reason::Link)),
        _ => Err(Refused::because(Reason::NotAFile)),
    }
}

/// What becomes of `..` in a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dots {
    /// It is the folder above, as people write it.
    Followed,
    /// It leads out.
    Refused,
}

/// Opens a folder below another by one call, if the system can do that and nothing leads out.
#[cfg(target_os = "linux")]
fn at_once(from: &OwnedFd, path: &Path) -> Option<OwnedFd> {
    use rustix::fs::ResolveFlags;
    let leads_down = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if path == Path::new("") || !path.components().all(leads_down) {
        return None;
    }
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    rustix::fs::openat2(from, path, OFlags::RDONLY | FOLDER, Mode::empty(), resolve).ok()
}

#[cfg(not(target_os = "linux"))]
fn at_once(_: &OwnedFd, _: &Path) -> Option<OwnedFd> {
    None
}

/// Goes from folder to folder, each opened by its name in the one before, and gives the last.
fn walk(start: BorrowedFd<'_>, path: &Path, dots: Dots) -> io::Result<OwnedFd> {
    let mut here: Option<OwnedFd> = None;
    let mut so_far = PathBuf::new();
    for component in path.components() {
        so_far.push(component);
        let from = here.as_ref().map_or(start, AsFd::as_fd);
        let name = match component {
            Component::CurDir => continue,
            Component::ParentDir | Component::RootDir if dots == Dots::Followed => {
                component.as_os_str()
            }
            Component::Normal(name) => name,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(Refused::because(Reason::Outside));
            }
        };
        here = Some(match rustix::fs::openat(from, name, PASS | FOLDER, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK) => {
                return Err(no_folder(from, name, so_far));
            }
            Err(error) => return Err(error.into()),
        });
    }
    // The last one is also listed, and brought onto the disk.
    let last = here.as_ref().map_or(start, AsFd::as_fd);
    Ok(rustix::fs::openat(last, ".", OFlags::RDONLY | FOLDER, Mode::empty())?)
}

/// Returns what stands in the place of a folder.
fn no_folder(folder: BorrowedFd<'_>, name: &OsStr, path: PathBuf) -> io::Error {
    let reason = match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => Reason::Link,
            // People make files by mistake, and are told so.
            FileType::RegularFile => return io::ErrorKind::NotADirectory.into(),
            _ => Reason::NotAFolder,
        },
        Err(error) => return error.into(),
    };
    Refused { at: Some(path), reason }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_system_s_own_links_are_spelled_out() {
        for (path, plain) in [
            ("/var/folders/x", "/private/var/folders/x"),
            ("/tmp", "/private/tmp"),
            ("/variety", "/variety"),
            ("/Users/ada/var/x", "/Users/ada/var/x"),
            ("var/x", "var/x"),
        ] {
            assert_eq!(without_system_links(Path::new(path)), Path::new(plain), "{path}");
        }
    }
}
