//! Work that was handed over in YAML files, where an agent has no tools for it: taken as if it had been submitted.

use std::path::Path;

use super::papers::folder;
use super::step::TeamStep;
use crate::handoff::{self, Desk, HandoffError, Preference, PreferenceSink, Taken};
use crate::models::change::ChangeId;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::preferences::{Origin, PreferenceEntry, propose, read_entries};
use crate::template::IncludeFault;
use crate::workflow::expected::FileFault;

/// Takes what the role of a step has handed over in files, and lists what is wrong with it.
pub(super) fn hand_in(
    (root, change): (&Path, &ChangeId),
    step: TeamStep,
    papers: &ConfinedFolder,
    now_ms: u64,
) -> Vec<FileFault> {
    let desk =
        Desk { folder: papers, role: step.role(), preferences: &Unattended { root, change } };
    let taken = handoff::read_fallback(&desk, now_ms);
    // A role may have files of an earlier step, about which nothing is to be said any more.
    let is_own = |taken: &&Taken| {
        [folder(step), "03_research"].iter().any(|folder| taken.path.starts_with(folder))
    };
    taken.iter().filter(is_own).flat_map(faults).collect()
}

/// Begins a phase: what was handed over before is forgotten.
pub(super) fn open(papers: &ConfinedFolder, phase: &str) -> Result<(), IncludeFault> {
    handoff::open(papers, phase)
}

/// Ends a phase: nothing more is taken for it.
pub(super) fn close(papers: &ConfinedFolder, phase: &str) -> Result<(), IncludeFault> {
    handoff::close(papers, phase)
}

fn faults(taken: &Taken) -> Vec<FileFault> {
    let Err(error) = &taken.outcome else { return Vec::new() };
    let help = "mend the file";
    match error {
        HandoffError::Faults(faults) => faults
            .iter()
            .map(|fault| {
                let line = fault.place.and_then(|place| usize::try_from(place.line).ok());
                let field = if fault.field.is_empty() { "" } else { ": " };
                let message = format!("{}{field}{}", fault.field, fault.message);
                FileFault::new(&taken.path, line, &message, help)
            })
            .collect(),
        other => vec![FileFault::new(&taken.path, None, &other.to_string(), help)],
    }
}

/// Keeps preferences until a person has approved them, since nobody is there now.
struct Unattended<'p> {
    root: &'p Path,
    change: &'p ChangeId,
}

impl PreferenceSink for Unattended<'_> {
    fn faults(&self, preferences: &[Preference]) -> Vec<(usize, String)> {
        let faults = read_entries(&entries(preferences)).err().unwrap_or_default();
        faults.into_iter().map(|fault| (fault.number - 1, fault.wrong.to_string())).collect()
    }

    fn take(&self, preferences: &[Preference], now_ms: u64) -> Result<String, String> {
        let from = Origin { change: self.change.clone(), run: None };
        let proposed = propose(self.root, &entries(preferences), &from, now_ms);
        let proposed = proposed.map_err(|error| error.to_string())?;
        Ok(format!("{} wait for a person's approval", proposed.pending.len()))
    }
}

fn entries(preferences: &[Preference]) -> Vec<PreferenceEntry> {
    let entry = |preference: &Preference| PreferenceEntry {
        target_role: preference.target_role.clone(),
        bullet: preference.bullet.clone(),
    };
    preferences.iter().map(entry).collect()
}
