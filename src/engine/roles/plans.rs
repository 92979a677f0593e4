//! From the planner's files to the plans in their order: the schedule is checked first, and nothing is carried out
//! without one.

use crate::engine::documents::Documents;
use crate::engine::error::EngineError;
use crate::engine::expected::{FileFault, FilesError};
use crate::engine::history::History;
use crate::engine::plan_order::{PlanGroup, PlanOrder, PlanVersion};
use crate::engine::schedule::{PLANNING, PlanningFiles, Schedule, ScheduleFaults, check};
use crate::models::hash::Hash;
use crate::models::plan::PlanIndex;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::tasks::titles;

/// Reads and checks the schedule; `change` is the change's folder from the project's root.
pub(in crate::engine) fn scheduled(
    change: &str,
    papers: &ConfinedFolder,
) -> Result<Result<Schedule, Vec<FileFault>>, EngineError> {
    let files = PlanningFiles::read(change, papers)?;
    Ok(check(&files).map_err(|faults| told(change, &faults)))
}

/// Reads the schedule as the journal keeps it. A plan that is done and that the planner has left alone is the one that was
/// done, whatever its coder has added to its tasks.
pub(super) fn planned(
    change: &str,
    papers: &ConfinedFolder,
    (before, history): (&Documents, &History),
) -> Result<Result<PlanOrder, Vec<FileFault>>, EngineError> {
    let schedule = match scheduled(change, papers)? {
        Ok(schedule) => schedule,
        Err(faults) => return Ok(Err(faults)),
    };
    let earlier =
        |plan| history.schedule.as_ref()?.unit(plan).filter(|it| it.is_done(&history.done));
    let mut groups = Vec::new();
    for group in schedule.groups() {
        let mut plans = Vec::new();
        for lane in group.lanes() {
            let plan = lane.index();
            let unit = PlanVersion { plan, hash: hash(papers, plan)? };
            let done = earlier(plan).filter(|_| hash_before(before, plan) == unit.hash);
            plans.push(done.cloned().unwrap_or(unit));
        }
        groups.push(PlanGroup { mode: group.mode(), plans });
    }
    Ok(Ok(PlanOrder { groups, needs_design: schedule.needs_design() }))
}

/// Hashes what a plan says.
fn hash(papers: &ConfinedFolder, index: PlanIndex) -> Result<Hash, EngineError> {
    let [plan, tasks] = files(index);
    Ok(said(&read(papers, &plan)?, &read(papers, &tasks)?))
}

/// Hashes what a plan said before.
fn hash_before(before: &Documents, index: PlanIndex) -> Hash {
    let [plan, tasks] = files(index);
    said(&before.text(&plan), &before.text(&tasks))
}

/// Hashes a plan's text and the titles of its tasks, whether they are ticked or not. What a coder notes beside them is no
/// part of the plan.
fn said(plan: &str, tasks: &str) -> Hash {
    let titles = titles(tasks);
    let said = std::iter::once(plan).chain(titles.iter().map(String::as_str));
    Hash::of(said.collect::<Vec<_>>().join("\0"))
}

fn files(index: PlanIndex) -> [String; 2] {
    [index.plan_file(), index.tasks_file()].map(|name| format!("{PLANNING}/{name}"))
}

fn read(papers: &ConfinedFolder, path: &str) -> Result<String, EngineError> {
    let text = papers.read(path);
    let text = text.map_err(|fault| FilesError::Unreadable { path: path.to_owned(), fault })?;
    Ok(text.unwrap_or_default())
}

/// Makes faults of files of what is wrong with a schedule.
fn told(change: &str, faults: &ScheduleFaults) -> Vec<FileFault> {
    let listed = faults.to_json();
    let listed = listed.as_array().into_iter().flatten();
    let told = listed.map(|fault| {
        let path = fault["at"]["path"].as_str().unwrap_or_default();
        let below = path.strip_prefix(change).unwrap_or(path).trim_start_matches('/');
        let line = fault["at"]["line"].as_u64().and_then(|line| usize::try_from(line).ok());
        let word = |key: &str| fault[key].as_str().unwrap_or_default().to_owned();
        FileFault::new(below, line, &word("message"), &word("help"))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_says_the_same_whatever_is_ticked_and_noted() {
        let planned = said("# Plan", "- [ ] one\n- [ ] two\n");
        assert_eq!(said("# Plan", "* [x] one\n* [X] two\nNote: `- [x]` is done.\n"), planned);
        assert_ne!(said("# Plan", "- [ ] one\n- [ ] three\n"), planned);
        assert_ne!(said("# Plan", "- [x] one\n"), planned);
        assert_ne!(said("# Another", "- [ ] one\n- [ ] two\n"), planned);
    }
}
