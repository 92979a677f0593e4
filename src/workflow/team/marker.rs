//! The completion marker of a plan, which its coder creates as its very last action. It counts for the attempt that has
//! created it, and goes with the code of that attempt.

use std::path::Path;

use super::papers::{papers_of, unusable};
use crate::models::plan::PlanIndex;
use crate::prompt::tasks::untick_all;
use crate::workflow::error::WorkflowError;
use crate::workflow::expected::FileFault;
use crate::workflow::schedule::PLANNING;

/// Names the marker of a plan, below the change's folder.
pub(super) fn marker(plan: PlanIndex) -> String {
    format!("06_implementation/done_{}", plan.get())
}

/// Tells that a plan of a change has no marker, if it has none.
pub(super) fn unmarked(change: &Path, plan: PlanIndex) -> Result<Option<FileFault>, WorkflowError> {
    let marker = marker(plan);
    let there = papers_of(change)?.read_bytes(&marker).map_err(unusable(change.join(&marker)))?;
    let help = "finish the plan, check it, and create the file as the very last action";
    let missing = || FileFault::new(&marker, None, "the completion marker is missing", help);
    Ok(there.is_none().then(missing))
}

/// Takes away what an earlier attempt has left of a plan: its marker, and ticks that no longer hold.
pub(super) fn open_plan(change: &Path, plan: PlanIndex) -> Result<(), WorkflowError> {
    let papers = papers_of(change)?;
    let unusable = |name: &str| unusable(change.join(name));
    let marker = marker(plan);
    papers.remove(&marker).map_err(unusable(&marker))?;
    let tasks = format!("{PLANNING}/{}", plan.tasks_file());
    if let Some(text) = papers.read(&tasks).map_err(unusable(&tasks))? {
        let open = untick_all(&text);
        if open != text {
            papers.replace(&tasks, open.as_bytes()).map_err(unusable(&tasks))?;
        }
    }
    Ok(())
}
