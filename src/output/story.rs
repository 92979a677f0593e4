//! The events of a change as lines for people: a label, what happened, and how it is to be taken.

use std::path::Path;

use super::{amount, team};
use crate::engine::event::Event;
use crate::engine::evidence::{Checked, Ended};
use crate::engine::machine::{Check, Evidence, Outcome, Stage};
use crate::models::plan::PlanIndex;
use crate::models::word::Word as _;
use crate::orchestrator::watch as call;
use crate::template::{Phase, Verdict};

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What it is about.
    pub(crate) label: String,
    /// What happened.
    pub(crate) text: String,
    /// How it is to be taken.
    pub(crate) tone: Tone,
}

/// How a line is to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it is.
    Plain,
    /// As good.
    Good,
    /// As something to look at.
    Notice,
    /// As bad.
    Bad,
}

pub(super) fn line(label: &str, text: impl Into<String>, tone: Tone) -> Line {
    Line { label: label.to_owned(), text: text.into(), tone }
}

/// Tells an event; one that only shows life is none.
pub(crate) fn tell(event: &Event<'_>) -> Vec<Line> {
    match event {
        Event::PhaseStarted { phase, round, agent, model, resumed } => {
            let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
            let resumed = if *resumed { ", going on where it was cut off" } else { "" };
            let text = format!("round {round}: {agent}{model} {}{resumed}", work(*phase));
            vec![line(phase.word(), text, Tone::Plain)]
        }
        Event::StepStarted { step, round, agent, model, resumed } => {
            vec![team::started(*step, (*round, agent, *model), *resumed)]
        }
        Event::StepFinished { step, result, usage, .. } => {
            vec![team::finished(*step, *result, usage)]
        }
        Event::GroupStarted { group, mode, plans } => vec![team::group(group, *mode, plans)],
        Event::Lane(event) => vec![team::lane(event)],
        Event::InLane { plan, event } => {
            let mut lines = tell(event);
            for line in &mut lines {
                line.label = format!("plan {plan}");
            }
            lines
        }
        Event::Research(event) => vec![team::research(event)],
        Event::InResearch { topic, event } => {
            let mut lines = tell(event);
            for line in &mut lines {
                (*topic).clone_into(&mut line.label);
            }
            lines
        }
        Event::Call(event) => told_of_call(event),
        Event::SetAside { patch } => {
            vec![line("kept", format!("unfinished edits in {}", patch.display()), Tone::Notice)]
        }
        Event::BranchSetBack { branch, commit } => {
            let text =
                format!("{branch}, which was at {commit}: `git branch NAME {commit}` keeps that");
            vec![line("set back", text, Tone::Notice)]
        }
        Event::PutBack { files } => {
            let text = format!("not the agent's to write: {}", files.join(", "));
            vec![line("put back", text, Tone::Notice)]
        }
        Event::PlansMended { files } => {
            let text = format!("not what was planned any more: {}", files.join(", "));
            vec![line("put back", text, Tone::Notice)]
        }
        Event::PlansSetAside { plans } => {
            let tell = |plan: &PlanIndex| {
                let (number, file) = (plan.get(), plan.plan_file());
                let text = format!(
                    "plan {number} is set aside, and nobody carries it out: 04_planning/set_aside/{file}"
                );
                line("planner", text, Tone::Notice)
            };
            plans.iter().map(tell).collect()
        }
        Event::FilesAskedAgain { faults } => {
            faults.iter().map(|fault| line("asked", fault.to_string(), Tone::Notice)).collect()
        }
        Event::PhaseFinished { phase, outcome, usage, next } => {
            let (word, tone) = outcome_words(*outcome);
            let passed_on_red = *outcome == Outcome::Verdict(Verdict::Pass)
                && *phase == Phase::Review
                && *next == Stage::Due(Phase::Implement);
            let (back, tone) = if passed_on_red {
                (", but the checks are red: back to implement", Tone::Bad)
            } else {
                (way_back(*phase, *outcome), tone)
            };
            vec![line(phase.word(), format!("{word}{back} ({})", amount::usage(usage)), tone)]
        }
        Event::ChecksStarted { count: 0, check: Check::AfterImplement } => {
            let text = "none are configured: `[verify] commands` in agentd/config.toml";
            vec![line("checks", text, Tone::Notice)]
        }
        Event::ChecksStarted { .. }
        | Event::CheckStarted { .. }
        | Event::ChecksFinished { evidence: Evidence::Green } => Vec::new(),
        Event::CheckFinished(checked) => vec![told_of_check(checked)],
        Event::ChecksFinished { evidence: Evidence::Red } => {
            vec![line("checks", "red: the change cannot be archived like this", Tone::Bad)]
        }
        Event::Archived { folder } => {
            vec![line("archived", folder.display().to_string(), Tone::Good)]
        }
    }
}

fn told_of_check(checked: &Checked) -> Line {
    let took = amount::duration(std::time::Duration::from_millis(checked.milliseconds));
    match &checked.end {
        Ended::Passed => line("check", format!("passed: {} ({took})", checked.command), Tone::Good),
        Ended::Failed(reason) => {
            line("check", format!("failed: {} ({reason}, {took})", checked.command), Tone::Bad)
        }
    }
}

/// Says which call it is and how large its prompt. A token is about four bytes of English and of code.
fn sent(run: &Path, bytes: usize) -> Line {
    let name = run.file_name().unwrap_or_default().to_string_lossy();
    let number = name.split('-').next().unwrap_or_default().trim_start_matches('0');
    let bytes = bytes as u64;
    let text = format!(
        "a prompt of {} bytes, about {} tokens",
        amount::count(bytes),
        amount::count(bytes.div_ceil(4))
    );
    line(&format!("call {number}"), text, Tone::Plain)
}

fn told_of_call(event: &call::Event<'_>) -> Vec<Line> {
    match event {
        call::Event::Started { run, prompt_bytes, .. } => vec![sent(run, *prompt_bytes)],
        call::Event::Progress(_) => Vec::new(),
        call::Event::LeftOut { left } => {
            let text =
                format!("`{}` ({} bytes): the prompt would be too large", left.name, left.bytes);
            vec![line("left out", text, Tone::Notice)]
        }
        call::Event::LeftOver { run } => {
            vec![line("found", format!("the agent's answer in {}", run.display()), Tone::Plain)]
        }
        call::Event::Repeated { error, after } => {
            let text = format!("{error}; asking again in {}", amount::duration(*after));
            vec![line("failed", text, Tone::Notice)]
        }
        call::Event::StandsStill { window, attach } => {
            let text = format!("window {window} stands still: look at it with `{attach}`");
            vec![line("still", text, Tone::Notice)]
        }
        call::Event::AskedAgain { unclear } => {
            let text = format!("{unclear}; asking once more, for that alone");
            vec![line("asked", text, Tone::Notice)]
        }
        call::Event::Denied { tools } => {
            vec![line(
                "denied",
                format!("not allowed and not done: {}", tools.join(", ")),
                Tone::Notice,
            )]
        }
    }
}

/// Says what an agent does in a phase.
const fn work(phase: Phase) -> &'static str {
    match phase {
        Phase::Plan => "writes the proposal, the specs and the tasks",
        Phase::Challenge => "challenges the plan",
        Phase::Implement => "does the tasks, in a worktree of their own",
        Phase::Review => "reviews the code and what the checks came to",
        Phase::Archive => "writes the changelog and the specs as they are now",
    }
}

/// Says where an outcome leads that is no success, and where the reason can be read.
const fn way_back(phase: Phase, outcome: Outcome) -> &'static str {
    match (phase, outcome) {
        (Phase::Challenge, Outcome::Verdict(Verdict::NeedsRevision)) => {
            ", back to plan: CHALLENGE.md says why"
        }
        (Phase::Review, Outcome::Verdict(Verdict::NeedsChanges | Verdict::MajorIssues)) => {
            ", back to implement: REVIEW.md says why"
        }
        (Phase::Challenge, Outcome::Verdict(Verdict::Rejected)) => ": CHALLENGE.md says why",
        (
            Phase::Plan | Phase::Challenge | Phase::Implement | Phase::Review | Phase::Archive,
            Outcome::Verdict(_) | Outcome::AllDone | Outcome::TasksLeft | Outcome::Files,
        ) => "",
    }
}

/// Says an outcome in words.
pub(crate) fn outcome_words(outcome: Outcome) -> (&'static str, Tone) {
    match outcome {
        Outcome::Verdict(Verdict::Pass) => (outcome.spelled(), Tone::Good),
        Outcome::Verdict(Verdict::NeedsRevision | Verdict::NeedsChanges) => {
            (outcome.spelled(), Tone::Notice)
        }
        Outcome::Verdict(Verdict::MajorIssues | Verdict::Rejected) => {
            (outcome.spelled(), Tone::Bad)
        }
        Outcome::AllDone => ("every task COMPLETED", Tone::Good),
        Outcome::TasksLeft => ("tasks are left", Tone::Notice),
        Outcome::Files => ("files in order", Tone::Good),
    }
}
