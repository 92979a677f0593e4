//! Preferences that come with a submission, and whoever takes them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fault::Faults;
use super::shape::{Field, Kind, optional, required};
use crate::template::Role;

/// A preference that a later role is to keep to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preference {
    /// Whom it is for.
    pub target_role: String,
    /// What to keep to, as an item of a list.
    pub bullet: String,
}

const FIELDS: &[Field] = &[
    required("target_role", Kind::Word(Role::WORDS), "the role that is to keep to it"),
    required("bullet", Kind::Line, "the preference, as one bullet: `- Keep regression tests`"),
];

/// The field `preferences`, which several submissions have.
pub(super) const PREFERENCES: Field = optional(
    "preferences",
    Kind::List { of: &Kind::Map(FIELDS), least: 0 },
    "lasting preferences of the user for later work; leave it out where there are none",
);

/// Takes the preferences of a submission: writes them down at once, or keeps them until somebody has approved them.
pub trait PreferenceSink {
    /// Says what is wrong with preferences: which of them, counted from 0, and why.
    fn faults(&self, preferences: &[Preference]) -> Vec<(usize, String)>;
    /// Takes preferences, and says in a sentence what became of them. `now_ms` is in milliseconds since 1970.
    fn take(&self, preferences: &[Preference], now_ms: u64) -> Result<String, String>;
}

/// Adds what is wrong with the preferences of a submission beyond their shape.
pub(super) fn check(value: &Value, sink: &dyn PreferenceSink, faults: &mut Faults) {
    let Some(items) = value["preferences"].as_array() else { return };
    let read = items.iter().enumerate();
    // What has not even the right shape is told already.
    let read = read.filter_map(|(at, item)| Some((at, Preference::deserialize(item).ok()?)));
    let (places, preferences): (Vec<_>, Vec<_>) =
        read.filter(|(_, preference)| Role::from_word(&preference.target_role).is_some()).unzip();
    for (number, message) in sink.faults(&preferences) {
        let at: usize = places.get(number).copied().unwrap_or(number);
        faults.add(format!("preferences[{at}].bullet"), message);
    }
}
