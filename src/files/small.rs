//! Reading small files that people write: regular ones, of bounded size, that may be missing.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

/// No such file is read beyond this size.
const LARGEST: u64 = 1 << 20;

/// Reads a file; one that is not there is `None`. A pipe, a device or a folder is an error at once, never waited for.
pub(crate) fn read_small(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(metadata) => {
            let is_folder = metadata.is_dir();
            let kind =
                if is_folder { io::ErrorKind::IsADirectory } else { io::ErrorKind::InvalidInput };
            return Err(io::Error::new(kind, "not a regular file"));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        let message = format!("larger than {LARGEST} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(Some(bytes))
}

/// Returns whether a path can be opened and read as a whole by those who know no bounds: nobody waits, and there is little to read.
#[cfg(feature = "cli")]
pub(crate) fn is_small(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(about) => about.is_dir() || (about.is_file() && about.len() <= LARGEST),
        Err(_) => true,
    }
}

/// Reads a file below a project's `agentd/`, to which no link may lead; one that is not there is `None`.
#[cfg(feature = "cli")]
pub(crate) fn read_small_own(path: &Path) -> io::Result<Option<Vec<u8>>> {
    super::own::read(path, LARGEST)
}

/// The same for those who use only the library, and open no project but their own.
#[cfg(all(feature = "compiler", not(feature = "cli")))]
pub(crate) fn read_small_own(path: &Path) -> io::Result<Option<Vec<u8>>> {
    read_small(path)
}
