//! Removing a folder with all that is in it, however deep that is and whatever rights it lacks: an agent may have filled it so that
//! it stays.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::folder::{FOLDER, Folder, Kind};

/// How many folders are open at a time. What lies deeper is brought up first.
const DEEPEST: usize = 32;

/// A folder that is being emptied.
struct Open {
    folder: Folder,
    /// Its name in the folder above.
    name: OsString,
    left: Vec<(OsString, Kind)>,
}

impl Folder {
    /// Removes whatever is at a name of this folder, a folder with all that is in it; nothing is none.
    pub(crate) fn clear(&self, name: &OsStr) -> io::Result<()> {
        let Some(top) = self.opened_to_owner(name)? else { return self.remove(name) };
        let mut brought_up = 0;
        loop {
            let left = top.entries()?;
            if left.is_empty() {
                return self.remove_empty(name);
            }
            top.empty(left, &mut brought_up)?;
        }
    }

    /// Removes what is in this folder, and brings up into it what lies too deep.
    fn empty(&self, left: Vec<(OsString, Kind)>, brought_up: &mut u64) -> io::Result<()> {
        let folder = Self { handle: self.handle.try_clone()? };
        let mut open = vec![Open { folder, name: OsString::new(), left }];
        loop {
            let depth = open.len();
            let Some(last) = open.last_mut() else { return Ok(()) };
            let Some((name, kind)) = last.left.pop() else {
                let done = open.pop();
                if let (Some(done), Some(above)) = (done, open.last()) {
                    above.folder.remove_empty(&done.name)?;
                }
                continue;
            };
            let within = match kind {
                Kind::Folder => last.folder.opened_to_owner(&name)?,
                Kind::File | Kind::Other => None,
            };
            let Some(folder) = within else {
                last.folder.remove(&name)?;
                continue;
            };
            let left = folder.entries()?;
            if left.is_empty() {
                last.folder.remove_empty(&name)?;
            } else if depth < DEEPEST {
                open.push(Open { folder, name, left });
            } else {
                last.folder.rename(&name, self, &self.free_name(brought_up)?, Path::new(&name))?;
            }
        }
    }

    /// Returns a name that nothing has in this folder.
    fn free_name(&self, number: &mut u64) -> io::Result<OsString> {
        loop {
            *number += 1;
            let name = OsString::from(number.to_string());
            if self.look(&name)?.is_none() {
                return Ok(name);
            }
        }
    }

    fn remove_empty(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::REMOVEDIR)?)
    }

    /// Opens a folder of this one and lets its owner do everything in it: whoever made it may have taken that right away. What is no
    /// folder is `None`.
    fn opened_to_owner(&self, name: &OsStr) -> io::Result<Option<Self>> {
        let open =
            || rustix::fs::openat(&self.handle, name, OFlags::RDONLY | FOLDER, Mode::empty());
        let handle = match open() {
            Err(Errno::NOTDIR | Errno::LOOP | Errno::MLINK | Errno::NOENT) => return Ok(None),
            Err(Errno::ACCESS) => {
                self.set_mode(name, Mode::RWXU)?;
                open()?
            }
            opened => opened?,
        };
        if !Mode::from_raw_mode(rustix::fs::fstat(&handle)?.st_mode).contains(Mode::RWXU) {
            rustix::fs::fchmod(&handle, Mode::RWXU)?;
        }
        Ok(Some(Self { handle }))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::thread;

    use rustix::fs::mkdirat;

    use super::super::clear;
    use super::*;

    /// Makes folders one in another, more than a path has letters.
    fn dig(from: &Path, depth: usize) {
        let mut folder = Folder::open(from).unwrap();
        for _ in 0..depth {
            mkdirat(&folder.handle, "1", Mode::RWXU).unwrap();
            mkdirat(&folder.handle, "2", Mode::RWXU).unwrap();
            folder = folder.below(Path::new("1")).unwrap();
        }
    }

    #[test]
    fn a_folder_is_removed_however_deep_it_is() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("deep");
        fs::create_dir_all(path.join("1/2/3")).unwrap();
        fs::write(path.join("1/2/file"), "x").unwrap();
        fs::write(outer.path().join("kept"), "x").unwrap();
        std::os::unix::fs::symlink("../kept", path.join("link")).unwrap();
        dig(&path.join("1/2/3"), 5000);
        // As much as a stack has that others have used.
        let small = thread::Builder::new().stack_size(256 << 10);
        small.spawn(move || clear(&path)).unwrap().join().unwrap().unwrap();
        let left: Vec<_> =
            fs::read_dir(outer.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, ["kept"]);
    }
}
