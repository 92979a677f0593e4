//! A folder of a run that stands in for one of the user's: links to what is there, and settings that hold one more. Nothing
//! of the user's is written.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::comments::without_comments;
use super::error::ProcessError;
use crate::files::own;
use crate::files::{faults, make_private_folder, read_small};
use crate::models::run::Overlay;

/// Makes the folder at a place where there is nothing.
pub(super) fn lay(overlay: &Overlay, at: &Path) -> Result<(), ProcessError> {
    let Overlay { from, settings, shown, .. } = overlay;
    let from = std::path::absolute(from);
    let from = from.map_err(|error| ProcessError::io("cannot find", &overlay.from, error))?;
    let text = settled(overlay, &from.join(settings))?;
    let within = settings.parent().unwrap_or(Path::new(""));
    let folder = at.join(within);
    make_private_folder(&folder)
        .map_err(|error| ProcessError::io("cannot create", &folder, error))?;
    for name in names(&from.join(within)) {
        let path = within.join(name);
        if path != *settings {
            link(&from.join(&path), &at.join(&path))?;
        }
    }
    for path in shown {
        if fs::symlink_metadata(from.join(path)).is_ok() {
            link(&from.join(path), &at.join(path))?;
        }
    }
    let path = at.join(settings);
    let written = own::create(&path)
        .and_then(|mut file| faults::write_all(&mut file, &path, text.as_bytes()));
    written.map_err(|error| ProcessError::io("cannot write", &path, error))
}

/// Returns the user's settings with one more. Settings that nobody may read count for nothing, for the agent could not read
/// them either.
fn settled(overlay: &Overlay, path: &Path) -> Result<String, ProcessError> {
    let wrong = |reason: String| ProcessError::Settings { path: path.to_owned(), reason };
    let text = match read_small(path) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Vec::new(),
        Err(error) => return Err(ProcessError::io("cannot read", path, error)),
    };
    let text = String::from_utf8(text).map_err(|_| wrong("it is not UTF-8".to_owned()))?;
    let text = without_comments(text.trim_start_matches('\u{feff}'));
    let mut settings: Map<String, Value> = if text.trim().is_empty() {
        Map::new()
    } else {
        serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?
    };
    if let Some((last, folders)) = overlay.key.split_last() {
        let mut place = &mut settings;
        for key in folders {
            let entry = place.entry(key.clone()).or_insert_with(|| Map::new().into());
            place =
                entry.as_object_mut().ok_or_else(|| wrong(format!("`{key}` is not an object")))?;
        }
        place.insert(last.clone(), overlay.value.clone());
    }
    Ok(Value::Object(settings).to_string())
}

/// Lists a folder; one that cannot be read shows nothing.
fn names(folder: &Path) -> Vec<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).collect()
}

fn link(to: &PathBuf, at: &Path) -> Result<(), ProcessError> {
    symlink(to, at).map_err(|error| ProcessError::io("cannot make the link", at, error))
}
