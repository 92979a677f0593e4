//! What is done with what is in a folder: listing names, removing what is empty, and letting its owner into it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, RawDir, SeekFrom};
use rustix::io::Errno;

use super::folder::{Folder, Kind};

/// Names in a folder are read in pieces of this size.
const ROOM_FOR_NAMES: usize = 16 << 10;

impl Folder {
    /// Looks at each name in the folder, in no order, and at what has it.
    pub(crate) fn for_each(
        &self,
        mut each: impl FnMut(&OsStr, FileType) -> io::Result<()>,
    ) -> io::Result<()> {
        // It may have been listed before.
        rustix::fs::seek(&self.handle, SeekFrom::Start(0))?;
        let mut room = [MaybeUninit::uninit(); ROOM_FOR_NAMES];
        let mut entries = RawDir::new(&self.handle, &mut room);
        while let Some(entry) = entries.next() {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Not every file system says.
                FileType::Unknown => match self.look(name)? {
                    Some(stat) => FileType::from_raw_mode(stat.st_mode),
                    None => continue,
                },
                kind => kind,
            };
            each(name, kind)?;
        }
        Ok(())
    }

    /// Lists what is in the folder, sorted by name.
    pub(crate) fn entries(&self) -> io::Result<Vec<(OsString, Kind)>> {
        let mut found = Vec::new();
        self.for_each(|name, kind| {
            let kind = match kind {
                FileType::Directory => Kind::Folder,
                FileType::RegularFile => Kind::File,
                _ => Kind::Other,
            };
            found.push((name.to_owned(), kind));
            Ok(())
        })?;
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        Ok(found)
    }

    /// Removes a folder of this one that is empty. Returns whether there is none of that name then.
    pub(crate) fn remove_if_empty(&self, name: &OsStr) -> io::Result<bool> {
        match rustix::fs::unlinkat(&self.handle, name, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => Ok(true),
            Err(Errno::EXIST | Errno::NOTDIR | Errno::NOTEMPTY) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a folder of this one in which its owner may do everything, whatever whoever made it has taken away.
    pub(crate) fn opened_up(&self, name: &OsStr) -> io::Result<Self> {
        self.open_up(name)?;
        self.below(Path::new(name))
    }

    /// Lets the owner do everything in a folder of this one, if it is one.
    pub(super) fn open_up(&self, name: &OsStr) -> io::Result<()> {
        let Some(stat) = self.look(name)? else { return Ok(()) };
        let mode = Mode::from_raw_mode(stat.st_mode);
        if FileType::from_raw_mode(stat.st_mode).is_dir() && !mode.contains(Mode::RWXU) {
            self.set_mode(name, mode | Mode::RWXU)?;
        }
        Ok(())
    }
}
