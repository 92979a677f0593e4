//! The documents that a plan asks for. They are read from the execution plan alone: whatever becomes of the other files,
//! what was asked for stays asked for.

use std::fmt;

use super::faults::ScheduleFaults;
use super::files::PlanningFiles;
use super::{Planned, planned};
use crate::models::plan::{ExecutionPlan, OwnedPattern};

/// Documents of which one at least must be changed with the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Documents(Vec<OwnedPattern>);

/// Documents were to be changed with the code, and none was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undocumented<'s> {
    /// What was named; one of these would have done.
    pub doc_files: &'s [OwnedPattern],
}

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

    /// Says whether they are missing from what was changed: none of them is there.
    pub fn missing_from<'p>(
        &self,
        changed: impl IntoIterator<Item = &'p str>,
    ) -> Option<Undocumented<'_>> {
        let is_document = |path: &str| self.0.iter().any(|document| document.owns(path));
        (!changed.into_iter().any(is_document)).then_some(Undocumented { doc_files: &self.0 })
    }
}

impl fmt::Display for Undocumented<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<_> = self.doc_files.iter().map(|file| format!("`{file}`")).collect();
        write!(f, "the plan asks for documents, and none of {} is changed", files.join(", "))
    }
}
