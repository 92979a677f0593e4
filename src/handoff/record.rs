//! What was handed in, kept beside the files of its phase: so that the same again is known as such, and so that others
//! notice.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Tool;
use crate::models::hash::Hash;
use crate::prompt::confined::ConfinedFolder;
use crate::template::IncludeFault;

/// The version of a record.
const VERSION: u32 = 1;

/// What says that a phase has ended.
const CLOSED: &str = "closed";

/// Something that was handed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submitted {
    /// With which tool.
    pub tool: Tool,
    /// Which of several: the plan, or the topic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// The hash of what was handed in, whatever the order of its fields.
    pub hash: Hash,
}

/// A record as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    #[serde(flatten)]
    pub(super) submitted: Submitted,
    /// What was handed in.
    submission: Value,
}

impl Record {
    pub(super) const fn new(submitted: Submitted, submission: Value) -> Self {
        Self { version: VERSION, submitted, submission }
    }

    /// Reads the record of an earlier submission. One that cannot be read is none: what is handed in takes its place.
    pub(super) fn read(
        folder: &ConfinedFolder,
        phase: &str,
        tool: Tool,
        key: Option<&str>,
    ) -> Result<Option<Self>, IncludeFault> {
        let bytes = folder.read_bytes(&path(phase, tool, key))?;
        Ok(bytes.and_then(|bytes| parsed(&bytes)))
    }

    pub(super) fn write(&self, folder: &ConfinedFolder, phase: &str) -> Result<(), IncludeFault> {
        let Submitted { tool, key, .. } = &self.submitted;
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| IncludeFault::Unreadable(error.to_string()))?;
        bytes.push(b'\n');
        folder.replace(&path(phase, *tool, key.as_deref()), &bytes)
    }
}

/// Returns the path of a record.
pub(super) fn path(phase: &str, tool: Tool, key: Option<&str>) -> String {
    match key {
        Some(key) => format!("{phase}/submissions/{tool}-{key}.json"),
        None => format!("{phase}/submissions/{tool}.json"),
    }
}

fn parsed(bytes: &[u8]) -> Option<Record> {
    serde_json::from_slice::<Record>(bytes).ok().filter(|record| record.version == VERSION)
}

/// Lists what was handed in during a phase, given by its folder below the change's, in the order of time.
pub fn submissions(folder: &ConfinedFolder, phase: &str) -> Result<Vec<Submitted>, IncludeFault> {
    Ok(recorded(folder, phase)?.into_iter().map(|(submitted, _)| submitted).collect())
}

/// Lists the same together with what was handed in.
pub(super) fn recorded(
    folder: &ConfinedFolder,
    phase: &str,
) -> Result<Vec<(Submitted, Value)>, IncludeFault> {
    let records = format!("{phase}/submissions");
    let mut found = Vec::new();
    for name in folder.list(&records, ".json")? {
        let bytes = folder.read_bytes(&format!("{records}/{name}"))?;
        let record = bytes.and_then(|bytes| parsed(&bytes));
        found.extend(record.map(|record| (record.submitted, record.submission)));
    }
    found.sort_by_key(|(submitted, _)| submitted.at_ms);
    Ok(found)
}

/// Returns what was handed in with a tool, as it was handed in.
pub fn submission(
    folder: &ConfinedFolder,
    phase: &str,
    tool: Tool,
    key: Option<&str>,
) -> Result<Option<Value>, IncludeFault> {
    Ok(Record::read(folder, phase, tool, key)?.map(|record| record.submission))
}

/// Ends a phase, given by its folder: nothing more is taken for it.
pub fn close(folder: &ConfinedFolder, phase: &str) -> Result<(), IncludeFault> {
    folder.replace(&format!("{phase}/submissions/{CLOSED}"), b"closed\n")
}

pub(super) fn is_closed(folder: &ConfinedFolder, phase: &str) -> Result<bool, IncludeFault> {
    Ok(folder.read_bytes(&format!("{phase}/submissions/{CLOSED}"))?.is_some())
}
