//! Execution plans: what is accepted is in order and disjoint, tried out path by path; what is refused has faults, each
//! with a place in one of the files.

use std::collections::{BTreeMap, BTreeSet};

use agentd::engine::schedule::{
    EXECUTION_PLAN, LaneGroup, PLANNING, PlanningFiles, Schedule, ScheduleFaults,
    check as scheduled, graph,
};
use agentd::models::plan::{Mode, OwnedPattern};

use super::parts;
use super::patterns::{examples, is_short, owns};

const CHANGE: &str = "agentd/changes/fuzz";

/// More plans than these are left out.
const MOST_PLANS: usize = 12;

/// The input is an execution plan and the plans; what is wrong with checklists is no matter here, so each has one.
pub(crate) fn check(input: &[u8]) {
    let mut texts: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for (number, part) in parts(input).into_iter().enumerate().take(MOST_PLANS + 1) {
        let name =
            if number == 0 { EXECUTION_PLAN.to_owned() } else { format!("plan_{number}.md") };
        texts.insert(name, part.to_vec());
        if number > 0 {
            texts.insert(format!("tasks_{number}.md"), b"- [ ] Do it\n".to_vec());
        }
    }
    let files = texts
        .iter()
        .fold(PlanningFiles::new(CHANGE), |files, (name, text)| files.with(name, text.clone()));
    match scheduled(&files) {
        Ok(schedule) => {
            is_complete(&schedule, texts.len() / 2);
            is_in_order(&schedule);
            schedule
                .groups()
                .iter()
                .filter(|group| group.mode() == Mode::Parallel)
                .for_each(is_disjoint);
            is_drawn(&schedule);
        }
        Err(faults) => have_places(&faults, &texts),
    }
}

fn is_complete(schedule: &Schedule, plans: usize) {
    let numbers: BTreeSet<u32> = schedule.lanes().map(|lane| lane.index().get()).collect();
    assert_eq!(schedule.lanes().count(), plans, "each plan once");
    assert!(numbers.into_iter().eq((1..).take(plans)), "numbered from one on");
    let ids: BTreeSet<&str> = schedule.groups().iter().map(LaneGroup::id).collect();
    assert_eq!(ids.len(), schedule.groups().len(), "groups are told apart");
    for lane in schedule.lanes() {
        assert_eq!(lane.tasks(), 1);
        assert!(!lane.owned().is_empty() && !lane.owns(&format!("{CHANGE}/{PLANNING}/plan_1.md")));
    }
}

/// Walks through the schedule and demands at every lane that what it needs has been done.
pub(crate) fn is_in_order(schedule: &Schedule) {
    let mut done = BTreeSet::new();
    for group in schedule.groups() {
        let before = done.clone();
        for lane in group.lanes() {
            let ready = if group.mode() == Mode::Serial { &done } else { &before };
            for needed in lane.dependencies() {
                assert!(ready.contains(needed), "{} before {needed}", lane.index());
            }
            done.insert(lane.index());
        }
    }
}

/// Tries out every example of what one of the lanes owns.
fn is_disjoint(group: &LaneGroup) {
    let owned: Vec<Vec<&str>> = group
        .lanes()
        .iter()
        .map(|lane| lane.owned().iter().map(OwnedPattern::as_str).collect())
        .collect();
    if !owned.iter().flatten().all(|pattern| is_short(pattern)) {
        return;
    }
    for path in owned.iter().flatten().flat_map(|pattern| examples(pattern)) {
        let strange = |name: &str| ["", ".", ".."].contains(&name);
        if path.split('/').any(strange) {
            continue;
        }
        let owners = owned.iter().filter(|patterns| patterns.iter().any(|one| owns(one, &path)));
        assert!(owners.count() <= 1, "`{path}` has two owners: {owned:?}");
    }
}

fn is_drawn(schedule: &Schedule) {
    let lanes = schedule.lanes().count();
    assert!(graph::text(schedule).lines().count() >= lanes + schedule.groups().len());
    let mermaid = graph::mermaid(schedule);
    assert_eq!(mermaid.matches("subgraph").count(), schedule.groups().len(), "{mermaid}");
}

/// Holds every fault to the file that it names.
fn have_places(faults: &ScheduleFaults, texts: &BTreeMap<String, Vec<u8>>) {
    assert!(!faults.diagnostics().is_empty(), "refused without a fault");
    let json = faults.to_json();
    let listed = json.as_array().expect("a list");
    assert_eq!(listed.len(), faults.diagnostics().len());
    for (diagnostic, fault) in faults.diagnostics().iter().zip(listed) {
        let also = fault["also"].as_array().expect("a list").iter().map(|also| &also["at"]);
        let spans = diagnostic.labels.iter().map(|(place, _)| place.span);
        let places = also.chain([&fault["at"]]).zip(spans.chain([diagnostic.place.span]));
        for (at, span) in places {
            let path = at["path"].as_str().expect("a path");
            let name = path.rsplit('/').next().unwrap_or_default();
            let text = as_read(&texts[name]);
            assert!(text.get(span.start..span.end).is_some(), "{fault} in {text:?}");
            let before = &text[..span.start];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            assert_eq!(
                (at["line"].as_u64(), at["column"].as_u64()),
                (Some(line as u64), Some(column as u64))
            );
        }
        assert!(diagnostic.help.is_some(), "no help: {fault}");
    }
    assert_ne!(faults.to_string(), "");
    assert!(faults.lines().iter().all(|line| !line.contains('\n')), "{:?}", faults.lines());
}

/// Gives a file's text as its faults see it: without a byte-order mark, and to the first byte that is no UTF-8.
fn as_read(bytes: &[u8]) -> String {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned() + "\u{fffd}"
        }
    };
    text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)
}
