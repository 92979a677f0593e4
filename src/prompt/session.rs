//! The session folder, from which `[[include:…]]` reads, and beyond which it never gets.

use std::io::{self, Read};
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};

use crate::template::{IncludeFault, Includes};

/// The largest file that may be included.
pub const LARGEST_INCLUDE: u64 = 8 << 20;

/// A folder whose files may be included; links and `..` that lead out of it are refused.
#[derive(Debug)]
pub struct Session {
    folder: Dir,
}

impl Session {
    /// Opens a session folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { folder: Dir::open_ambient_dir(path, ambient_authority())? })
    }
}

impl Includes for Session {
    fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        if Path::new(path).is_absolute() {
            return Err(IncludeFault::Outside);
        }
        let mut options = OpenOptions::new();
        // Without blocking, so that opening a pipe returns at once and can be refused.
        options.read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
        let file = match self.folder.open_with(path, &options) {
            Ok(file) => file,
            Err(error) => return absent_or(&error),
        };
        let metadata =
            file.metadata().map_err(|error| IncludeFault::Unreadable(error.to_string()))?;
        if !metadata.is_file() {
            return Err(IncludeFault::NotAFile);
        }
        let mut bytes = Vec::new();
        // A file may grow while it is read, so the limit holds for what is read, not for what it says.
        file.take(LARGEST_INCLUDE + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| IncludeFault::Unreadable(error.to_string()))?;
        if bytes.len() as u64 > LARGEST_INCLUDE {
            return Err(IncludeFault::TooLarge(LARGEST_INCLUDE));
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// Tells a file that is not there from one that may not be read.
fn absent_or(error: &io::Error) -> Result<Option<String>, IncludeFault> {
    match (error.kind(), error.raw_os_error()) {
        (io::ErrorKind::NotFound | io::ErrorKind::NotADirectory, _) => Ok(None),
        // cap-std's own refusal carries no error number of the system.
        (io::ErrorKind::PermissionDenied, None) => Err(IncludeFault::Outside),
        _ if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
            Err(IncludeFault::NotAFile)
        }
        _ => Err(IncludeFault::Unreadable(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn includes_are_confined_to_the_session_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("session");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(folder.path().join("secret"), "secret").unwrap();
        fs::write(root.join("sub/plan.md"), "the plan").unwrap();
        symlink("../../secret", root.join("sub/link")).unwrap();
        symlink("/", root.join("root")).unwrap();
        symlink("plan.md", root.join("sub/inner")).unwrap();
        let session = Session::open(&root).unwrap();

        assert_eq!(session.read("sub/plan.md"), Ok(Some("the plan".to_owned())));
        assert_eq!(session.read("sub/inner"), Ok(Some("the plan".to_owned())));
        assert_eq!(session.read("sub/none.md"), Ok(None));
        assert_eq!(session.read("sub/plan.md/x"), Ok(None));
        for outside in
            ["../secret", "sub/../../secret", "/etc/passwd", "sub/link", "root/etc/passwd"]
        {
            assert_eq!(session.read(outside), Err(IncludeFault::Outside), "{outside}");
        }
        assert_eq!(session.read("sub"), Err(IncludeFault::NotAFile));
    }

    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let status = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
        assert!(status.unwrap().success());
        let sparse = fs::File::create(folder.path().join("sparse")).unwrap();
        sparse.set_len(1 << 30).unwrap();
        fs::write(folder.path().join("latin"), b"caf\xe9").unwrap();
        let session = Session::open(folder.path()).unwrap();

        assert_eq!(session.read("pipe"), Err(IncludeFault::NotAFile));
        assert_eq!(session.read("sparse"), Err(IncludeFault::TooLarge(LARGEST_INCLUDE)));
        assert_eq!(session.read("latin"), Ok(Some("caf\u{fffd}".to_owned())));
    }
}
