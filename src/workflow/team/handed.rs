//! Work that was handed over in YAML files, where an agent has no tools for it: taken as if it had been submitted.

use std::io;
use std::path::Path;

use super::papers::folder;
use super::step::TeamStep;
use crate::handoff::{self, Approval, Desk, HandoffError, PreferenceMemory, Taken};
use crate::models::change::ChangeId;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::preferences::PreferenceError;
use crate::template::IncludeFault;
use crate::workflow::error::WorkflowError;
use crate::workflow::expected::FileFault;

/// Takes what the role of a step has handed over in files, and lists what is wrong with it.
pub(super) fn hand_in(
    (root, change): (&Path, &ChangeId),
    step: TeamStep,
    papers: &ConfinedFolder,
    now_ms: u64,
) -> Result<Vec<FileFault>, WorkflowError> {
    // Nobody is there who could have approved preferences.
    let preferences = PreferenceMemory { project: root, change, approval: Approval::Pending };
    let desk = Desk { folder: papers, role: step.role(), preferences };
    let taken = handoff::read_fallback(&desk, now_ms);
    // A role may have files of an earlier step, about which nothing is to be said any more.
    let is_own = |taken: &&Taken| {
        [folder(step), "03_research"].iter().any(|folder| taken.path.starts_with(folder))
    };
    let faults = taken.iter().filter(is_own).map(faults).collect::<Result<Vec<_>, _>>()?;
    Ok(faults.into_iter().flatten().collect())
}

/// Begins a phase: what was handed over before is forgotten.
pub(super) fn open(papers: &ConfinedFolder, phase: &str) -> Result<(), IncludeFault> {
    handoff::open(papers, phase)
}

/// Ends a phase: nothing more is taken for it.
pub(super) fn close(papers: &ConfinedFolder, phase: &str) -> Result<(), IncludeFault> {
    handoff::close(papers, phase)
}

/// Lists what is wrong with a file. That it cannot be taken because the machine does not write is nobody's fault.
fn faults(taken: &Taken) -> Result<Vec<FileFault>, WorkflowError> {
    let Err(error) = &taken.outcome else { return Ok(Vec::new()) };
    let help = "mend the file";
    Ok(match error {
        HandoffError::Faults(faults) => faults
            .iter()
            .map(|fault| {
                let line = fault.place.and_then(|place| usize::try_from(place.line).ok());
                let field = if fault.field.is_empty() { "" } else { ": " };
                let message = format!("{}{field}{}", fault.field, fault.message);
                FileFault::new(&taken.path, line, &message, help)
            })
            .collect(),
        HandoffError::File { path, fault: IncludeFault::Unreadable(reason) } => {
            return Err(unwritable(path, reason));
        }
        HandoffError::Preferences(error @ PreferenceError::Io { .. }) => {
            return Err(unwritable(&taken.path, &error.to_string()));
        }
        HandoffError::NotYours { .. }
        | HandoffError::Closed { .. }
        | HandoffError::File { .. }
        | HandoffError::Preferences(_)
        | HandoffError::Unwritable(_) => {
            vec![FileFault::new(&taken.path, None, &error.to_string(), help)]
        }
    })
}

fn unwritable(path: &str, reason: &str) -> WorkflowError {
    WorkflowError::io("take what was handed over in", path)(io::Error::other(reason.to_owned()))
}
