//! Preferences that come with a submission: who approved them decides what becomes of them.

use std::path::Path;

use serde::Deserialize as _;
use serde_json::Value;

use super::fault::Faults;
use super::record::recorded;
use super::shape::{Field, Kind, LINE, list, optional, required};
use crate::models::change::ChangeId;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::preferences::{
    Origin, PreferenceEntry, PreferenceError, Wrong, apply_preference_entries, propose,
    read_entries,
};
use crate::template::{IncludeFault, Role};

/// Says whether a person has approved the preferences that an agent hands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// Somebody sat beside the agent and has: they are written down at once.
    Given,
    /// Nobody was there: they are kept until a person decides.
    Pending,
}

/// Where the preferences of a change go.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceMemory<'p> {
    /// The project's root.
    pub project: &'p Path,
    /// The change that was worked on.
    pub change: &'p ChangeId,
    /// Whether a person has approved them.
    pub approval: Approval,
}

const FIELDS: &[Field] = &[
    required("target_role", Kind::Word(Role::WORDS), "the role that must follow it"),
    required("bullet", LINE, "the preference, as one bullet: `- Keep regression tests`"),
];

/// The field `preferences`, which several submissions have.
pub(super) const PREFERENCES: Field = optional(
    "preferences",
    list(0, &Kind::Map(FIELDS)),
    "lasting preferences of the user for later work; leave it out if there are none",
);

/// Adds what is wrong with the preferences of a submission beyond their shape.
pub(super) fn check(value: &Value, faults: &mut Faults) {
    let Some(items) = value["preferences"].as_array() else { return };
    for (at, item) in items.iter().enumerate() {
        // What has not even the right shape is told already, and so is a role that there is none of.
        let Ok(entry) = PreferenceEntry::deserialize(item) else { continue };
        for fault in read_entries(&[entry]).err().into_iter().flatten() {
            if let Wrong::Bullet(wrong) = fault.wrong {
                faults.add(format!("preferences[{at}].bullet"), wrong.to_string());
            }
        }
    }
}

/// Lists the preferences that were handed in during a phase, given by its folder.
pub fn preferences(
    folder: &ConfinedFolder,
    phase: &str,
) -> Result<Vec<PreferenceEntry>, IncludeFault> {
    let handed_in = recorded(folder, phase)?.into_iter();
    let lists = handed_in.filter_map(|(_, value)| value["preferences"].as_array().cloned());
    Ok(lists.flatten().filter_map(|item| PreferenceEntry::deserialize(&item).ok()).collect())
}

impl PreferenceMemory<'_> {
    /// Takes preferences, and says in a sentence what became of them.
    pub fn take(
        &self,
        entries: &[PreferenceEntry],
        now_ms: u64,
    ) -> Result<String, PreferenceError> {
        let (taken, known) = match self.approval {
            Approval::Given => {
                let applied = apply_preference_entries(self.project, entries)?;
                (format!("Preferences stored: {}", applied.written.len()), applied.known.len())
            }
            Approval::Pending => {
                let origin = Origin { change: self.change.clone(), run: None };
                let proposed = propose(self.project, entries, &origin, now_ms)?;
                let pending = proposed.pending.len();
                (format!("Preferences that wait for a person: {pending}"), proposed.known.len())
            }
        };
        Ok(if known == 0 {
            format!("{taken}.")
        } else {
            format!("{taken}; already known: {known}.")
        })
    }
}
