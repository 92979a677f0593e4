//! Writing a file so that it is always whole: the old one or the new one, also after a crash.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Puts a file in place in one step, readable by its owner alone.
///
/// The bytes are on the disk before the file has its name, and the name is on the disk when this returns.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    };
    // It is removed again if anything fails before it has its name.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

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
