//! The documents that a plan asks for. They are read from the execution plan alone: whatever becomes of the other files,
//! what was asked for stays asked for.

use super::faults::ScheduleFaults;
use super::files::PlanningFiles;
use super::{Planned, planned};
use crate::models::plan::{ExecutionPlan, OwnedPattern};

/// Documents that must be changed with the code, every one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documents(Vec<OwnedPattern>);

/// Reads which documents an execution plan asks for, if it asks for any, whether the plans can be scheduled or not.
pub fn documents(files: &PlanningFiles) -> Result<Option<Documents>, ScheduleFaults> {
    let files = files.execution_plan_alone();
    let Planned { sources, found, plan, .. } = planned(&files);
    match plan {
        Some(plan) if found.is_empty() => Ok(Documents::of(&plan)),
        Some(_) | None => Err(ScheduleFaults::new(sources, found)),
    }
}

impl Documents {
    pub(super) fn of(plan: &ExecutionPlan) -> Option<Self> {
        let files = plan.doc_files.iter().map(|file| file.value.clone());
        plan.needs_docs.value.then(|| Self(files.collect()))
    }

    /// Lists them.
    pub fn files(&self) -> &[OwnedPattern] {
        &self.0
    }

    /// Lists those of which nothing is among the paths that were changed.
    pub fn missing_from(&self, changed: &[impl AsRef<str>]) -> Vec<&OwnedPattern> {
        let is_changed =
            |document: &OwnedPattern| changed.iter().any(|path| document.owns(path.as_ref()));
        self.0.iter().filter(|document| !is_changed(document)).collect()
    }
}
