//! Writing a file so that it is always whole: the old one or the new one, also after a crash.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::NamedTempFile;

use super::faults::{self, Step, before};

/// Puts a file in place in one step, readable by its owner alone.
///
/// The bytes are on the disk before the file has its name, and the name is on the disk when this returns.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    before(Step::Create, path)?;
    put(NamedTempFile::new_in(folder_of(path))?, path, bytes)
}

/// Replaces a user's file in one step, as [`write_atomically`] does. The new one may be read by whoever might read
/// the old one; where there was none, or a link, by whoever may read what the user writes.
///
/// Until it has its name it is called `.NAME.new`: what a crash leaves is overwritten when the step is done again,
/// so no two processes may write the same file at once.
pub(crate) fn replace_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().display();
    let permissions = match fs::symlink_metadata(path) {
        Ok(old) if !old.is_symlink() => old.permissions(),
        // A link is replaced wherever it leads, also if it leads to itself.
        Ok(_) => Permissions::from_mode(0o666),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Permissions::from_mode(0o666),
        Err(error) => return Err(error),
    };
    let folder = folder_of(path);
    let prefix = format!(".{name}");
    match fs::remove_file(folder.join(format!("{prefix}.new"))) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".new").rand_bytes(0).permissions(permissions);
    before(Step::Create, path)?;
    put(builder.tempfile_in(folder)?, path, bytes)
}

/// Makes a user's file in one step, as [`replace_atomically`] does. What is there stays, and is an error of that kind.
#[expect(clippy::disallowed_methods, reason = "this is the atomic writer")]
pub(crate) fn create_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A folder that cannot be written to need not be, where nothing is to be made in it.
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let mut builder = tempfile::Builder::new();
    builder.permissions(Permissions::from_mode(0o666));
    before(Step::Create, path)?;
    let file = filled(builder.tempfile_in(folder_of(path))?, path, bytes)?;
    file.persist_noclobber(path)?;
    sync_folder(folder_of(path))
}

/// Fills a file and gives it its name; it is removed again if anything fails before it has it.
#[expect(clippy::disallowed_methods, reason = "this is the atomic writer")]
fn put(file: NamedTempFile, path: &Path, bytes: &[u8]) -> io::Result<()> {
    filled(file, path, bytes)?.persist(path)?;
    sync_folder(folder_of(path))
}

/// Fills a file, and brings what is in it onto the disk.
fn filled(mut file: NamedTempFile, path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    faults::write_all(&mut file, path, bytes)?;
    before(Step::Sync, path)?;
    file.as_file().sync_all()?;
    before(Step::Rename, path)?;
    Ok(file)
}

/// Brings a folder onto the disk: which files are in it, by which names.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    sync_file(folder)
}

/// Brings a file onto the disk that somebody else has written; its name is the folder's.
pub(crate) fn sync_file(path: &Path) -> io::Result<()> {
    before(Step::Sync, path)?;
    File::open(path)?.sync_all()
}

/// Makes a folder and those that lead to it; one that is there already stays as it is.
///
/// The name of each that is new is on the disk when this returns: what is in a folder is lost with it.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder_of(folder);
    make_folder(parent)?;
    before(Step::Create, folder)?;
    match fs::create_dir(folder) {
        // Somebody else was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    sync_folder(parent)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
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
