//! What the user has trusted, in one file of the state folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::failure::{Failure, Kind, Outcome};
use super::super::state_folder::{made_state_folder, state_folder};
use crate::config::Fingerprint;
use crate::files::write_atomically;

/// The version of the file that is written; others are refused.
const VERSION: u64 = 1;

/// So many are kept of a project, the latest ones: whoever changes between branches is not asked again and again.
const MOST_KEPT: usize = 16;

/// The file.
#[derive(Debug, Deserialize, Serialize)]
struct Ledger {
    version: u64,
    /// What is trusted of each project, the latest last, by the project's root.
    projects: BTreeMap<String, Vec<Fingerprint>>,
}

/// Gives what is trusted of a project, the latest last.
pub(super) fn trusted(root: &Path) -> Outcome<Vec<Fingerprint>> {
    let mut ledger = read(&file(&state_folder()?))?;
    Ok(ledger.projects.remove(&key(root)?).unwrap_or_default())
}

/// Keeps what is trusted of a project from now on.
pub(in super::super) fn trust(root: &Path, fingerprint: Fingerprint) -> Outcome {
    let key = key(root)?;
    change(|projects| {
        let kept = projects.entry(key).or_default();
        kept.retain(|old| *old != fingerprint);
        kept.push(fingerprint);
        let surplus = kept.len().saturating_sub(MOST_KEPT);
        kept.drain(..surplus);
    })
}

/// Forgets a project, and says whether it was known.
pub(super) fn revoke(root: &Path) -> Outcome<bool> {
    let key = key(root)?;
    change(|projects| projects.remove(&key).is_some())
}

/// Changes the file, one process at a time.
fn change<T>(action: impl FnOnce(&mut BTreeMap<String, Vec<Fingerprint>>) -> T) -> Outcome<T> {
    let folder = made_state_folder()?;
    let lock = folder.join("trust.lock");
    #[expect(clippy::disallowed_methods, reason = "a lock holds nothing")]
    let locked = File::create(&lock).and_then(|lock| lock.lock().map(|()| lock));
    let _held = locked.map_err(|error| Failure::io("cannot lock", &lock, &error))?;
    let path = file(&folder);
    let mut ledger = read(&path)?;
    let result = action(&mut ledger.projects);
    let text = serde_json::to_vec_pretty(&ledger)
        .map_err(|error| Failure::new(Kind::Bug, format!("cannot write JSON: {error}")))?;
    write_atomically(&path, &text).map_err(|error| Failure::io("cannot write", &path, &error))?;
    Ok(result)
}

fn read(path: &Path) -> Outcome<Ledger> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Ledger { version: VERSION, projects: BTreeMap::new() });
        }
        Err(error) => return Err(Failure::io("cannot read", path, &error)),
    };
    let refused = |why: String| {
        let message = format!("`{}` {why}, so nothing is known to be trusted", path.display());
        Failure::new(Kind::Precondition, message)
            .help("remove it, and trust your projects again with `agentd trust`")
    };
    let value: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| refused(format!("is not right ({error})")))?;
    match value["version"].as_u64() {
        Some(VERSION) => serde_json::from_value(value)
            .map_err(|error| refused(format!("is not right ({error})"))),
        Some(other) => Err(refused(format!("was written by another agentd, in version {other}"))),
        None => Err(refused("has no version".to_owned())),
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("trust.json")
}

/// Names a project by its root, however it was reached.
fn key(root: &Path) -> Outcome<String> {
    let root = fs::canonicalize(root).map_err(|error| Failure::io("cannot find", root, &error))?;
    Ok(match root.to_str() {
        Some(text) => text.to_owned(),
        // No path looks like this: one begins with a slash.
        None => format!("bytes:{}", root.as_os_str().as_encoded_bytes().escape_ascii()),
    })
}
