//! What a submission stands on: the change's folder, and who hands it in.

use super::fault::Fault;
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::prompt::confined::ConfinedFolder;
use crate::template::{IncludeFault, Role};

/// Says all that keeps the plans of a change from being scheduled, without the files of this list. Plans are understood by
/// those who have them carried out, and these know of hand-offs, so that the check is brought along.
pub type ScheduleCheck = fn(&ChangeId, &ConfinedFolder, &[String]) -> Vec<Fault>;

/// The change's folder as the check of a submission sees it.
#[derive(Debug)]
pub(super) struct Ground<'g> {
    /// The change's folder.
    pub(super) folder: &'g ConfinedFolder,
    /// The change's id.
    pub(super) change: &'g ChangeId,
    /// Who hands it in.
    pub(super) role: Role,
    /// The only plan that a coder may say to be done, where it has one of its own.
    pub(super) plan: Option<PlanIndex>,
    /// What checks the plans of the change.
    pub(super) schedule: ScheduleCheck,
    /// The tool that is used.
    pub(super) tool: super::Tool,
}

impl Ground<'_> {
    /// Says what is wrong with a file that must be there and hold something, if anything is.
    pub(super) fn lacks(&self, path: &str) -> Option<String> {
        match self.folder.read(path) {
            Ok(Some(text)) if !text.trim().is_empty() => None,
            Ok(Some(_)) => Some(format!("`{path}` is empty: write it first")),
            Ok(None) => Some(format!("`{path}` is not there: write it first")),
            Err(fault) => Some(format!("`{path}` cannot be read: {fault}")),
        }
    }

    /// Reads a file that may be missing.
    pub(super) fn read(&self, path: &str) -> Result<Option<String>, IncludeFault> {
        self.folder.read(path)
    }
}
