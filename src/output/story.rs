//! The events of a change as lines for people: a label, what happened, and how it is to be taken.

use std::path::Path;

use super::{amount, lanes};
use crate::engine::check_report::{Checked, Ended};
use crate::engine::event::Event;
use crate::flow::{Outcome, Step};
use crate::models::plan::PlanIndex;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::watch as call;

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
        Event::StepStarted { step, round, agent, model, resumed } => {
            let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
            let resumed = if *resumed { ", going on where it was cut off" } else { "" };
            let text = format!("round {round}: {agent}{model} {}{resumed}", step.about);
            vec![line(&step.name, text.trim_end(), Tone::Plain)]
        }
        Event::StepFinished { step, outcome, counts_as, usage, next } => {
            vec![finished(step, (*outcome, *counts_as), usage, next)]
        }
        Event::NothingChanged { step } => {
            let text = "nothing was changed in this round, so that it counts as failed";
            vec![line(&step.name, text, Tone::Bad)]
        }
        Event::Blocked { step, reason } => {
            vec![line(&step.name, format!("blocked: {reason}"), Tone::Notice)]
        }
        Event::GroupStarted { group, mode, plans } => vec![lanes::group(group, *mode, plans)],
        Event::Lane(event) => vec![lanes::lane(event)],
        Event::InLane { plan, event } => {
            let mut lines = tell(event);
            for line in &mut lines {
                line.label = format!("plan {plan}");
            }
            lines
        }
        Event::Research(event) => vec![lanes::research(event)],
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
            vec![line("restored", text, Tone::Notice)]
        }
        Event::PlansRestored { files } => {
            let text = format!("not what was planned any more: {}", files.join(", "));
            vec![line("restored", text, Tone::Notice)]
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
        Event::ChecksStarted { count: 0, step } if !step.clean => {
            let text = "none are configured: `[verify] commands` in agentd/config.toml";
            vec![line("checks", text, Tone::Notice)]
        }
        Event::ChecksStarted { .. }
        | Event::CheckStarted { .. }
        | Event::ChecksFinished { is_green: true, .. } => Vec::new(),
        Event::CheckFinished(checked) => vec![told_of_check(checked)],
        Event::ChecksFinished { is_green: false, .. } => {
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

/// Describes how a step ended, where the reason can be read, and where a failure leads.
fn finished(
    step: &Step,
    (outcome, counts_as): (Outcome, Outcome),
    usage: &UsageMetrics,
    next: &str,
) -> Line {
    let (words, tone) = outcome_words(outcome);
    let report = match (step.answer(), step.judges) {
        (Some(file), _) => Some(file),
        (None, Some(_)) => step.leaves.first().map(|file| file.path.to_string()),
        (None, None) => None,
    };
    let why = match report {
        Some(file) if !outcome.is_success() => format!(": {file} says why"),
        Some(_) | None => String::new(),
    };
    let (back, tone) = if outcome != counts_as {
        (format!(", but the checks are red or documents are missing: back to {next}"), Tone::Bad)
    } else if !outcome.is_success() && next != "rejected" && next != step.name {
        (format!(", back to {next}"), tone)
    } else {
        (String::new(), tone)
    };
    line(&step.name, format!("{words}{back}{why} ({})", amount::usage(usage)), tone)
}

/// Returns an outcome in words.
pub(crate) const fn outcome_words(outcome: Outcome) -> (&'static str, Tone) {
    match outcome {
        Outcome::Pass | Outcome::Green | Outcome::Approve => (outcome.word(), Tone::Good),
        Outcome::NeedsRevision | Outcome::NeedsChanges => (outcome.word(), Tone::Notice),
        Outcome::MajorIssues | Outcome::Rejected | Outcome::Red | Outcome::Reject => {
            (outcome.word(), Tone::Bad)
        }
        Outcome::AllDone => ("every task COMPLETED", Tone::Good),
        Outcome::TasksLeft => ("tasks are left", Tone::Notice),
        Outcome::Files => ("its files are right", Tone::Good),
        Outcome::Done => ("done", Tone::Good),
    }
}
