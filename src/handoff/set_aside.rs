//! Sub-plans that a planner has thought better of. It names them when it ends planning, and they are kept out of the way:
//! none is left out of the schedule by accident, and none is lost.

use std::collections::BTreeSet;

use serde_json::Value;

use super::desk::Desk;
use super::fault::Faults;
use super::submissions::{EXECUTION_PLAN, items};
use super::yaml;
use crate::models::plan::PlanIndex;

/// The field in which a planner names them.
pub(super) const FIELD: &str = "set_aside";

/// Lists the sub-plans that a submission of `submit_plan` sets aside.
pub fn named(value: &Value) -> Vec<PlanIndex> {
    let index = |item: &Value| PlanIndex::new(u32::try_from(item.as_u64()?).ok()?);
    items(value, FIELD).iter().filter_map(index).collect()
}

/// Returns the files of a sub-plan, each with the place where it is kept once the sub-plan is set aside; both lie below the
/// change's folder.
pub(super) fn files(plan: PlanIndex) -> [(String, String); 2] {
    [plan.plan_file(), plan.tasks_file()]
        .map(|name| (format!("04_planning/{name}"), format!("04_planning/set_aside/{name}")))
}

/// Adds what is wrong with the sub-plans that are named: each must be there, or be set aside already, and in no group.
pub(super) fn check(value: &Value, desk: &Desk<'_>, faults: &mut Faults) {
    let scheduled = scheduled(desk);
    let mut seen = BTreeSet::new();
    for (at, plan) in named(value).into_iter().enumerate() {
        let field = format!("{FIELD}[{at}]");
        let is_there = |path: &String| matches!(desk.folder.read(path), Ok(Some(_)));
        let [(file, kept), _] = files(plan);
        if !seen.insert(plan) {
            faults.add(field, format!("{} is repeated", plan.get()));
        } else if scheduled.contains(&plan) {
            faults
                .add(field, format!("{plan} is scheduled: remove it from its group, or from here"));
        } else if !is_there(&file) && !is_there(&kept) {
            faults.add(field, format!("there is no such plan: `{file}` is missing"));
        }
    }
}

/// Lists the sub-plans that the schedule names. Where it cannot be read there are none, and its own check says why.
fn scheduled(desk: &Desk<'_>) -> BTreeSet<PlanIndex> {
    let text = desk.folder.read(EXECUTION_PLAN).ok().flatten().unwrap_or_default();
    let Ok(schedule) = yaml::read(&text) else { return BTreeSet::new() };
    let plans = items(&schedule.value, "groups").iter().flat_map(|group| items(group, "plans"));
    plans.filter_map(|plan| PlanIndex::of_plan_file(plan["file"].as_str()?)).collect()
}
