//! What the user has trusted, in one file of the state folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::state_dir::{ensure_state_dir, state_dir};
use crate::cli::{Failure, Kind, Outcome, PathContext as _};
use crate::config::Fingerprint;
use crate::files::write_atomically;

/// The version of the file that is written; others are refused.
const VERSION: u64 = 1;

/// How many fingerprints are kept per project, the latest ones: a user who switches between branches is not asked every
/// time.
const MOST_KEPT: usize = 16;

/// The file.
#[derive(Debug, Deserialize, Serialize)]
struct Ledger {
    version: u64,
    /// The trusted fingerprints of each project, the latest last, by the project's root.
    projects: BTreeMap<String, Vec<Fingerprint>>,
}

/// Returns the trusted fingerprints of a project, the latest last.
pub(super) fn trusted(root: &Path) -> Outcome<Vec<Fingerprint>> {
    let mut ledger = read(&file(&state_dir()?))?;
    Ok(ledger.projects.remove(&key(root)?).unwrap_or_default())
}

/// Records a trusted fingerprint of a project.
pub(crate) fn trust(root: &Path, fingerprint: Fingerprint) -> Outcome {
    let key = key(root)?;
    change(|projects| {
        let kept = projects.entry(key).or_default();
        kept.retain(|old| *old != fingerprint);
        kept.push(fingerprint);
        let surplus = kept.len().saturating_sub(MOST_KEPT);
        kept.drain(..surplus);
    })
}

/// Forgets a project, and returns whether it was known.
pub(super) fn revoke(root: &Path) -> Outcome<bool> {
    let key = key(root)?;
    change(|projects| projects.remove(&key).is_some())
}

/// Changes the file, one process at a time.
fn change<T>(action: impl FnOnce(&mut BTreeMap<String, Vec<Fingerprint>>) -> T) -> Outcome<T> {
    let folder = ensure_state_dir()?;
    let lock = folder.join("trust.lock");
    #[expect(clippy::disallowed_methods, reason = "a lock holds nothing")]
    let locked = File::create(&lock).and_then(|lock| lock.lock().map(|()| lock));
    let _held = locked.or_fail("cannot lock", &lock)?;
    let path = file(&folder);
    let mut ledger = read(&path)?;
    let result = action(&mut ledger.projects);
    let text = serde_json::to_vec_pretty(&ledger)
        .map_err(|error| Failure::new(Kind::Bug, format!("cannot write JSON: {error}")))?;
    write_atomically(&path, &text).or_fail("cannot write", &path)?;
    Ok(result)
}

fn read(path: &Path) -> Outcome<Ledger> {
    let read = File::open(path).and_then(|mut file| {
        let (about, mut bytes) = (file.metadata()?, Vec::new());
        file.read_to_end(&mut bytes)?;
        Ok((about, bytes))
    });
    let (about, bytes) = match read {
        Ok(read) => read,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Ledger { version: VERSION, projects: BTreeMap::new() });
        }
        Err(error) => return Err(Failure::io("cannot read", path, &error)),
    };
    let refused = |why: String| {
        let message = format!("`{}` {why}, so nothing is trusted", path.display());
        Failure::precondition(
            message,
            "remove it, and trust your projects again with `agentd trust`",
        )
    };
    if about.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused("belongs to another user".to_owned()));
    }
    if about.mode() & 0o022 != 0 {
        return Err(refused("can be written by others".to_owned()));
    }
    let value: serde_json::Value =
        serde_json::from_slice(&bytes).map_err(|error| refused(format!("is invalid ({error})")))?;
    match value["version"].as_u64() {
        Some(VERSION) => {
            serde_json::from_value(value).map_err(|error| refused(format!("is invalid ({error})")))
        }
        Some(other) => Err(refused(format!("was written by another agentd, in version {other}"))),
        None => Err(refused("has no version".to_owned())),
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("trust.json")
}

/// Names a project by its root, however it was reached.
fn key(root: &Path) -> Outcome<String> {
    let root = fs::canonicalize(root).or_fail("cannot find", root)?;
    Ok(match root.to_str() {
        Some(text) => text.to_owned(),
        // No path has this form: a path starts with a slash.
        None => format!("bytes:{}", root.as_os_str().as_encoded_bytes().escape_ascii()),
    })
}
