//! Where work is handed in: a submission is checked as a whole, its files are written, and it is taken down.

use serde_json::Value;
use thiserror::Error;

use super::Tool;
use super::blocked;
use super::fault::{Fault, Faults};
use super::preference;
use super::record::{self, Record, Submitted, is_closed};
use super::set_aside;
use super::shape;
use super::submissions::{Submission, items};
use crate::models::change::ChangeId;
use crate::models::hash::Hash;
use crate::models::plan::PlanIndex;
use crate::prompt::confined::ConfinedFolder;
use crate::template::{IncludeFault, Role};

/// Checks whether the plans of a change can be scheduled, without the files of this list, and returns every fault. It is brought
/// along by the caller, since `engine::schedule` depends on hand-offs.
pub type ScheduleCheck = fn(&ChangeId, &ConfinedFolder, &[String]) -> Vec<Fault>;

/// Where one role hands in its work on one change.
#[derive(Debug)]
pub struct Desk<'d> {
    /// The change's folder.
    pub folder: &'d ConfinedFolder,
    /// Who hands in.
    pub role: Role,
    /// The plan of a coder that carries out this one alone.
    pub plan: Option<PlanIndex>,
    /// What checks the plans when planning ends.
    pub schedule: ScheduleCheck,
    /// The change that is worked on.
    pub change: &'d ChangeId,
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// What was taken down.
    pub submitted: Submitted,
    /// Whether it is new.
    pub novelty: Novelty,
    /// The files that were written, below the change's folder.
    pub written: Vec<String>,
    /// The sub-plans that were set aside: nobody carries them out.
    pub set_aside: Vec<PlanIndex>,
    /// What became of the preferences, if there were any.
    pub preferences: Option<String>,
    /// What the role needs from a person, where it handed in that in place of its work.
    pub blocked: Option<String>,
}

/// Says whether something is handed in for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// It is.
    New,
    /// The same was handed in before.
    Same,
    /// Something else was handed in before, and this takes its place.
    Replaced,
}

/// Why something was not taken.
#[derive(Debug, Error)]
pub enum HandoffError {
    /// The tool is not the role's.
    #[error("the role `{role}` has no tool `{tool}`")]
    NotYours {
        /// The tool.
        tool: Tool,
        /// The role.
        role: Role,
    },
    /// It is wrong.
    #[error("{0}")]
    Faults(Faults),
    /// The phase has ended.
    #[error("`{phase}` has ended and accepts no more submissions")]
    Closed {
        /// The phase's folder.
        phase: &'static str,
    },
    /// A file cannot be read or written.
    #[error("`{path}`: {fault}")]
    File {
        /// The file, below the change's folder.
        path: String,
        /// Why.
        fault: IncludeFault,
    },
    /// A file could not be made of it.
    #[error("cannot write what was submitted: {0}")]
    Unwritable(String),
}

impl Desk<'_> {
    /// Takes a submission. `now_ms` is the time, in milliseconds since 1970.
    pub fn submit(&self, tool: Tool, value: &Value, now_ms: u64) -> Result<Receipt, HandoffError> {
        if !Tool::of(self.role).contains(&tool) {
            return Err(HandoffError::NotYours { tool, role: self.role });
        }
        if blocked::is_blocked(tool, value) {
            return self.take_blocked(tool, value, now_ms);
        }
        (tool.row().take)(self, tool, value, now_ms)
    }

    /// Returns what a file that must be there lacks.
    pub(super) fn lacks(&self, path: &str) -> Option<String> {
        match self.folder.read(path) {
            Ok(Some(text)) if !text.trim().is_empty() => None,
            Ok(Some(_)) => Some(format!("`{path}` is empty: write it first")),
            Ok(None) => Some(format!("`{path}` is missing: write it first")),
            Err(fault) => Some(format!("`{path}` cannot be read: {fault}")),
        }
    }

    pub(super) fn take<S: Submission>(
        &self,
        tool: Tool,
        value: &Value,
        now_ms: u64,
    ) -> Result<Receipt, HandoffError> {
        let phase = tool.phase(self.role);
        let submission: S = checked(value, self)?;
        let text = serde_json::to_vec(&submission);
        let text = text.map_err(|error| HandoffError::Unwritable(error.to_string()))?;
        let key = submission.key();
        let submitted = Submitted { tool, key, at_ms: now_ms, hash: Hash::of(&text) };
        let (earlier, novelty) = self.compared(phase, &submitted)?;
        let set_aside = self.set_aside(&submission, phase)?;
        let written = self.write_derived(&submission, tool, novelty)?;
        if let (Some(submitted), Novelty::Same) = (earlier, novelty) {
            let (preferences, blocked) = (None, None);
            return Ok(Receipt { submitted, novelty, written, set_aside, preferences, blocked });
        }
        let entries = items(value, "preferences").len();
        let preferences = (entries > 0).then(|| format!("Preferences submitted: {entries}."));
        // Last, so that what is taken down was done.
        let submission = serde_json::from_slice(&text).unwrap_or_default();
        let record = Record::new(submitted.clone(), submission);
        record.write(self.folder, phase).map_err(in_records(phase))?;
        Ok(Receipt { submitted, novelty, written, set_aside, preferences, blocked: None })
    }

    /// Takes what a role hands in that cannot go on without a person. It has no files, and nothing else of it is read.
    fn take_blocked(
        &self,
        tool: Tool,
        value: &Value,
        now_ms: u64,
    ) -> Result<Receipt, HandoffError> {
        let phase = tool.phase(self.role);
        let submission = blocked::checked(value).map_err(HandoffError::Faults)?;
        let key = blocked::key(tool, value, self.plan);
        let hash = Hash::of(submission.to_string().as_bytes());
        let submitted = Submitted { tool, key, at_ms: now_ms, hash };
        let (earlier, novelty) = self.compared(phase, &submitted)?;
        let blocked = Some(blocked::reason(&submission));
        let submitted = match (earlier, novelty) {
            (Some(earlier), Novelty::Same) => earlier,
            (_, Novelty::New | Novelty::Same | Novelty::Replaced) => {
                let record = Record::new(submitted.clone(), submission);
                record.write(self.folder, phase).map_err(in_records(phase))?;
                submitted
            }
        };
        let (written, set_aside, preferences) = (Vec::new(), Vec::new(), None);
        Ok(Receipt { submitted, novelty, written, set_aside, preferences, blocked })
    }

    /// Compares a submission with the one before it; nothing is taken for a phase that has ended.
    fn compared(
        &self,
        phase: &'static str,
        submitted: &Submitted,
    ) -> Result<(Option<Submitted>, Novelty), HandoffError> {
        if is_closed(self.folder, phase).map_err(in_records(phase))? {
            return Err(HandoffError::Closed { phase });
        }
        let earlier = Record::read(self.folder, phase, submitted.tool, submitted.key.as_deref());
        let earlier = earlier.map_err(in_records(phase))?.map(|record| record.submitted);
        let novelty = match &earlier {
            None => Novelty::New,
            Some(earlier) if earlier.hash == submitted.hash => Novelty::Same,
            Some(_) => Novelty::Replaced,
        };
        Ok((earlier, novelty))
    }

    /// Moves the files of sub-plans that a submission sets aside to where they are kept, and forgets that they were handed
    /// in.
    fn set_aside(
        &self,
        submission: &impl Submission,
        phase: &str,
    ) -> Result<Vec<PlanIndex>, HandoffError> {
        let plans = submission.set_aside();
        for plan in &plans {
            for (path, kept) in set_aside::files(*plan) {
                let failed = |fault| HandoffError::File { path: path.clone(), fault };
                if let Some(bytes) = self.folder.read_bytes(&path).map_err(failed)? {
                    self.folder.replace(&kept, &bytes).map_err(failed)?;
                    self.folder.remove(&path).map_err(failed)?;
                }
            }
            let path = record::path(phase, Tool::SubmitSubplan, Some(&plan.get().to_string()));
            let removed = self.folder.remove(&path);
            removed.map_err(|fault| HandoffError::File { path, fault })?;
        }
        Ok(plans)
    }

    /// Writes the files of a submission. Of one that is there already only those that are missing: what others have
    /// written into them since, such as tasks that are done, stays.
    fn write_derived(
        &self,
        submission: &impl Submission,
        tool: Tool,
        novelty: Novelty,
    ) -> Result<Vec<String>, HandoffError> {
        let derived = submission.derived(self, tool).map_err(HandoffError::Unwritable)?;
        let mut written = Vec::new();
        for file in derived {
            let path = file.path;
            let failed = |fault| HandoffError::File { path: path.clone(), fault };
            if novelty == Novelty::Same && self.folder.read_bytes(&path).map_err(failed)?.is_some()
            {
                continue;
            }
            self.folder.replace(&path, file.text.as_bytes()).map_err(failed)?;
            written.push(path);
        }
        Ok(written)
    }
}

/// Returns the error of a record that cannot be read or written.
fn in_records(phase: &str) -> impl Fn(IncludeFault) -> HandoffError {
    move |fault| HandoffError::File { path: format!("{phase}/submissions"), fault }
}

/// Collects every fault, of the shape and beyond it.
fn checked<S: Submission>(value: &Value, desk: &Desk<'_>) -> Result<S, HandoffError> {
    let mut faults = Faults::default();
    shape::check(value, S::FIELDS, &mut faults);
    S::check(value, desk, &mut faults);
    if S::FIELDS.iter().any(|field| field.name == preference::PREFERENCES.name) {
        preference::check(value, &mut faults);
    }
    if faults.is_empty() {
        match S::deserialize(value) {
            Ok(submission) => return Ok(submission),
            Err(error) => faults.add("", error.to_string()),
        }
    }
    Err(HandoffError::Faults(faults))
}
