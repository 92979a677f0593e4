//! What a team does, as lines for people: who takes which step, and how the plans get on.

use super::amount;
use super::story::{Line, Tone, line};
use crate::engine::lanes::LaneEvent;
use crate::engine::team::{ResearchEvent, StepResult, TeamStep};
use crate::models::plan::{Mode, PlanIndex};
use crate::models::usage::UsageMetrics;

/// Tells that a step begins.
pub(super) fn started(
    step: TeamStep,
    (round, agent, model): (u32, &str, Option<&str>),
    resumed: bool,
) -> Line {
    let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
    let resumed = if resumed { ", going on where it was cut off" } else { "" };
    let text = format!("round {round}: {agent}{model} {}{resumed}", work(step));
    line(step.word(), text, Tone::Plain)
}

/// Tells what a step came to.
pub(super) fn finished(step: TeamStep, result: StepResult, usage: &UsageMetrics) -> Line {
    let (words, tone) = match result {
        StepResult::Made => ("done", Tone::Good),
        StepResult::Planned => ("the work is planned and scheduled", Tone::Good),
        StepResult::Passed => ("PASS", Tone::Good),
        StepResult::Failed => ("FAIL, to be mended: 07_review/review.md says why", Tone::Notice),
    };
    line(step.word(), format!("{words} ({})", amount::usage(usage)), tone)
}

/// Tells which plans are carried out together.
pub(super) fn group(id: &str, mode: Mode, plans: &[PlanIndex]) -> Line {
    let numbers: Vec<_> = plans.iter().map(|plan| plan.get().to_string()).collect();
    let text = match (numbers.as_slice(), mode) {
        ([one], _) => format!("{id}: plan {one}"),
        (all, Mode::Parallel) => format!("{id}: plans {}, side by side", all.join(", ")),
        (all, Mode::Serial) => format!("{id}: plans {}, one after the other", all.join(", ")),
    };
    line("group", text, Tone::Plain)
}

/// Tells how a plan gets on.
pub(super) fn lane(event: &LaneEvent) -> Line {
    let short = |commit: &dyn ToString| commit.to_string().chars().take(12).collect::<String>();
    let (text, tone) = match event {
        LaneEvent::Started { base, .. } => (format!("begins at {}", short(base)), Tone::Plain),
        LaneEvent::SetAside { branch, .. } => {
            (format!("what was not finished is kept on branch {branch}"), Tone::Notice)
        }
        LaneEvent::Finished { commit, .. } => {
            (format!("done, in commit {}", short(commit)), Tone::Good)
        }
        LaneEvent::Failed { message, .. } => (format!("failed: {message}"), Tone::Bad),
        LaneEvent::Quarantined { files, .. } => {
            (format!("wrote what it does not own: {}", files.join(", ")), Tone::Bad)
        }
        LaneEvent::WroteOutside { files, .. } => {
            (format!("wrote more than it owns: {}", files.join(", ")), Tone::Notice)
        }
        LaneEvent::Merged { into, .. } => {
            (format!("is part of the change, at {}", short(into)), Tone::Good)
        }
        LaneEvent::Conflict { files, .. } => {
            (format!("conflicts with the others in {}", files.join(", ")), Tone::Bad)
        }
    };
    line(&format!("plan {}", event.plan().get()), text, tone)
}

/// Tells how a topic gets on.
pub(super) fn research(event: &ResearchEvent) -> Line {
    let (text, tone) = match event {
        ResearchEvent::Started { .. } => ("is looked into".to_owned(), Tone::Plain),
        ResearchEvent::Finished { .. } => ("has its answers".to_owned(), Tone::Good),
        ResearchEvent::Failed { message, .. } => {
            (format!("has no answers, and the team goes on without: {message}"), Tone::Notice)
        }
    };
    line(event.topic(), text, tone)
}

/// Says what an agent does in a step.
const fn work(step: TeamStep) -> &'static str {
    match step {
        TeamStep::ProductManager => "finds out what is wanted",
        TeamStep::Architect => "decides how it is built",
        TeamStep::Planner => "cuts the work into plans",
        TeamStep::Designer => "decides how it looks",
        TeamStep::Coders => "carries out the plans",
        TeamStep::Review => "reviews the code and what the checks came to",
        TeamStep::Fix => "mends what the review found",
        TeamStep::Summary => "sums up what was done",
        TeamStep::Change => "plans for what you asked to change",
    }
}
