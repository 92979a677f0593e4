//! Sub-plans that a planner has thought better of: handed in during this phase, and in no group of the schedule. They are
//! set aside when planning ends, so that nobody needs to remove files.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Tool;
use super::ground::Ground;
use super::record;
use super::submissions::{EXECUTION_PLAN, SubPlan, Submission as _, items};
use super::yaml;
use crate::models::plan::PlanIndex;

/// A sub-plan that is set aside.
pub(super) struct SetAside {
    /// Which.
    pub(super) plan: PlanIndex,
    /// Its files, below the change's folder, and last what says that it was handed in.
    pub(super) files: Vec<String>,
}

/// Lists the sub-plans of this phase that the schedule leaves out. Where it cannot be read there are none.
pub(super) fn unscheduled(ground: &Ground<'_>) -> Vec<SetAside> {
    let Some(scheduled) = scheduled(ground) else { return Vec::new() };
    let phase = Tool::SubmitSubplan.phase(ground.role);
    let submitted = record::submissions(ground.folder, phase).unwrap_or_default();
    let plans = submitted.iter().filter(|submitted| submitted.tool == Tool::SubmitSubplan);
    let plans = plans.filter_map(|plan| PlanIndex::new(plan.key.as_deref()?.parse().ok()?));
    let left_out = plans.filter(|plan| !scheduled.contains(plan));
    left_out
        .filter_map(|plan| Some(SetAside { plan, files: files(ground, phase, plan)? }))
        .collect()
}

fn scheduled(ground: &Ground<'_>) -> Option<BTreeSet<PlanIndex>> {
    let text = ground.read(EXECUTION_PLAN).ok()??;
    let schedule = yaml::read(&text).ok()?.value;
    let plans = items(&schedule, "groups").iter().flat_map(|group| items(group, "plans"));
    let index = |plan: &Value| PlanIndex::of_plan_file(plan["file"].as_str()?);
    Some(plans.filter_map(index).collect())
}

/// Lists the files of a sub-plan, unless somebody has written into one of them since: then they are no longer ours.
fn files(ground: &Ground<'_>, phase: &str, plan: PlanIndex) -> Option<Vec<String>> {
    let key = plan.get().to_string();
    let tool = Tool::SubmitSubplan;
    let submission = record::submission(ground.folder, phase, tool, Some(&key)).ok()??;
    let derived = serde_json::from_value::<SubPlan>(submission).ok()?.derived(ground).ok()?;
    let mut files = Vec::new();
    for file in derived {
        let is_ours = ground.read(&file.path).ok()?.is_none_or(|text| text == file.text);
        files.push(is_ours.then_some(file.path)?);
    }
    files.push(record::path(phase, tool, Some(&key)));
    Some(files)
}
