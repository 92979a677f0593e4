//! `agentd schedule check`: whether the plans of a change can be carried out, and what is wrong with them.

use clap::Args;
use serde_json::{Value, json};

use super::{not_right, planning_files};
use crate::cli::{Failure, Format, Kind, Outcome};
use crate::engine::schedule::{Lane, LaneGroup, Schedule, check};
use crate::models::change::ChangeId;
use crate::models::plan::OwnedPattern;

/// Check the plans of a change: their order, the files that each owns, and that no two parallel plans own the same
/// file.
///
/// Exit code 4 means that there are faults; all are shown.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd schedule check add-login
  agentd schedule check add-login --json")]
pub(crate) struct Check {
    /// The change's id.
    change: ChangeId,
    #[command(flatten)]
    format: Format,
}

impl Check {
    pub(super) fn run(&self) -> Outcome {
        let id = &self.change;
        match check(&planning_files(id)?) {
            Ok(schedule) => self.format.print(object(id, &schedule), &in_words(id, &schedule)),
            Err(faults) if self.format.json => {
                let object = json!({ "change": id, "ok": false, "faults": faults.to_json() });
                self.format.print(object, "")?;
                let message = format!("the plans of `{id}` have faults");
                Err(Failure::new(Kind::Precondition, message))
            }
            Err(faults) => Err(not_right(id, &faults)),
        }
    }
}

fn in_words(id: &ChangeId, schedule: &Schedule) -> String {
    let mut text = String::new();
    for group in schedule.groups() {
        text.push_str(&format!("{} ({})\n", group.id(), group.mode()));
        for lane in group.lanes() {
            let tasks = counted(lane.tasks(), "task");
            text.push_str(&format!("  {}  {}, {tasks}\n", lane.index(), lane.name()));
            let owned: Vec<_> = lane.owned().iter().map(OwnedPattern::as_str).collect();
            text.push_str(&format!("    owns     {}\n", owned.join(", ")));
            if !lane.dependencies().is_empty() {
                let after: Vec<_> = lane.dependencies().iter().map(ToString::to_string).collect();
                text.push_str(&format!("    after    {}\n", after.join(", ")));
            }
        }
    }
    let review = schedule.review_strategy();
    text.push_str(&format!("review   {} severity", review.severity));
    if !review.focus.is_empty() {
        text.push_str(&format!(", above all {}", review.focus.join(", ")));
    }
    text.push('\n');
    if schedule.needs_design() {
        text.push_str("design   before the code\n");
    }
    if schedule.needs_docs() {
        let files: Vec<_> = schedule.doc_files().iter().map(OwnedPattern::as_str).collect();
        text.push_str(&format!("docs     one of {} with the code\n", files.join(", ")));
    }
    let groups = counted(schedule.groups().len(), "group");
    let lanes = counted(schedule.lanes().count(), "plan");
    text.push_str(&format!("{id}: {groups}, {lanes}, no faults\n"));
    text
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn object(id: &ChangeId, schedule: &Schedule) -> Value {
    let texts = |patterns: &[OwnedPattern]| -> Vec<String> {
        patterns.iter().map(ToString::to_string).collect()
    };
    let lane = |lane: &Lane| {
        let after: Vec<_> = lane.dependencies().iter().map(|index| index.get()).collect();
        json!({
            "plan": lane.index().get(), "file": lane.index().plan_file(), "name": lane.name(),
            "owned": texts(lane.owned()), "dependencies": after, "tasks": lane.tasks(),
        })
    };
    let group = |group: &LaneGroup| {
        let lanes: Vec<_> = group.lanes().iter().map(lane).collect();
        json!({ "group_id": group.id(), "mode": group.mode().word(), "lanes": lanes })
    };
    let review = schedule.review_strategy();
    json!({
        "change": id, "ok": true,
        "groups": schedule.groups().iter().map(group).collect::<Vec<_>>(),
        "needs_design": schedule.needs_design(), "needs_docs": schedule.needs_docs(),
        "doc_files": texts(schedule.doc_files()),
        "review_strategy": { "severity": review.severity.word(), "focus": review.focus },
    })
}
