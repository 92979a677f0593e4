//! The documents of a change, or those in the outbox of an agent: files by their names, held in memory.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::own::{self, Kind, Refused};
use crate::files::{make_folder, replace_atomically};
use crate::orchestrator::run_folder::RUNS;

/// Where a change is, written down in its folder; nothing reads it back.
pub(super) const STATE: &str = "state.json";

/// What lies beside documents and is none: it is derived, or was kept of calls by hand.
const OWN: [&str; 2] = [RUNS, STATE];

/// How large the documents of a change may be, all together: they are held in memory, and kept once more on the disk.
const LARGEST: u64 = 256 << 20;

/// The documents of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documents {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

/// The documents of a change are too large to be held.
#[derive(Debug, Error)]
#[error("`{}` ({bytes} bytes) makes the files of the change larger than {} MiB, which is too large to keep", path.display(), LARGEST >> 20)]
struct TooLarge {
    /// The file with which they are.
    path: PathBuf,
    bytes: u64,
}

/// Returns whether an error means that documents are too large to be held, which is no fault of the machine.
pub fn is_too_large(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<TooLarge>()).is_some()
}

impl Documents {
    /// Reads all documents of a folder. Whatever is no plain file is none.
    pub fn read(folder: &Path) -> io::Result<Self> {
        Self::read_where(folder, |_| true)
    }

    /// Reads those documents of a folder whose names are wanted.
    pub fn read_where(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> io::Result<Self> {
        let mut reader = Reader { folder, is_wanted, files: BTreeMap::new(), room: LARGEST };
        for (name, kind) in own::entries(folder)? {
            if !OWN.iter().any(|own| name == *own) {
                reader.collect(Path::new(&name), kind)?;
            }
        }
        Ok(Self { files: reader.files })
    }

    /// Returns the bytes of a document, if it is there.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.files.get(Path::new(path)).map(Vec::as_slice)
    }

    /// Returns the text of a document; one that is not there is empty.
    pub fn text(&self, path: &str) -> String {
        String::from_utf8_lossy(self.bytes(path).unwrap_or_default()).into_owned()
    }

    /// Adds a document, or puts it in another's place.
    pub fn insert(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Adds documents, or puts them in the places of others.
    pub fn extend(&mut self, other: Self) {
        self.files.extend(other.files);
    }

    /// Lists the documents with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()))
    }

    /// Returns whether there is a document of this name.
    pub fn contains(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    /// Returns the documents that are not, or not the same, in another set.
    #[must_use]
    pub fn changed_since(&self, other: &Self) -> Self {
        let changed =
            self.files.iter().filter(|(path, bytes)| other.files.get(*path) != Some(bytes));
        Self { files: changed.map(|(path, bytes)| (path.clone(), bytes.clone())).collect() }
    }

    /// Returns whether documents of which the names are meant differ between two sets.
    pub fn differ(&self, other: &Self, is_meant: impl Fn(&Path) -> bool) -> bool {
        let mut paths = self.files.keys().chain(other.files.keys()).filter(|path| is_meant(path));
        paths.any(|path| self.files.get(path) != other.files.get(path))
    }

    /// Writes all documents below a folder.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        self.files.iter().try_for_each(|(path, bytes)| write(&folder.join(path), bytes))
    }
}

struct Reader<'a, W> {
    folder: &'a Path,
    is_wanted: W,
    files: BTreeMap<PathBuf, Vec<u8>>,
    room: u64,
}

impl<W: Fn(&Path) -> bool> Reader<'_, W> {
    /// Reads the files at and below a name, for as long as there is room for them.
    fn collect(&mut self, name: &Path, kind: Kind) -> io::Result<()> {
        let path = self.folder.join(name);
        match kind {
            // Deeper than a document lies is nothing of anybody's interest.
            Kind::Folder if name.components().count() > own::DEEPEST => {}
            Kind::Folder => {
                for (entry, kind) in own::entries(&path)? {
                    self.collect(&name.join(entry), kind)?;
                }
            }
            Kind::File if (self.is_wanted)(name) && !is_half_written(name) => {
                let file = match own::open(&path) {
                    Err(error)
                        if Refused::is(&error) || error.kind() == io::ErrorKind::NotFound =>
                    {
                        return Ok(());
                    }
                    file => file?,
                };
                let bytes = file.metadata()?.len();
                let too_large = || TooLarge { path: path.clone(), bytes };
                self.room = self
                    .room
                    .checked_sub(bytes)
                    .ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, too_large()))?;
                let mut content = Vec::new();
                file.take(bytes).read_to_end(&mut content)?;
                self.files.insert(name.to_owned(), content);
            }
            Kind::File | Kind::Other => {}
        }
        Ok(())
    }
}

/// Removes what is left of files that a crash kept from being written, wherever in a change's folder that is.
pub fn sweep(change: &Path) -> io::Result<()> {
    let mut folders = vec![(change.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for (name, kind) in own::entries(&folder)? {
            let path = folder.join(&name);
            if kind == Kind::Folder {
                if depth < own::DEEPEST && !OWN.iter().any(|own| name == *own) {
                    folders.push((path, depth + 1));
                }
            } else if is_half_written(&path) {
                own::clear(&path)?;
            }
        }
    }
    Ok(())
}

/// Returns whether a file has the name that one has until it is whole: `.NAME.new`.
pub(super) fn is_half_written(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    is_hidden && path.extension().is_some_and(|ending| ending == "new")
}

/// Writes a document whole, and the folders to it. An error names it, for those who call know only its folder.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let made = path.parent().map_or(Ok(()), make_folder);
    made.and_then(|()| replace_atomically(path, bytes))
        .map_err(|error| Refused::named(&error, "cannot write", path))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("proposal.md"), b"one").unwrap();
        write(&folder.path().join("specs/a.md"), b"a").unwrap();
        write(&folder.path().join("runs/001-plan/stdout"), b"own").unwrap();
        write(&folder.path().join("state.json"), b"own").unwrap();
        folder
    }

    #[test]
    fn documents_are_plain_files_and_nothing_of_agentd_s_own() {
        let folder = folder();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("specs/link.md")).unwrap();
        fs::hard_link(folder.path().join("proposal.md"), folder.path().join("second")).unwrap();
        let documents = Documents::read(folder.path()).unwrap();
        let names: Vec<_> = documents.iter().map(|(path, _)| path.to_owned()).collect();
        assert_eq!(names, [PathBuf::from("specs/a.md")], "a file with two names is no document");
    }

    #[test]
    fn what_was_changed_is_told_from_what_was_not() {
        let folder = folder();
        let before = Documents::read(folder.path()).unwrap();
        write(&folder.path().join("specs/b.md"), b"b").unwrap();
        let now = Documents::read(folder.path()).unwrap();
        let changed = now.changed_since(&before);
        assert_eq!(changed.bytes("specs/b.md"), Some(&b"b"[..]));
        assert!(changed.bytes("proposal.md").is_none());
        assert!(now.differ(&before, |path| path.starts_with("specs")));
        assert!(!now.differ(&before, |path| path == Path::new("proposal.md")));
    }

    #[test]
    fn files_that_are_too_large_together_are_named_and_not_read() {
        let folder = folder();
        let file = fs::File::create(folder.path().join("large.md")).unwrap();
        file.set_len(LARGEST + 1).unwrap();
        let error = Documents::read(folder.path()).unwrap_err();
        assert!(is_too_large(&error) && error.to_string().contains("large.md"), "{error}");
        let read = Documents::read_where(folder.path(), |path| path.starts_with("specs"));
        assert!(read.is_ok(), "what nobody wants may be as large as it likes");
    }

    #[test]
    fn files_that_a_crash_left_half_written_are_swept_and_no_others() {
        let folder = folder();
        for left in [".tasks.md.new", "specs/.a.md.new", "runs/.x.new"] {
            write(&folder.path().join(left), b"half").unwrap();
        }
        sweep(folder.path()).unwrap();
        let is_there = |path: &str| folder.path().join(path).exists();
        assert!(!is_there(".tasks.md.new") && !is_there("specs/.a.md.new"));
        assert!(is_there("runs/.x.new") && is_there("specs/a.md") && is_there("proposal.md"));
    }
}
