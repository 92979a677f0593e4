//! The completion marker of a plan, which its coder creates as its very last action. It counts for the attempt that has
//! created it, and goes with the code of that attempt.

use std::collections::BTreeSet;
use std::path::Path;

use super::files::{papers_of, unusable};
use crate::engine::accept::Taken;
use crate::engine::documents::Documents;
use crate::engine::error::EngineError;
use crate::engine::expected::FileFault;
use crate::engine::schedule::PLANNING;
use crate::models::plan::PlanIndex;
use crate::prompt::tasks::{counted, open_titles, titles, untick_all};

/// Names the marker of a plan, below the change's folder.
pub(super) fn marker(plan: PlanIndex) -> String {
    format!("06_implementation/done_{}", plan.get())
}

/// Lists what keeps a plan of a change from being done: its marker is missing, or tasks are open beside the marker. A task
/// that was planned and is gone from the list is not done either.
pub(in crate::engine) fn unfinished(
    change: &Path,
    plan: PlanIndex,
    before: &Documents,
) -> Result<Vec<FileFault>, EngineError> {
    let papers = papers_of(change)?;
    let marker = marker(plan);
    let there = papers.read_bytes(&marker).map_err(unusable(change.join(&marker)))?;
    if there.is_none() {
        let help = "finish the plan, check it, and create the file as the very last action";
        return Ok(vec![FileFault::new(&marker, None, "the completion marker is missing", help)]);
    }
    let tasks = format!("{PLANNING}/{}", plan.tasks_file());
    let text = papers.read(&tasks).map_err(unusable(change.join(&tasks)))?.unwrap_or_default();
    let mut faults = Vec::new();
    let open = open_titles(&text);
    if !open.is_empty() {
        let message =
            format!("{}, and `{marker}` says that the plan is done", counted(&open, "open"));
        let help = "do each of them and tick it, `- [x]`";
        faults.push(FileFault::new(&tasks, None, &message, help));
    }
    let now: BTreeSet<_> = titles(&text).into_iter().collect();
    let planned = before.text(&tasks);
    let gone: Vec<_> = titles(&planned).into_iter().filter(|title| !now.contains(title)).collect();
    if !gone.is_empty() {
        let help = "put them back as they were planned, do each of them and tick it, `- [x]`";
        faults.push(FileFault::new(&tasks, None, &counted(&gone, "gone"), help));
    }
    Ok(faults)
}

/// Takes away what an earlier round left of a plan: its marker, and ticks that no longer hold.
pub(in crate::engine) fn open_plan(documents: &Documents, plan: PlanIndex, taken: &mut Taken) {
    taken.removed.push(marker(plan));
    let tasks = format!("{PLANNING}/{}", plan.tasks_file());
    if documents.bytes(&tasks).is_some() {
        taken.files.insert(&tasks, untick_all(&documents.text(&tasks)));
    }
}
