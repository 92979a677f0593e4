//! From the planner's files to the plans in their order: the schedule is checked first, and nothing is carried out
//! without one.

use super::lineup::{Batch, Lineup, Unit};
use crate::models::hash::Hash;
use crate::models::plan::PlanIndex;
use crate::prompt::confined::ConfinedFolder;
use crate::workflow::error::WorkflowError;
use crate::workflow::expected::{FileFault, FilesError};
use crate::workflow::schedule::{PLANNING, PlanningFiles, Schedule, ScheduleFaults, check};

/// Reads and checks the schedule; `change` is the change's folder from the project's root.
pub(super) fn scheduled(
    change: &str,
    papers: &ConfinedFolder,
) -> Result<Result<Schedule, Vec<FileFault>>, WorkflowError> {
    let files = PlanningFiles::read(change, papers)?;
    Ok(check(&files).map_err(|faults| told(change, &faults)))
}

/// Reads the schedule as the journal keeps it.
pub(super) fn planned(
    change: &str,
    papers: &ConfinedFolder,
) -> Result<Result<Lineup, Vec<FileFault>>, WorkflowError> {
    let schedule = match scheduled(change, papers)? {
        Ok(schedule) => schedule,
        Err(faults) => return Ok(Err(faults)),
    };
    let mut groups = Vec::new();
    for group in schedule.groups() {
        let mut plans = Vec::new();
        for lane in group.lanes() {
            let plan = lane.index();
            plans.push(Unit { plan, hash: hash(papers, plan)? });
        }
        groups.push(Batch { mode: group.mode(), plans });
    }
    Ok(Ok(Lineup { groups, needs_design: schedule.needs_design() }))
}

/// Hashes what a plan says: its text and its tasks, whether they are ticked or not.
pub(super) fn hash(papers: &ConfinedFolder, index: PlanIndex) -> Result<Hash, WorkflowError> {
    let mut said = Vec::new();
    for name in [index.plan_file(), index.tasks_file()] {
        let path = format!("{PLANNING}/{name}");
        let read = papers.read(&path);
        let text = read.map_err(|fault| FilesError::Unreadable { path, fault })?;
        said.extend(unticked(&text.unwrap_or_default()).into_bytes());
        said.push(0);
    }
    Ok(Hash::of(said))
}

/// Gives a checklist with no task ticked.
pub(super) fn unticked(text: &str) -> String {
    let open = |line: &str| {
        let (indent, item) = line.split_at(line.len() - line.trim_start().len());
        let rest = ["- [x]", "- [X]"].iter().find_map(|ticked| item.strip_prefix(ticked));
        rest.map_or_else(|| line.to_owned(), |rest| format!("{indent}- [ ]{rest}"))
    };
    text.split('\n').map(open).collect::<Vec<_>>().join("\n")
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
    fn a_task_that_is_ticked_says_the_same_as_one_that_is_not() {
        let text = "- [x] one\n  - [X] two\n- [ ] three\ntext - [x]\n";
        assert_eq!(unticked(text), "- [ ] one\n  - [ ] two\n- [ ] three\ntext - [x]\n");
    }
}
