//! A folder beyond which nothing is read or written: links and `..` that lead out of it are refused, and so is
//! everything that is not a regular file.

use std::fs::File;
use std::io::{self, Read as _, Take};
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt as _};
use rustix::fs::{FileType, RawDir};
use rustix::io::Errno;

use crate::files::faults::{self, Step, before};
use crate::template::IncludeFault;

/// The largest file that is read.
pub const LARGEST_FILE: u64 = 8 << 20;

/// The names of a folder are read in pieces of this size.
const ROOM_FOR_NAMES: usize = 4 << 10;

/// What came of adding a file to a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Appended {
    /// There is no such file.
    Absent,
    /// The file is text, which stands at the end now.
    Text,
    /// The file is no UTF-8; these are its bytes, and nothing was added.
    Bytes(Vec<u8>),
}

/// A folder and what is below it.
#[derive(Debug)]
pub struct ConfinedFolder {
    folder: Dir,
}

impl ConfinedFolder {
    /// Opens a folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: Dir::open_ambient_dir(path, ambient_authority())? })
    }

    /// Reads a text file; one that is not there is `None`. Bytes that are not UTF-8 become U+FFFD.
    pub fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        let bytes = self.read_bytes(path)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Reads a file as it is; one that is not there is `None`.
    pub fn read_bytes(&self, path: &str) -> Result<Option<Vec<u8>>, IncludeFault> {
        let mut bytes = Vec::new();
        let is_there = self.read_into(path, LARGEST_FILE, &mut bytes)?;
        Ok(is_there.then_some(bytes))
    }

    /// Reads a file of at most `limit` bytes in place of what `bytes` holds, and says whether there is one.
    pub fn read_into(
        &self,
        path: &str,
        limit: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<bool, IncludeFault> {
        bytes.clear();
        let Some(mut file) = self.open_file(path, limit)? else { return Ok(false) };
        bytes.reserve(room(&file));
        file.read_to_end(bytes).map_err(|error| fault(&error))?;
        Ok(true)
    }

    /// Adds the text of a file of at most `limit` bytes to the end of `text`, and says what came of it.
    ///
    /// It is read straight into its place: most of what a prompt holds is files, and each copy of them shows.
    pub(super) fn append_text(
        &self,
        path: &str,
        limit: u64,
        text: &mut String,
    ) -> Result<Appended, IncludeFault> {
        let Some(mut file) = self.open_file(path, limit)? else { return Ok(Appended::Absent) };
        text.reserve(room(&file));
        match file.read_to_string(text) {
            Ok(_) => Ok(Appended::Text),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                let mut bytes = Vec::new();
                self.read_into(path, limit, &mut bytes)?;
                Ok(Appended::Bytes(bytes))
            }
            Err(error) => Err(fault(&error)),
        }
    }

    /// Opens a regular file of at most `limit` bytes; one that is not there is `None`.
    ///
    /// What is added to the file from now on is not read, so its size is a bound, and its end need not be looked for.
    fn open_file(&self, path: &str, limit: u64) -> Result<Option<Take<File>>, IncludeFault> {
        if Path::new(path).is_absolute() {
            return Err(IncludeFault::Outside);
        }
        let mut options = OpenOptions::new();
        // Without blocking, so that opening a pipe returns at once and can be refused.
        options.read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        let file = match self.folder.open_with(path, &options) {
            // The file of the standard library reads into memory that nobody has to clear before.
            Ok(file) => file.into_std(),
            Err(error) if is_absent(&error) => return Ok(None),
            Err(error) => return Err(fault(&error)),
        };
        let stat = rustix::fs::fstat(&file).map_err(|error| fault(&error.into()))?;
        if !FileType::from_raw_mode(stat.st_mode).is_file() {
            return Err(IncludeFault::NotAFile);
        }
        let size = u64::try_from(stat.st_size).unwrap_or(0);
        if size > limit {
            return Err(IncludeFault::TooLarge(limit));
        }
        Ok(Some(file.take(size)))
    }

    /// Says whether there is a regular file.
    pub fn has_file(&self, path: &str) -> Result<bool, IncludeFault> {
        // What is in this very folder and is no link can be looked at without opening it.
        let metadata = match self.folder.symlink_metadata(path) {
            Ok(metadata) if metadata.is_symlink() => self.folder.metadata(path),
            looked_at => looked_at,
        };
        match metadata {
            Ok(metadata) => Ok(metadata.is_file()),
            Err(error) if is_absent(&error) => Ok(false),
            Err(error) => Err(fault(&error)),
        }
    }

    /// Opens a folder below this one, beyond which nothing is read either; one that is not there is `None`.
    pub fn below(&self, folder: &str) -> Result<Option<Self>, IncludeFault> {
        match self.folder.open_dir(folder) {
            Ok(folder) => Ok(Some(Self { folder })),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    /// Gives the path of a folder below this one with every link in it followed.
    pub fn resolved(&self, folder: &str) -> Result<PathBuf, IncludeFault> {
        self.folder.canonicalize(folder).map_err(|error| fault(&error))
    }

    /// Lists the entries of a folder whose names end in `ending`, sorted; a folder that is not there is empty.
    pub fn list(&self, folder: &str, ending: &str) -> Result<Vec<String>, IncludeFault> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(rustix::fs::OFlags::DIRECTORY.bits().cast_signed());
        let opened = match self.folder.open_with(folder, &options) {
            Ok(opened) => opened,
            Err(error) if is_absent(&error) => return Ok(Vec::new()),
            Err(error) => return Err(fault(&error)),
        };
        let mut names = Vec::new();
        let mut room = [MaybeUninit::uninit(); ROOM_FOR_NAMES];
        let mut entries = RawDir::new(opened, &mut room);
        while let Some(entry) = entries.next() {
            let entry = entry.map_err(|error| fault(&error.into()))?;
            let name = entry.file_name().to_str().ok().filter(|name| name.ends_with(ending));
            names.extend(name.filter(|name| !matches!(*name, "." | "..")).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// Makes a folder and those that lead to it; one that is there already stays as it is.
    pub fn make(&self, folder: &str) -> io::Result<()> {
        self.open_or_make(Path::new(folder)).map(drop)
    }

    /// Opens a folder, which is made if it is not there, with those that lead to it: their names are on the disk then.
    fn open_or_make(&self, path: &Path) -> io::Result<Dir> {
        // Opened before it is made: to make a folder where a link leads out says only that something is there.
        match self.folder.open_dir(path) {
            Err(error) if is_absent(&error) => {}
            opened => return opened,
        }
        self.folder.create_dir_all(path)?;
        for parent in path.ancestors().skip(1) {
            // The last one is empty, which is this very folder.
            before(Step::Sync, path)?;
            self.folder.open(Path::new(".").join(parent))?.sync_all()?;
        }
        self.folder.open_dir(path)
    }

    /// Puts a file in place in one step, making the folders that lead to it. What stands there and is no regular file,
    /// a link too, is left and refused.
    ///
    /// Until it has its name it is called `.NAME.new`: what a crash leaves is overwritten when the step is done again,
    /// so no two processes may write the same file at once.
    #[expect(clippy::disallowed_methods, reason = "this is the atomic writer of a confined folder")]
    pub fn replace(&self, path: &str, bytes: &[u8]) -> Result<(), IncludeFault> {
        let target = Path::new(path);
        let Some(name) = target.file_name().filter(|_| !target.is_absolute()) else {
            return Err(IncludeFault::Outside);
        };
        // `plan.md/` and `plan.md/.` name a folder.
        if !path.as_bytes().ends_with(name.as_encoded_bytes()) {
            return Err(IncludeFault::NotAFile);
        }
        let parent = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            Some(_) | None => Path::new("."),
        };
        let failed = |error: io::Error| fault(&error);
        let folder = self.open_or_make(parent).map_err(failed)?;
        match folder.symlink_metadata(name) {
            Ok(metadata) if metadata.is_symlink() => return Err(IncludeFault::Outside),
            Ok(metadata) if !metadata.is_file() => return Err(IncludeFault::NotAFile),
            Err(error) if !is_absent(&error) => return Err(fault(&error)),
            Ok(_) | Err(_) => {}
        }
        let unnamed = format!(".{}.new", name.display());
        match folder.remove_file(&unnamed) {
            Err(error) if !is_absent(&error) => return Err(fault(&error)),
            Ok(()) | Err(_) => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        before(Step::Create, target).map_err(failed)?;
        let mut file = folder.open_with(&unnamed, &options).map_err(failed)?;
        let put = faults::write_all(&mut file, target, bytes)
            .and_then(|()| before(Step::Sync, target))
            .and_then(|()| file.sync_all())
            .and_then(|()| before(Step::Rename, target))
            .and_then(|()| folder.rename(&unnamed, &folder, name))
            .and_then(|()| before(Step::Sync, parent))
            .and_then(|()| folder.open(".")?.sync_all());
        put.map_err(|error| {
            // It is removed again if it never had its name; if that fails too, the next one overwrites it.
            let _ = folder.remove_file(&unnamed);
            fault(&error)
        })
    }

    /// Removes a file; one that is not there is none.
    pub fn remove(&self, path: &str) -> Result<(), IncludeFault> {
        match self.folder.remove_file(path) {
            Err(error) if !is_absent(&error) => Err(fault(&error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Says how much room a file needs; where there is very little, its reader looks for the end with a read of its own.
fn room(file: &Take<File>) -> usize {
    usize::try_from(file.limit()).unwrap_or(0).max(32)
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn fault(error: &io::Error) -> IncludeFault {
    match (error.kind(), error.raw_os_error()) {
        // cap-std's own refusal carries no error number of the system.
        (io::ErrorKind::PermissionDenied, None) => IncludeFault::Outside,
        (io::ErrorKind::IsADirectory, _) => IncludeFault::NotAFile,
        _ if error.raw_os_error() == Some(Errno::NXIO.raw_os_error()) => IncludeFault::NotAFile,
        _ => IncludeFault::Unreadable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn reading_and_writing_are_confined_to_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        fs::write(root.join("sub/plan.md"), "the plan").unwrap();
        symlink("../../secret", root.join("sub/link")).unwrap();
        symlink("/", root.join("everything")).unwrap();
        symlink("plan.md", root.join("sub/inner")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        let folder = ConfinedFolder::open(&root).unwrap();

        assert_eq!(folder.read("sub/plan.md"), Ok(Some("the plan".to_owned())));
        assert_eq!(folder.read("sub/inner"), Ok(Some("the plan".to_owned())));
        assert_eq!(folder.read("sub/none.md"), Ok(None));
        assert_eq!(folder.read("sub/plan.md/x"), Ok(None));
        for outside in
            ["../secret", "sub/../../secret", "/etc/passwd", "sub/link", "everything/etc/passwd"]
        {
            assert_eq!(folder.read(outside), Err(IncludeFault::Outside), "{outside}");
            assert_eq!(folder.replace(outside, b"x"), Err(IncludeFault::Outside), "{outside}");
        }
        assert_eq!(folder.list("everything", ""), Err(IncludeFault::Outside));
        assert_eq!(folder.read("sub"), Err(IncludeFault::NotAFile));
        assert_eq!(folder.replace("sub", b"x"), Err(IncludeFault::NotAFile));
        assert!(matches!(folder.read("loop"), Err(IncludeFault::Unreadable(_))));
        assert_eq!(fs::read_to_string(outer.path().join("secret")).unwrap(), "secret");
    }

    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let outer = tempfile::tempdir().unwrap();
        let status = std::process::Command::new("mkfifo").arg(outer.path().join("pipe")).status();
        assert!(status.unwrap().success());
        let sparse = fs::File::create(outer.path().join("sparse")).unwrap();
        sparse.set_len(1 << 30).unwrap();
        fs::write(outer.path().join("latin"), b"caf\xe9").unwrap();
        let folder = ConfinedFolder::open(outer.path()).unwrap();

        assert_eq!(folder.read("pipe"), Err(IncludeFault::NotAFile));
        assert_eq!(folder.replace("pipe", b"x"), Err(IncludeFault::NotAFile));
        assert_eq!(folder.read("sparse"), Err(IncludeFault::TooLarge(LARGEST_FILE)));
        assert_eq!(folder.read("latin"), Ok(Some("caf\u{fffd}".to_owned())));
    }

    #[test]
    fn a_file_is_replaced_in_one_step_and_never_through_a_link() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        symlink("../../secret", root.join("sub/link")).unwrap();
        symlink("plan.md", root.join("sub/inner")).unwrap();
        symlink("..", root.join("up")).unwrap();
        fs::write(root.join("sub/.plan.md.new"), "half").unwrap();
        let folder = ConfinedFolder::open(&root).unwrap();

        for text in ["one", "two"] {
            folder.replace("sub/plan.md", text.as_bytes()).unwrap();
            assert_eq!(folder.read("sub/plan.md"), Ok(Some(text.to_owned())));
        }
        folder.replace("top.md", b"x").unwrap();
        folder.replace("new/folder/a.md", b"x").unwrap();
        for outside in ["sub/link", "sub/inner", "../secret", "up/secret", "/tmp/x", ".."] {
            assert_eq!(folder.replace(outside, b"x"), Err(IncludeFault::Outside), "{outside}");
        }
        for folder_s in ["sub", "top.md/", "top.md/.", "none/"] {
            assert_eq!(folder.replace(folder_s, b"x"), Err(IncludeFault::NotAFile), "{folder_s}");
        }
        assert_eq!(fs::read_to_string(outer.path().join("secret")).unwrap(), "secret");
        assert_eq!(folder.list("sub", ".new"), Ok(Vec::new()), "nothing is left over");
        assert_eq!(folder.remove("../secret"), Err(IncludeFault::Outside));
        folder.remove("sub/plan.md").unwrap();
        folder.remove("sub/plan.md").unwrap();
        assert_eq!(folder.read("sub/plan.md"), Ok(None));
    }

    #[test]
    fn files_are_written_whole_and_listed_sorted() {
        let outer = tempfile::tempdir().unwrap();
        let folder = ConfinedFolder::open(outer.path()).unwrap();
        folder.replace("specs/b.md", b"a longer text").unwrap();
        folder.replace("specs/b.md", b"short").unwrap();
        folder.replace("specs/a.md", b"a").unwrap();
        folder.replace("specs/note.txt", b"n").unwrap();
        assert_eq!(folder.read("specs/b.md"), Ok(Some("short".to_owned())));
        assert_eq!(folder.list("specs", ".md"), Ok(vec!["a.md".to_owned(), "b.md".to_owned()]));
        assert_eq!(folder.list("none", ".md"), Ok(Vec::new()));
    }
}
