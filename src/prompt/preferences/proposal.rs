//! A preference that an agent proposes, which counts only once a person has approved it, and the file that keeps such ones.
//! Pure: text in, text out.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::entry::{Preference, PreferenceEntry, read_entries};
use crate::models::change::ChangeId;
use crate::models::hash::Hash;

/// The version of the file that is written; others are refused.
const VERSION: u64 = 1;

/// How many digits of its hash name a proposal.
const DIGITS: usize = 8;

/// A preference that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// The preference.
    pub preference: Preference,
    /// Who proposed it.
    pub from: Origin,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// The id of a proposal: made of what it says and to whom, so that who approves an id approves exactly that.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProposalId(String);

/// A word that cannot be the id of a proposal.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("an id has {DIGITS} hexadecimal digits: `agentd preferences pending` shows them")]
pub struct InvalidProposalId;

/// Who proposed a preference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The change that was worked on.
    pub change: ChangeId,
    /// The run of it, by the name of its folder, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl Proposal {
    pub(super) fn new(preference: Preference, from: Origin, at: u64) -> Self {
        Self { id: ProposalId::of(&preference), preference, from, at }
    }
}

impl ProposalId {
    pub(super) fn of(Preference { role, bullet }: &Preference) -> Self {
        let hash = Hash::of(format!("{role}\n{}", bullet.key().as_str()));
        Self(hash.as_str()[..DIGITS].to_owned())
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ProposalId {
    type Err = InvalidProposalId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_right = text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_right { Ok(Self(text.to_ascii_lowercase())) } else { Err(InvalidProposalId) }
    }
}

impl fmt::Display for ProposalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    proposals: Vec<Record>,
}

/// A proposal as the file has it.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Record {
    id: String,
    #[serde(flatten)]
    from: Origin,
    at: u64,
    preference: PreferenceEntry,
}

/// Reads the file. What it holds is held to the same rules as what is handed in: anybody can write a file.
pub(super) fn read(text: &str) -> Result<Vec<Proposal>, String> {
    let not_right = |error: serde_json::Error| format!("is invalid ({error})");
    let value: serde_json::Value = serde_json::from_str(text).map_err(not_right)?;
    match value["version"].as_u64() {
        Some(VERSION) => {}
        Some(other) => return Err(format!("was written by another agentd, in version {other}")),
        None => return Err("has no version".to_owned()),
    }
    let File { proposals, .. } = serde_json::from_value(value).map_err(not_right)?;
    let entries: Vec<_> = proposals.iter().map(|record| record.preference.clone()).collect();
    let preferences = read_entries(&entries).map_err(|faults| {
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        format!("is invalid ({})", faults.join("; "))
    })?;
    let mut all = Vec::with_capacity(proposals.len());
    for (record, preference) in proposals.into_iter().zip(preferences) {
        let proposal = Proposal::new(preference, record.from, record.at);
        if all.iter().any(|other: &Proposal| other.id == proposal.id) {
            return Err(format!("is invalid (`{}` is repeated)", proposal.id));
        }
        if proposal.id.as_str() != record.id {
            return Err(format!(
                "is invalid (`{}` is not the id of its text)",
                record.id.escape_debug()
            ));
        }
        all.push(proposal);
    }
    Ok(all)
}

/// Writes the file.
pub(super) fn write(proposals: &[Proposal]) -> Result<String, serde_json::Error> {
    let record = |proposal: &Proposal| Record {
        id: proposal.id.to_string(),
        from: proposal.from.clone(),
        at: proposal.at,
        preference: PreferenceEntry {
            target_role: proposal.preference.role.to_string(),
            bullet: proposal.preference.bullet.to_string(),
        },
    };
    let file = File { version: VERSION, proposals: proposals.iter().map(record).collect() };
    serde_json::to_string_pretty(&file).map(|text| text + "\n")
}
