//! The events of a change as lines for people: a label, what happened, and whether that is good.

use std::path::Path;

use super::{format, lanes};
use crate::engine::check_report::{CheckResult, Checked};
use crate::engine::event::Event;
use crate::flow::{Outcome, Step};
use crate::models::plan::PlanIndex;
use crate::models::settings::RedBaseline;
use crate::models::token_estimate;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::watch as call;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// What it is about.
    pub(crate) label: String,
    /// What happened.
    pub(crate) text: String,
    /// Whether that is good.
    pub(crate) tone: Tone,
}

/// Whether what a line says is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Neutral.
    Plain,
    /// Success.
    Good,
    /// Something to look at.
    Notice,
    /// Failure.
    Bad,
}

pub(super) fn line(label: &str, text: impl Into<String>, tone: Tone) -> Line {
    Line { label: label.to_owned(), text: text.into(), tone }
}

/// Returns the lines for an event; progress events have none.
pub(crate) fn lines_for(event: &Event<'_>) -> Vec<Line> {
    match event {
        Event::StepStarted { step, round, agent, model, resumed } => {
            let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
            let resumed = if *resumed { ", continuing where it was interrupted" } else { "" };
            let text = format!("round {round}: {agent}{model} {}{resumed}", step.about);
            vec![line(&step.name, text.trim_end(), Tone::Plain)]
        }
        Event::StepFinished { step, outcome, counts_as, usage, next } => {
            vec![finished(step, (*outcome, *counts_as), usage, next)]
        }
        Event::NothingChanged { step } => {
            let text = "nothing was changed in this round, so it counts as failed";
            vec![line(&step.name, text, Tone::Bad)]
        }
        Event::Blocked { step, reason } => {
            vec![line(&step.name, format!("blocked: {reason}"), Tone::Notice)]
        }
        Event::GroupStarted { group, mode, plans } => vec![lanes::group(group, *mode, plans)],
        Event::Lane(event) => vec![lanes::lane(event)],
        Event::InLane { plan, event } => {
            let mut lines = lines_for(event);
            for line in &mut lines {
                line.label = format!("plan {plan}");
            }
            lines
        }
        Event::Research(event) => vec![lanes::research(event)],
        Event::InResearch { topic, event } => {
            let mut lines = lines_for(event);
            for line in &mut lines {
                (*topic).clone_into(&mut line.label);
            }
            lines
        }
        Event::Call(event) => call_lines(event),
        Event::SetAside { patch } => {
            vec![line("kept", format!("unfinished edits in {}", patch.display()), Tone::Notice)]
        }
        Event::BranchSetBack { branch, kept, .. } => {
            let text = format!("{branch} to the change's own code; what it held is on {kept}");
            vec![line("reset", text, Tone::Notice)]
        }
        Event::DocumentsRestored { files } => {
            let text = format!("missing documents: {}", files.join(", "));
            vec![line("restored", text, Tone::Notice)]
        }
        Event::DocumentsEdited { files } => {
            let text = format!("by hand, and accepted: {}", files.join(", "));
            vec![line("edited", text, Tone::Notice)]
        }
        Event::PlansSetAside { plans } => {
            let tell = |plan: &PlanIndex| {
                let (number, file) = (plan.get(), plan.plan_file());
                let text = format!(
                    "plan {number} is set aside and will not be carried out: 04_planning/set_aside/{file}"
                );
                line("planner", text, Tone::Notice)
            };
            plans.iter().map(tell).collect()
        }
        Event::FilesAskedAgain { faults } => {
            faults.iter().map(|fault| line("asked", fault.to_string(), Tone::Notice)).collect()
        }
        Event::ChecksStarted { count: 0, step } if !step.clean => {
            let text = "none configured: `[verify] commands` in agentd/config.toml names them";
            vec![line("checks", text, Tone::Notice)]
        }
        Event::BaselineStarted { .. } => {
            let text = "setup and checks run on the unchanged code, before the first call";
            vec![line("baseline", text, Tone::Plain)]
        }
        Event::BaselineFinished { result } => vec![baseline(result)],
        Event::BaselineChosen { choice } => vec![line("baseline", chosen(*choice), Tone::Notice)],
        Event::ChecksStarted { .. } | Event::CheckStarted { .. } => Vec::new(),
        Event::CheckFinished(checked) => vec![check_line(checked)],
        Event::ChecksFinished { result, ignored, .. } => {
            let red = "red: the change cannot be archived like this";
            let shown = match result {
                CheckResult::None | CheckResult::Green => None,
                CheckResult::Except(_) => Some(line("checks", result.to_string(), Tone::Notice)),
                CheckResult::Red => Some(line("checks", red, Tone::Bad)),
            };
            shown.into_iter().chain(in_ignored_places(ignored)).collect()
        }
        Event::Archived { folder } => {
            vec![line("archived", folder.display().to_string(), Tone::Good)]
        }
    }
}

fn baseline(result: &CheckResult) -> Line {
    match result {
        CheckResult::None => line("baseline", "set up; no checks are configured", Tone::Plain),
        CheckResult::Green | CheckResult::Except(_) => line("baseline", "green", Tone::Good),
        CheckResult::Red => line("baseline", "red before the change", Tone::Bad),
    }
}

/// Returns what was chosen for checks that failed before the change.
pub(crate) const fn chosen(choice: RedBaseline) -> &'static str {
    match choice {
        RedBaseline::Stop => "stop",
        RedBaseline::Fix => "fix: this change must make the checks pass",
        RedBaseline::Tolerate => {
            "tolerate: checks that failed before may fail, and you are asked before the archive"
        }
    }
}

fn check_line(checked: &Checked) -> Line {
    let took = format::duration(std::time::Duration::from_millis(checked.milliseconds));
    match &checked.failure {
        None => line("check", format!("passed: {} ({took})", checked.command), Tone::Good),
        Some(reason) => {
            line("check", format!("failed: {} ({reason}, {took})", checked.command), Tone::Bad)
        }
    }
}

/// Returns the number of the call and the size of its prompt.
fn sent(run: &Path, bytes: usize) -> Line {
    let name = run.file_name().unwrap_or_default().to_string_lossy();
    let number = name.split('-').next().unwrap_or_default().trim_start_matches('0');
    let bytes = bytes as u64;
    let text = format!(
        "a prompt of {} bytes, about {} tokens",
        format::count(bytes),
        format::count(token_estimate::tokens(bytes))
    );
    line(&format!("call {number}"), text, Tone::Plain)
}

fn call_lines(event: &call::Event<'_>) -> Vec<Line> {
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
            let text = format!("{error}; asking again in {}", format::duration(*after));
            vec![line("failed", text, Tone::Notice)]
        }
        call::Event::StandsStill { window, attach } => {
            let text = format!("window {window} is idle: attach with `{attach}`");
            vec![line("still", text, Tone::Notice)]
        }
        call::Event::AskedAgain { unclear } => {
            let text = format!("{unclear}; asking again for the verdict only");
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

/// Describes how a step ended, where to read the reason, and where a failure leads.
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
    line(&step.name, format!("{words}{back}{why} ({})", format::usage(usage)), tone)
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
        Outcome::Files => ("its files are valid", Tone::Good),
        Outcome::Done => ("done", Tone::Good),
    }
}

/// Names files that agents left in ignored places.
fn in_ignored_places(paths: &[String]) -> Option<Line> {
    const MOST_NAMED: usize = 5;
    let (named, more) = paths.split_at_checked(MOST_NAMED).unwrap_or((paths, &[]));
    let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    let text = format!(
        "agents wrote to {}{more}, which git ignores or cannot take: no commit contains it",
        named.join(", ")
    );
    (!paths.is_empty()).then(|| line("ignored", text, Tone::Notice))
}
