//! `agentd markers`: reads the markers of an agent's answer, for pipes and for people.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use super::input;
use super::value_parsers::phase;
use crate::cli::{Advice, Advise, Failure, Format, Kind, Outcome, print_json};
use crate::models::marker::{Marker, MarkerError};
use crate::orchestrator::markers::{Answer, Explained};
use crate::output::escape_control::escape_control;
use crate::template::{Phase, TaskStatus, Verdict};

/// Read the markers of an agent's answer: verdict, task statuses, a question for a person, and the text without its
/// thoughts.
///
/// PASS counts only alone on a line of plain text, and only if nothing in the answer contradicts it; any other verdict
/// counts anywhere outside code and thoughts, and the worst of several counts. COMPLETED is read like PASS; FAILED and
/// a question for a person (blocked) count however they are written. Every marker is listed with its line and why it
/// counts or does not. In the phase implement the tasks decide.
///
/// Exit code 0 means PASS (or all tasks completed), 8 another verdict (or a failed task, or a question for a person,
/// which overrides every verdict), 7 that there is no verdict or that it is unclear.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd markers answer.md --phase review
  claude -p \"Review this\" | agentd markers --json | jq .verdict")]
pub(super) struct Markers {
    /// The answer [default: standard input].
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The phase of the answer; a verdict that the phase does not know is an error.
    #[arg(long, value_name = "PHASE", value_parser = phase)]
    phase: Option<Phase>,
    #[command(flatten)]
    format: Format,
}

impl Advise for MarkerError {
    fn advice(&self) -> Advice {
        Kind::Marker.into()
    }
}

/// Fails for an answer that asks a person, has a verdict other than PASS, or reports failed tasks.
pub(super) fn ensure_passed<'a>(
    blocked: Option<&str>,
    verdict: Option<Verdict>,
    statuses: impl Iterator<Item = (&'a str, TaskStatus)>,
) -> Outcome {
    let failed = statuses.filter(|(_, status)| *status == TaskStatus::Failed);
    let failed: Vec<_> = failed.map(|(id, _)| id).collect();
    let message = match (blocked, verdict) {
        (Some(reason), _) => format!("the agent needs an answer: {reason}"),
        (None, Some(verdict)) if verdict != Verdict::Pass => format!("the verdict is {verdict}"),
        (None, _) if !failed.is_empty() => format!("tasks failed: {}", failed.join(", ")),
        (None, _) => return Ok(()),
    };
    Err(Failure::new(Kind::NotPassed, message))
}

impl Markers {
    pub(super) fn run(&self) -> Outcome {
        let text = input::file_or_stdin(&self.file)?;
        let answer = Answer::read(&text);
        if self.format.json {
            print_json(in_json(&answer, self.phase))?;
        } else {
            print(&answer, self.phase)?;
        }
        let blocked = answer.blocked();
        if blocked.is_some() {
            return ensure_passed(blocked.as_deref(), None, std::iter::empty());
        }
        let statuses = statuses(&answer, self.phase)?;
        let (verdict, statuses) = match self.phase {
            Some(Phase::Archive) => return Ok(()),
            Some(Phase::Implement) => (None, statuses),
            Some(Phase::Plan | Phase::Challenge | Phase::Review) | None => {
                (Some(answer.verdict(self.phase)?), Vec::new())
            }
        };
        ensure_passed(None, verdict, statuses.into_iter())
    }
}

/// Reads the statuses: the phase implement requires some.
fn statuses<'a>(
    answer: &'a Answer<'_>,
    phase: Option<Phase>,
) -> Result<Vec<(&'a str, TaskStatus)>, MarkerError> {
    if phase == Some(Phase::Implement) {
        answer.reported_statuses()
    } else {
        answer.task_statuses()
    }
}

fn print(answer: &Answer<'_>, phase: Option<Phase>) -> io::Result<()> {
    let mut lines =
        vec![("verdict", answer.verdict(phase).map_or("none", Verdict::word).to_owned())];
    lines.extend(answer.blocked().map(|reason| ("blocked", reason)));
    let statuses = answer.task_statuses().unwrap_or_default().into_iter();
    lines.extend(statuses.map(|(id, status)| ("task", format!("{id} {status}"))));
    for marker in answer.explained() {
        let label = match (marker.counts, marker.contradicts) {
            (true, _) => "counts",
            (false, true) => "against",
            (false, false) => "ignored",
        };
        let Explained { text, line, why, .. } = marker;
        lines.push((label, format!("{text} (line {line}: {why})")));
    }
    let stdout = io::stdout().lock();
    // A terminal interprets control characters; a file or another program gets the bytes.
    let text = answer.without_thoughts();
    let text = if stdout.is_terminal() { escape_control(&text) } else { text.as_ref().into() };
    let mut out = io::BufWriter::new(stdout);
    for (label, text) in lines {
        writeln!(out, "{label:<10} {}", escape_control(&text))?;
    }
    let end = if text.ends_with('\n') { "" } else { "\n" };
    write!(out, "\n{text}{end}")?;
    out.flush()
}

fn in_json(answer: &Answer<'_>, phase: Option<Phase>) -> Value {
    let verdict = answer.verdict(phase);
    let statuses = statuses(answer, phase);
    let tasks = statuses.as_deref().unwrap_or_default().iter();
    let tasks: Vec<_> =
        tasks.map(|(id, status)| json!({ "id": id, "status": status.word() })).collect();
    let thoughts = answer.markers.iter().filter_map(|marker| match marker {
        Marker::Thought { text, .. } => Some(text.as_str()),
        Marker::Review { .. } | Marker::Task { .. } | Marker::Blocked { .. } => None,
    });
    let marker = |marker: Explained| {
        json!({
            "text": marker.text, "line": marker.line, "counts": marker.counts,
            "contradicts_pass": marker.contradicts, "why": marker.why,
        })
    };
    json!({
        "version": 1,
        "verdict": verdict.as_ref().ok().map(|verdict| verdict.word()),
        "verdict_error": verdict.as_ref().err().map(ToString::to_string),
        "blocked": answer.blocked(),
        "tasks": tasks,
        "tasks_error": statuses.as_ref().err().map(ToString::to_string),
        "markers": answer.explained().into_iter().map(marker).collect::<Vec<_>>(),
        "ignored": answer.ignored(),
        "thoughts": thoughts.collect::<Vec<_>>(),
        "text": answer.without_thoughts(),
    })
}
