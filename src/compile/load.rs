//! Reads a templates folder. The compiler's one file with I/O.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use walkdir::WalkDir;

use super::source::Sources;

/// A templates folder that could not be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read `{}`: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Reads every file of the folder, in the order of their names; hidden files are passed over.
pub fn load(root: &Path) -> Result<Sources, LoadError> {
    if !root.is_dir() {
        let missing = fs::metadata(root).err();
        let source = missing.unwrap_or_else(|| io::ErrorKind::NotADirectory.into());
        return Err(LoadError { path: root.to_owned(), source });
    }
    let real_root =
        root.canonicalize().map_err(|source| LoadError { path: root.to_owned(), source })?;
    let mut sources = Sources::new(root.to_string_lossy().trim_end_matches('/'));
    let hidden = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with('.');
    let entries = WalkDir::new(root)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !hidden(entry.file_name()));
    for entry in entries {
        let entry = entry.map_err(|error| LoadError {
            path: error.path().unwrap_or(root).to_owned(),
            source: error.into(),
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path();
        refuse(path, &real_root).map_err(|source| LoadError { path: path.to_owned(), source })?;
        let bytes = fs::read(path).map_err(|source| LoadError { path: path.to_owned(), source })?;
        let below = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
        sources.add(&below, bytes);
    }
    Ok(sources)
}

// `files::own` is not used here: build scripts compile this file too, and would need its dependency on the system's calls.
// A templates folder is its user's own besides, in which links may lead from one template to another.

/// No template is larger.
const LARGEST: u64 = 8 << 20;

/// Refuses a file that is too large, and a link that leads out of the folder: a clone may bring either along.
fn refuse(path: &Path, root: &Path) -> io::Result<()> {
    if !path.canonicalize()?.starts_with(root) {
        let message = "a link that leads outside the folder";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if fs::metadata(path)?.len() > LARGEST {
        let message = format!("larger than {LARGEST} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(())
}
