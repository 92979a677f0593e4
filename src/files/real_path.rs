//! Where a path really leads.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Returns a path in full and without symbolic links, as far as it is there.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    let full = std::path::absolute(path)?;
    for there in full.ancestors() {
        let Ok(real) = fs::canonicalize(there) else { continue };
        let rest = full.strip_prefix(there).unwrap_or(Path::new(""));
        if rest.components().all(|part| matches!(part, Component::Normal(_))) {
            return Ok(if rest == Path::new("") { real } else { real.join(rest) });
        }
        break;
    }
    Err(io::ErrorKind::InvalidInput.into())
}
