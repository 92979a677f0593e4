//! What putting a change away does, as data: made before anything is written, kept in the journal, done by `apply`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::baseline::{Baseline, conflicts};
use super::changelog::merge;
use super::date::Date;
use super::error::ArchiveError;
use super::place::Found;
use super::version::Version;
use crate::catalog::CATALOG;
use crate::engine::expected::{ARCHIVED_CHANGELOG, ARCHIVED_SPECS, ChangeFiles, check};
use crate::models::change::ChangeId;
use crate::models::hash::Hash;
use crate::models::spec::SpecName;
use crate::template::Phase;

/// A change that is to be put away.
#[derive(Clone, Copy, Debug)]
pub struct Change<'c> {
    /// Its id.
    pub id: &'c ChangeId,
    /// Its title, for the changelog.
    pub title: &'c str,
    /// The day.
    pub date: &'c Date,
    /// Its files.
    pub files: &'c ChangeFiles,
    /// The main specs when it was planned.
    pub baseline: &'c Baseline,
}

/// What putting a change away does, in this order: the specs, the changelog, the move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivePlan {
    version: Version,
    /// The change.
    pub change: ChangeId,
    /// Its title.
    pub title: String,
    /// The day.
    pub date: Date,
    /// The specs that are written.
    pub specs: Vec<SpecStep>,
    /// The changelog; none where a change has no entry in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changelog: Option<FileStep>,
    /// Which folder of this day and name it is: 1 for the first.
    pub number: u32,
}

/// The writing of a spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecStep {
    /// The spec.
    pub name: SpecName,
    /// What becomes of its file.
    #[serde(flatten)]
    pub file: FileStep,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStep {
    /// What it is before; nothing where there is none.
    pub old: Option<Hash>,
    /// What it is after.
    pub new: Hash,
}

/// A step of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'p> {
    /// A spec is written.
    Spec(&'p SpecStep),
    /// The changelog is written.
    Changelog(&'p FileStep),
    /// The change's folder is moved.
    Move,
}

impl ArchivePlan {
    /// Returns the folder to which the change goes, below `agentd/`.
    pub fn target(&self) -> String {
        format!("archive/{}", folder(&self.date, &self.change, self.number))
    }

    /// Lists the steps in their order.
    pub fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let specs = self.specs.iter().map(Step::Spec);
        specs.chain(self.changelog.iter().map(Step::Changelog)).chain([Step::Move])
    }
}

/// Plans how a change is put away, given what is found in the project, or says why it cannot be. Nothing is written.
pub fn plan(change: Change<'_>, found: &Found) -> Result<ArchivePlan, ArchiveError> {
    let Change { id, title, date, files, baseline } = change;
    let faults = check(CATALOG.step(Phase::Archive), files);
    if !faults.is_empty() {
        return Err(ArchiveError::Files(faults));
    }
    // Names and the changelog are as they must be: they have been checked.
    let written: BTreeMap<SpecName, Hash> = files
        .below(ARCHIVED_SPECS)
        .filter_map(|(file, text)| Some((SpecName::of_file(file).ok()?, Hash::of(text))))
        .collect();
    let conflicts = conflicts(baseline, &found.specs, &written);
    if !conflicts.is_empty() {
        return Err(ArchiveError::Conflicts(conflicts));
    }
    let entry = files.get(ARCHIVED_CHANGELOG).unwrap_or_default();
    let changelog = merge(found.changelog.as_deref(), id, title, entry);
    let specs = written.into_iter().map(|(name, new)| {
        let old = found.specs.0.get(&name).cloned();
        SpecStep { name, file: FileStep { old, new } }
    });
    Ok(ArchivePlan {
        version: Version,
        change: id.clone(),
        title: title.to_owned(),
        date: date.clone(),
        specs: specs.collect(),
        changelog: Some(FileStep {
            old: found.changelog.as_ref().map(Hash::of),
            new: Hash::of(changelog),
        }),
        number: free(date, id, &found.archived),
    })
}

/// Plans how a change is put away that writes neither specs nor the changelog: it is moved, and nothing else.
pub fn plan_move(id: &ChangeId, title: &str, date: &Date, found: &Found) -> ArchivePlan {
    ArchivePlan {
        version: Version,
        change: id.clone(),
        title: title.to_owned(),
        date: date.clone(),
        specs: Vec::new(),
        changelog: None,
        number: free(date, id, &found.archived),
    }
}

/// Finds the first number under which there is no folder yet.
fn free(date: &Date, id: &ChangeId, taken: &BTreeSet<String>) -> u32 {
    (1..u32::MAX).find(|number| !taken.contains(&folder(date, id, *number))).unwrap_or(u32::MAX)
}

fn folder(date: &Date, id: &ChangeId, number: u32) -> String {
    match number {
        0 | 1 => format!("{date}-{id}"),
        _ => format!("{date}-{id}-{number}"),
    }
}
