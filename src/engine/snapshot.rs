//! The files of a change as they were before a phase: what an agent must not touch is put back, and a phase that was
//! cut off is begun anew from them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::way::{self, folders_to};
use crate::files::faults;
use crate::files::own::{self, Folder, Kind, Refused};
use crate::files::{make_folder, move_within, replace_atomically, sync_file, sync_folder};

/// Where a snapshot is kept in the change's folder.
pub const FOLDER: &str = ".before";

/// What a snapshot is called until it is whole.
pub(super) const UNFINISHED: &str = ".before.new";

/// What is agentd's own in a change's folder, and no part of a snapshot.
const OWN: [&str; 7] =
    ["runs", FOLDER, UNFINISHED, ".lock", "journal.jsonl", "journal.torn", "state.json"];

/// How large the files of a change may be, all together: they are held in memory, and kept once more on the disk.
const LARGEST: u64 = 256 << 20;

/// Says that the files of a change are too large to be held.
#[derive(Debug, Error)]
#[error("`{}` ({bytes} bytes) makes the files of the change larger than {} MiB, which is too much to be kept", path.display(), LARGEST >> 20)]
struct TooLarge {
    /// The file with which they are.
    path: PathBuf,
    bytes: u64,
}

/// Says whether an error is that files are too large to be held, which is no fault of the machine.
pub fn is_too_large(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<TooLarge>()).is_some()
}

/// The files of a change's folder and their bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    files: Files,
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

impl Snapshot {
    /// Takes a snapshot of a change's folder. What is neither a folder nor a file with one name is passed over.
    pub fn take(change: &Path) -> io::Result<Self> {
        let (mut files, mut room) = (Files::new(), LARGEST);
        for (name, kind) in own::entries(change)? {
            if !OWN.iter().any(|own| name == *own) {
                collect(change, Path::new(&name), kind, &mut files, &mut room)?;
            }
        }
        Ok(Self { files })
    }

    /// Reads the snapshot that was kept, which must be there.
    pub fn kept(change: &Path) -> io::Result<Self> {
        let folder = change.join(FOLDER);
        let (mut files, mut room) = (Files::new(), LARGEST);
        for (name, kind) in Folder::open(&folder)?.entries()? {
            collect(&folder, Path::new(&name), kind, &mut files, &mut room)?;
        }
        Ok(Self { files })
    }

    /// Keeps the snapshot in the change's folder, in place of an earlier one. It is there as a whole or not at all.
    pub fn keep(&self, change: &Path) -> io::Result<()> {
        let (folder, unfinished) = (change.join(FOLDER), change.join(UNFINISHED));
        own::clear(&unfinished)?;
        make_folder(&unfinished).map_err(cannot_write(&unfinished))?;
        self.files.iter().try_for_each(|(path, bytes)| lay(&unfinished.join(path), bytes))?;
        sync(&unfinished, |_| true)?;
        own::clear(&folder)?;
        move_within(change, Path::new(UNFINISHED), Path::new(FOLDER)).map_err(cannot_write(&folder))
    }

    /// Removes the snapshot that was kept.
    pub fn forget(change: &Path) -> io::Result<()> {
        own::clear(&change.join(FOLDER))?;
        own::clear(&change.join(UNFINISHED))
    }

    /// Gives the bytes of a file, if it is in the snapshot.
    pub fn bytes(&self, path: &str) -> Option<&[u8]> {
        self.files.get(Path::new(path)).map(Vec::as_slice)
    }

    /// Copies files of the snapshot to another folder; those that are not in it are passed over.
    pub fn copy(&self, folder: &Path, paths: &[PathBuf]) -> io::Result<()> {
        let there = paths.iter().filter_map(|path| Some((path, self.files.get(path)?)));
        // What was copied there before may have been a file where a folder is now.
        there.into_iter().try_for_each(|(path, bytes)| put(folder, path, bytes))
    }

    /// Lists the files that are not in another snapshot as they are in this one: changed, new or gone.
    pub fn differences(&self, other: &Self) -> Vec<PathBuf> {
        let paths = self.files.keys().chain(other.files.keys());
        let mut differ: Vec<_> =
            paths.filter(|path| self.files.get(*path) != other.files.get(*path)).cloned().collect();
        differ.sort();
        differ.dedup();
        differ
    }

    /// Lists the files of another snapshot that cannot stay when files of this one are put back: those that stand where
    /// a folder was, or in a folder that stands where a file was.
    pub fn in_the_way(&self, other: &Self, paths: &[PathBuf]) -> Vec<PathBuf> {
        let ours = paths.iter().filter(|path| self.files.contains_key(*path));
        let ours: BTreeSet<_> = ours.map(PathBuf::as_path).collect();
        let folders: BTreeSet<_> = ours.iter().copied().flat_map(folders_to).collect();
        let is_in_the_way = |file: &&PathBuf| {
            folders.contains(file.as_path()) || folders_to(file).any(|folder| ours.contains(folder))
        };
        other.files.keys().filter(is_in_the_way).cloned().collect()
    }

    /// Puts files back as they are in this snapshot; one that is not in it is removed.
    ///
    /// Nothing is written or removed through a link: an agent may have put one in the place of a folder. Whatever stands
    /// where a folder or a file belongs is removed.
    pub fn put_back<'p>(
        &self,
        change: &Path,
        paths: impl IntoIterator<Item = &'p PathBuf>,
    ) -> io::Result<()> {
        for path in paths {
            match self.files.get(path) {
                Some(bytes) => put(change, path, bytes)?,
                None if way::is_open(change, path)? => own::clear(&change.join(path))?,
                None => {}
            }
        }
        Ok(())
    }
}

/// Removes what is left of files that a crash kept from being written, wherever in a change's folder that is.
pub fn sweep(change: &Path) -> io::Result<()> {
    for (name, kind) in own::entries(change)? {
        let path = change.join(&name);
        if kind == Kind::Folder {
            if !OWN.iter().any(|own| name == *own) {
                sweep(&path)?;
            }
        } else if is_half_written(&path) {
            own::clear(&path)?;
        }
    }
    Ok(())
}

/// Brings onto the disk those files of a change's folder that are chosen, and the folders that they are or were in.
pub fn sync(change: &Path, is_chosen: impl Fn(&Path) -> bool) -> io::Result<()> {
    sync_below(change, Path::new(""), &is_chosen).map(drop)
}

/// Does so for a folder of the change's, and says whether there was anything to do.
fn sync_below(folder: &Path, name: &Path, is_chosen: &dyn Fn(&Path) -> bool) -> io::Result<bool> {
    // That a file is gone is known to its folder alone.
    let mut is_due = is_chosen(&name.join("gone"));
    for (entry, kind) in own::entries(folder)? {
        let (path, name) = (folder.join(&entry), name.join(&entry));
        if OWN.iter().any(|own| name == Path::new(own)) {
            continue;
        }
        if kind == Kind::Folder {
            is_due |= sync_below(&path, &name, is_chosen)?;
        } else if kind == Kind::File && is_chosen(&name) {
            is_due = true;
            synced(&path, sync_file(&path))?;
        }
    }
    if is_due {
        synced(folder, sync_folder(folder))?;
    }
    Ok(is_due)
}

/// Passes over what is gone, for others may be at work in the folder; and what is no file of its own, for nobody reads it.
fn synced(path: &Path, synced: io::Result<()>) -> io::Result<()> {
    match synced {
        Err(error) if error.kind() == io::ErrorKind::NotFound || Refused::is(&error) => Ok(()),
        synced => synced.map_err(cannot_write(path)),
    }
}

/// Says whether a file has the name that one has until it is whole: `.NAME.new`.
pub(super) fn is_half_written(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    is_hidden && path.extension().is_some_and(|ending| ending == "new")
}

/// Reads the files at and below a name in a folder, for as long as there is room for them.
fn collect(
    folder: &Path,
    name: &Path,
    kind: Kind,
    files: &mut Files,
    room: &mut u64,
) -> io::Result<()> {
    let path = folder.join(name);
    match kind {
        Kind::Folder => {
            for (entry, kind) in own::entries(&path)? {
                collect(folder, &name.join(entry), kind, files, room)?;
            }
        }
        Kind::File => {
            let file = match own::open(&path) {
                Err(error) if Refused::is(&error) => return Ok(()),
                file => file?,
            };
            let bytes = file.metadata()?.len();
            let too_large = || TooLarge { path: path.clone(), bytes };
            *room = room
                .checked_sub(bytes)
                .ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, too_large()))?;
            let mut content = Vec::new();
            file.take(bytes).read_to_end(&mut content)?;
            files.insert(name.to_owned(), content);
        }
        Kind::Other => {}
    }
    Ok(())
}

/// Writes a file below a folder, whatever stands in its place or on the way to it.
fn put(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = folder.join(path);
    way::clear(folder, path).map_err(cannot_write(&target))?;
    write(&target, bytes)
}

/// Writes a file whole. An error names it, for those who call know only its folder.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let made = path.parent().map_or(Ok(()), make_folder);
    made.and_then(|()| replace_atomically(path, bytes)).map_err(cannot_write(path))
}

/// Writes a file where there was none, to be brought onto the disk with all others.
fn lay(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let made = path.parent().map_or(Ok(()), make_folder);
    made.and_then(|()| own::create(path))
        .and_then(|mut file| faults::write_all(&mut file, path, bytes))
        .map_err(cannot_write(path))
}

fn cannot_write(path: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| Refused::named(&error, "cannot write", path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn change() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        write(&folder.path().join("proposal.md"), b"one").unwrap();
        write(&folder.path().join("specs/a.md"), b"a").unwrap();
        write(&folder.path().join("runs/001-plan/stdout"), b"own").unwrap();
        write(&folder.path().join("journal.jsonl"), b"own").unwrap();
        folder
    }

    #[test]
    fn what_was_kept_is_what_was_taken_and_what_is_put_back() {
        let folder = change();
        let before = Snapshot::take(folder.path()).unwrap();
        assert_eq!(before.files.len(), 2, "what is agentd's own is left out");
        before.keep(folder.path()).unwrap();
        assert_eq!(Snapshot::kept(folder.path()).unwrap(), before);

        fs::write(folder.path().join("proposal.md"), "two").unwrap();
        fs::remove_dir_all(folder.path().join("specs")).unwrap();
        write(&folder.path().join("new/b.md"), b"b").unwrap();
        let now = Snapshot::take(folder.path()).unwrap();
        let changed = before.differences(&now);
        assert_eq!(changed, ["new/b.md", "proposal.md", "specs/a.md"].map(PathBuf::from));
        let kept = Snapshot::kept(folder.path()).unwrap();
        kept.put_back(folder.path(), &changed).unwrap();
        assert_eq!(Snapshot::take(folder.path()).unwrap(), before);
    }

    #[test]
    fn a_snapshot_that_was_never_finished_is_none_and_is_replaced() {
        let folder = change();
        write(&folder.path().join(UNFINISHED).join("half.md"), b"half").unwrap();
        assert_eq!(Snapshot::kept(folder.path()).unwrap_err().kind(), io::ErrorKind::NotFound);
        let before = Snapshot::take(folder.path()).unwrap();
        before.keep(folder.path()).unwrap();
        assert_eq!(Snapshot::kept(folder.path()).unwrap(), before);
        assert!(!folder.path().join(UNFINISHED).exists());
        Snapshot::forget(folder.path()).unwrap();
        assert!(!folder.path().join(FOLDER).exists());
    }

    #[test]
    fn an_empty_snapshot_is_one_too() {
        let folder = tempfile::tempdir().unwrap();
        Snapshot::default().keep(folder.path()).unwrap();
        assert_eq!(Snapshot::kept(folder.path()).unwrap(), Snapshot::default());
    }

    #[test]
    fn files_that_a_crash_left_half_written_are_swept_and_no_others() {
        let folder = change();
        for left in [".tasks.md.new", "specs/.a.md.new", ".before/.x.new"] {
            write(&folder.path().join(left), b"half").unwrap();
        }
        sweep(folder.path()).unwrap();
        let is_there = |path: &str| folder.path().join(path).exists();
        assert!(!is_there(".tasks.md.new") && !is_there("specs/.a.md.new"));
        assert!(is_there(".before/.x.new") && is_there("specs/a.md") && is_there("proposal.md"));
    }

    #[test]
    fn files_are_put_back_through_no_link_and_in_the_place_of_whatever_is_there() {
        use std::os::unix::fs::symlink;
        let (folder, outside) = (change(), tempfile::tempdir().unwrap());
        let root = folder.path();
        write(&root.join("deep/er/b.md"), b"b").unwrap();
        write(&outside.path().join("a.md"), b"theirs").unwrap();
        let before = Snapshot::take(root).unwrap();
        let all = before.differences(&Snapshot::default());
        for name in ["specs", "deep", "proposal.md"] {
            own::clear(&root.join(name)).unwrap();
        }
        symlink(outside.path(), root.join("specs")).unwrap();
        fs::write(root.join("deep"), "a file where a folder was").unwrap();
        symlink("proposal.md", root.join("proposal.md")).unwrap();
        before.put_back(root, &all).unwrap();
        assert_eq!(Snapshot::take(root).unwrap(), before);
        assert_eq!(fs::read(outside.path().join("a.md")).unwrap(), b"theirs");

        // What was not there is not removed behind a link either.
        own::clear(&root.join("specs")).unwrap();
        symlink(outside.path(), root.join("specs")).unwrap();
        Snapshot::default().put_back(root, &[PathBuf::from("specs/a.md")]).unwrap();
        assert_eq!(fs::read(outside.path().join("a.md")).unwrap(), b"theirs");

        own::clear(&root.join("proposal.md")).unwrap();
        write(&root.join("proposal.md/x"), b"x").unwrap();
        fs::create_dir(root.join(".proposal.md.new")).unwrap();
        let changed = ["proposal.md", "proposal.md/x"].map(PathBuf::from);
        before.put_back(root, &changed).unwrap();
        assert_eq!(fs::read(root.join("proposal.md")).unwrap(), b"one");
    }

    #[test]
    fn files_that_are_too_large_to_be_held_are_named_and_not_read() {
        let folder = change();
        let sparse = fs::File::create(folder.path().join("specs/huge.bin")).unwrap();
        sparse.set_len(5 << 30).unwrap();
        let error = Snapshot::take(folder.path()).unwrap_err();
        assert!(error.to_string().contains("huge.bin"), "{error}");
        assert!(is_too_large(&error));
        sparse.set_len(1 << 20).unwrap();
        Snapshot::take(folder.path()).unwrap();
    }
}
