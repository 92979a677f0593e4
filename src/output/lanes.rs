//! Plans and topics of research as lines for people.

use super::human::{Line, Tone, line};
use crate::engine::lanes::LaneEvent;
use crate::engine::research::ResearchEvent;
use crate::models::plan::{Mode, PlanIndex};

/// Returns the line for a group of plans.
pub(super) fn group(id: &str, mode: Mode, plans: &[PlanIndex]) -> Line {
    let numbers: Vec<_> = plans.iter().map(|plan| plan.get().to_string()).collect();
    let text = match (numbers.as_slice(), mode) {
        ([one], _) => format!("{id}: plan {one}"),
        (all, Mode::Parallel) => format!("{id}: plans {}, in parallel", all.join(", ")),
        (all, Mode::Serial) => format!("{id}: plans {}, one after another", all.join(", ")),
    };
    line("group", text, Tone::Plain)
}

/// Returns the line for an event of a plan.
pub(super) fn lane(event: &LaneEvent) -> Line {
    let short = |commit: &dyn ToString| commit.to_string().chars().take(12).collect::<String>();
    let (text, tone) = match event {
        LaneEvent::Started { base, .. } => (format!("starts at {}", short(base)), Tone::Plain),
        LaneEvent::SetAside { branch, .. } => {
            (format!("unfinished work is kept on branch {branch}"), Tone::Notice)
        }
        LaneEvent::Finished { commit, .. } => {
            (format!("done, in commit {}", short(commit)), Tone::Good)
        }
        LaneEvent::Failed { message, .. } => (format!("failed: {message}"), Tone::Bad),
        LaneEvent::Quarantined { files, .. } => {
            (format!("wrote files that it does not own: {}", files.join(", ")), Tone::Bad)
        }
        LaneEvent::WroteOutside { files, .. } => {
            (format!("wrote more than it owns: {}", files.join(", ")), Tone::Notice)
        }
        LaneEvent::Merged { into, .. } => {
            (format!("merged into the change, at {}", short(into)), Tone::Good)
        }
        LaneEvent::Conflict { files, .. } => {
            (format!("conflicts with the others in {}", files.join(", ")), Tone::Bad)
        }
    };
    line(&format!("plan {}", event.plan().get()), text, tone)
}

/// Returns the line for an event of a research topic.
pub(super) fn research(event: &ResearchEvent) -> Line {
    let (text, tone) = match event {
        ResearchEvent::Started { .. } => ("started".to_owned(), Tone::Plain),
        ResearchEvent::Finished { .. } => ("finished".to_owned(), Tone::Good),
        ResearchEvent::Failed { message, .. } => {
            (format!("failed, and the team continues without it: {message}"), Tone::Notice)
        }
    };
    line(event.topic(), text, tone)
}
