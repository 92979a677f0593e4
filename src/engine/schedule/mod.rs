//! The plans of a change, checked and put in order: which are carried out when, and who owns which files.
//!
//! `files` reads, the rest is text in and faults out. `read` takes the execution plan apart and `sub_plan` each plan,
//! `order` holds them together, and `disjoint` sees to it that no two lanes at once own the same file. A [`Schedule`]
//! is what is left when nothing is wrong.

mod code;
mod disjoint;
mod documents;
mod faults;
mod files;
pub mod graph;
mod handed_in;
mod lanes;
mod order;
mod read;
mod sub_plan;

use std::collections::{BTreeMap, BTreeSet};

pub use code::ScheduleCode;
pub use disjoint::{Shared, shared_paths};
pub use documents::{Documents, documents};
pub use faults::ScheduleFaults;
pub use files::{EXECUTION_PLAN, PLANNING, PlanningFiles};
pub use handed_in::unschedulable;
pub use lanes::{Lane, LaneGroup, Schedule};
pub use sub_plan::SECTIONS;

use crate::compile::{Diagnostic, FileId, Folder, Place, Sources};
use crate::models::plan::{ExecutionPlan, Mode, OwnedPattern, PlanIndex};
use crate::prompt::tasks;
use order::Order;
use sub_plan::SubPlan;

/// Checks the plans of a change, and says all that is wrong with them or what comes of them.
///
/// ```
/// use agentd::engine::schedule::{PlanningFiles, check};
///
/// let files = PlanningFiles::new("agentd/changes/add-login")
///     .with("execution_plan.yaml", "version: 1\ngroups:\n- group_id: all\n  mode: serial\n  plans:\n  - {file: plan_1.md, name: Login}\n")
///     .with("plan_1.md", "# Login\n\n## Scope\nAll.\n\n## Owned files/modules\n- `src/`\n\n## Dependencies\nnone\n\n## Isolation\nAlone.\n")
///     .with("tasks_1.md", "- [ ] Write a test\n");
/// let schedule = check(&files).unwrap();
/// assert!(schedule.owner_of("src/main.rs").is_some());
/// let faults = check(&files.without("tasks_1.md")).unwrap_err();
/// assert!(faults.to_string().contains("plan_1 has no checklist"));
/// ```
pub fn check(files: &PlanningFiles) -> Result<Schedule, ScheduleFaults> {
    let Planned { sources, mut found, texts, file, plan } = planned(files);
    let sub_plans = sub_plans(&texts, &sources, files.change(), &mut found);
    let tasks = tasks_of(&texts, &sources, &mut found);
    // Where fields of the execution plan are wrong, what follows from them would be wrong too.
    let Some(plan) = plan else { return Err(ScheduleFaults::new(sources, found)) };
    Order {
        plan: &plan,
        file,
        sub_plans: &sub_plans,
        tasks: &tasks,
        sources: &sources,
        found: &mut found,
    }
    .check();
    overlaps(&plan, &sub_plans, &mut found);
    if found.is_empty() {
        Ok(schedule(plan, sub_plans, &tasks, files.change()))
    } else {
        Err(ScheduleFaults::new(sources, found))
    }
}

/// Files as they were read, and the execution plan that is among them.
struct Planned<'f> {
    sources: Sources,
    found: Vec<Diagnostic<ScheduleCode>>,
    texts: BTreeMap<&'f str, FileId>,
    /// The file of the execution plan.
    file: FileId,
    /// What it says, if none of its fields is wrong.
    plan: Option<ExecutionPlan>,
}

fn planned(files: &PlanningFiles) -> Planned<'_> {
    let mut sources = Sources::new(format!("{}/{PLANNING}", files.change()));
    let mut found = Vec::new();
    let mut texts: BTreeMap<&str, FileId> = BTreeMap::new();
    for (name, bytes) in files.iter() {
        let path = format!("{}/{PLANNING}/{name}", files.change());
        let file = sources.add_as(Folder::Elsewhere, name, path, bytes.to_vec());
        if !sources.get(file).utf8 {
            found.push(not_utf8(&sources, file));
        }
        texts.insert(name, file);
    }
    let (file, plan) = if let Some(file) = texts.get(EXECUTION_PLAN).copied() {
        (file, read::read(&sources.get(file).text, file, &mut found))
    } else {
        let file = sources.add_absent(Folder::Elsewhere, EXECUTION_PLAN);
        found.push(no_execution_plan(&sources, file));
        (file, None)
    };
    Planned { sources, found, texts, file, plan }
}

fn no_execution_plan(sources: &Sources, file: FileId) -> Diagnostic<ScheduleCode> {
    let message = format!("there is no `{EXECUTION_PLAN}`");
    Diagnostic::new(ScheduleCode::NoExecutionPlan, sources.first_line(file), message)
        .help("write it: it says which plans are carried out, and in which order")
}

fn not_utf8(sources: &Sources, file: FileId) -> Diagnostic<ScheduleCode> {
    // The text ends where the first wrong byte stood.
    let end = sources.get(file).text.len();
    let span = crate::template::Span::new(end - '\u{fffd}'.len_utf8(), end);
    Diagnostic::new(ScheduleCode::NotUtf8, Place { file, span }, "the file is not UTF-8")
        .help("save it as UTF-8")
}

fn sub_plans(
    texts: &BTreeMap<&str, FileId>,
    sources: &Sources,
    change: &str,
    found: &mut Vec<Diagnostic<ScheduleCode>>,
) -> BTreeMap<PlanIndex, SubPlan> {
    let mut sub_plans = BTreeMap::new();
    for (name, file) in texts.iter().filter(|(name, _)| name.starts_with("plan_")) {
        if let Some(index) = PlanIndex::of_plan_file(name) {
            let text = &sources.get(*file).text;
            sub_plans.insert(index, sub_plan::read(text, *file, change, found));
        } else {
            let message = format!("`{}` is not a file of a plan", name.escape_debug());
            let help = "rename it to `plan_1.md`, with its number, or to something else";
            let place = sources.first_line(*file);
            found.push(Diagnostic::new(ScheduleCode::PlanFileName, place, message).help(help));
        }
    }
    sub_plans
}

/// Counts the tasks of each checklist.
fn tasks_of(
    texts: &BTreeMap<&str, FileId>,
    sources: &Sources,
    found: &mut Vec<Diagnostic<ScheduleCode>>,
) -> BTreeMap<PlanIndex, usize> {
    let mut counts = BTreeMap::new();
    for (name, file) in texts {
        let Some(index) = PlanIndex::of_tasks_file(name) else { continue };
        let count = tasks::titles(&sources.get(*file).text).len();
        if count == 0 {
            let place = sources.first_line(*file);
            let message = "the checklist contains no task";
            let help = "write an item for each: - [ ] Write a test for the flag";
            found.push(Diagnostic::new(ScheduleCode::NoTasks, place, message).help(help));
        }
        counts.insert(index, count);
    }
    counts
}

/// Sees to it that lanes which are carried out at the same time own nothing in common.
fn overlaps(
    plan: &ExecutionPlan,
    sub_plans: &BTreeMap<PlanIndex, SubPlan>,
    found: &mut Vec<Diagnostic<ScheduleCode>>,
) {
    for group in plan.groups.iter().filter(|group| group.mode == Mode::Parallel) {
        // A plan that is scheduled twice is reported as such, and does not overlap with itself.
        let indexes: BTreeSet<PlanIndex> =
            group.plans.iter().map(|reference| reference.index.value).collect();
        let lanes: Vec<(PlanIndex, &SubPlan)> =
            indexes.iter().filter_map(|index| Some((*index, sub_plans.get(index)?))).collect();
        let owners: Vec<Vec<&OwnedPattern>> = lanes
            .iter()
            .map(|(_, lane)| lane.owned.iter().map(|owned| &owned.value).collect())
            .collect();
        for Shared { left, right, path } in shared_paths(&owners) {
            let ((first, first_lane), (second, second_lane)) = (lanes[left.0], lanes[right.0]);
            let place = |lane: &SubPlan, number: usize| Place {
                file: lane.file,
                span: lane.owned[number].span,
            };
            let message = format!("{first} and {second} run in parallel, and both own `{path}`");
            let help = "give the file to one of them, make one plan of both, or put them into \
                        separate groups";
            found.push(
                Diagnostic::new(ScheduleCode::Overlap, place(second_lane, right.1), message)
                    .label(place(first_lane, left.1), format!("{first} owns it here"))
                    .help(help),
            );
        }
    }
}

/// Puts together what has been found to be in order.
fn schedule(
    plan: ExecutionPlan,
    mut sub_plans: BTreeMap<PlanIndex, SubPlan>,
    tasks: &BTreeMap<PlanIndex, usize>,
    change: &str,
) -> Schedule {
    let mut lane = |index: PlanIndex, name: String| {
        let SubPlan { owned, dependencies, .. } = sub_plans.remove(&index)?;
        let dependencies: BTreeSet<PlanIndex> =
            dependencies.into_iter().map(|dependency| dependency.value).collect();
        Some(Lane {
            index,
            name,
            owned: owned.into_iter().map(|owned| owned.value).collect(),
            dependencies: dependencies.into_iter().collect(),
            tasks: tasks.get(&index).copied().unwrap_or_default(),
            change: change.to_owned(),
        })
    };
    let documents = Documents::of(&plan);
    let groups = plan.groups.into_iter().map(|group| LaneGroup {
        id: group.group_id.value,
        mode: group.mode,
        lanes: group
            .plans
            .into_iter()
            .filter_map(|reference| lane(reference.index.value, reference.name))
            .collect(),
    });
    Schedule {
        groups: groups.collect(),
        needs_design: plan.needs_design,
        documents,
        review_strategy: plan.review_strategy,
    }
}
