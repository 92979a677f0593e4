//! The project's specs as they were when a change was planned, and which of them others have changed since.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::ArchiveError;
use super::place::{SPECS, unusable};
use crate::models::hash::Hash;
use crate::models::spec::SpecName;
use crate::prompt::confined::ConfinedFolder;

/// The hash of each main spec.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Baseline(pub BTreeMap<SpecName, Hash>);

/// A main spec that a change writes, and that is not what it was when the change was planned.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Conflict {
    /// The spec.
    pub name: SpecName,
    /// What became of it.
    pub kind: ConflictKind,
}

/// What became of a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConflictKind {
    /// Its text is another.
    Changed,
    /// It was not there.
    Appeared,
    /// It is there no more.
    Disappeared,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ConflictKind::Changed => "was changed",
            ConflictKind::Appeared => "is new",
            ConflictKind::Disappeared => "was removed",
        };
        write!(f, "`{SPECS}{}` {what}", self.name.file())
    }
}

/// Takes down the project's specs as they are; `root` is the folder `agentd/`. A file whose name no change can write
/// is left out.
pub fn baseline(root: &ConfinedFolder) -> Result<Baseline, ArchiveError> {
    let files = root.list(SPECS, ".md").map_err(|fault| unusable(SPECS, fault))?;
    let paths = files.iter().map(|file| format!("{SPECS}{file}"));
    root.size_together(paths, 0).map_err(|fault| unusable(SPECS, fault))?;
    let mut hashes = BTreeMap::new();
    for name in files.iter().filter_map(|file| SpecName::of_file(file).ok()) {
        let path = format!("{SPECS}{}", name.file());
        let bytes = root.read_bytes(&path).map_err(|fault| unusable(&path, fault))?;
        hashes.extend(bytes.map(|bytes| (name, Hash::of(bytes))));
    }
    Ok(Baseline(hashes))
}

/// Lists the specs that a change writes and that others changed since planning. `written` is what the change makes of
/// each: one that already is that is no conflict.
pub fn conflicts(
    baseline: &Baseline,
    now: &Baseline,
    written: &BTreeMap<SpecName, Hash>,
) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    for (name, new) in written {
        let kind = match (baseline.0.get(name), now.0.get(name)) {
            (before, after) if before == after || after == Some(new) => continue,
            (None, _) => ConflictKind::Appeared,
            (Some(_), None) => ConflictKind::Disappeared,
            (Some(_), Some(_)) => ConflictKind::Changed,
        };
        conflicts.push(Conflict { name: name.clone(), kind });
    }
    conflicts
}
