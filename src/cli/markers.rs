//! `agentd markers`: what an agent's answer says, for pipes and for people.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::failure::{Failure, Kind, Outcome};
use super::input;
use super::words::phase;
use crate::models::marker::{Marker, MarkerError};
use crate::orchestrator::markers::{Answer, Explained};
use crate::output::visible::visible;
use crate::template::{Phase, TaskStatus, Verdict};

/// Read the markers of an agent's answer: verdict, task statuses, a question for a person, and what is left without its
/// thoughts.
///
/// PASS counts only alone on a line of plain text, and only if nothing in the answer says something else; any other
/// verdict counts wherever it stands outside code and thoughts, and of several the worst. COMPLETED is read like PASS,
/// FAILED and a question for a person (blocked) count however they are written. Every marker is listed with its line and why it counts or does not. In the phase
/// implement the tasks decide.
///
/// Exit code 0 means PASS (or all tasks completed), 8 another verdict (or a task that failed, or a question for a
/// person, which beats every verdict), 7 that there is none or that it is not clear.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd markers answer.md --phase review
  claude -p \"Review this\" | agentd markers --json | jq .verdict")]
pub(super) struct Markers {
    /// The answer; standard input unless given.
    #[arg(default_value = "-")]
    file: PathBuf,
    /// The phase that the answer is of; a verdict that it does not know is an error.
    #[arg(long, value_name = "PHASE", value_parser = phase)]
    phase: Option<Phase>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What the markers come to.
enum Decision {
    /// PASS, or all tasks completed, or nothing is asked for.
    Passed,
    /// Another verdict, tasks that failed, or a question for a person.
    NotPassed(String),
    /// None, or not clear.
    Unclear(MarkerError),
}

impl Markers {
    pub(super) fn run(&self) -> Outcome {
        let text = input::file_or_stdin(&self.file)?;
        let answer = Answer::read(&text);
        if self.json {
            json(&answer, self.phase)?;
        } else {
            human(&answer, self.phase)?;
        }
        match self.decide(&answer) {
            Decision::Passed => Ok(()),
            Decision::NotPassed(message) => Err(Failure::new(Kind::NotPassed, message)),
            Decision::Unclear(error) => Err(Failure::new(Kind::Marker, error.to_string())),
        }
    }

    fn decide(&self, answer: &Answer<'_>) -> Decision {
        if let Some(reason) = answer.blocked() {
            let reason = visible(&reason);
            return Decision::NotPassed(format!("the agent needs an answer: {reason}"));
        }
        let statuses = match statuses(answer, self.phase) {
            Ok(statuses) => statuses,
            Err(error) => return Decision::Unclear(error),
        };
        match self.phase {
            Some(Phase::Archive) => Decision::Passed,
            Some(Phase::Implement) => {
                let failed = statuses.iter().filter(|(_, status)| *status == TaskStatus::Failed);
                let failed: Vec<_> = failed.map(|(id, _)| *id).collect();
                if failed.is_empty() {
                    Decision::Passed
                } else {
                    Decision::NotPassed(format!("tasks failed: {}", failed.join(", ")))
                }
            }
            Some(Phase::Plan | Phase::Challenge | Phase::Review) | None => {
                match answer.verdict(self.phase) {
                    Ok(Verdict::Pass) => Decision::Passed,
                    Ok(verdict) => Decision::NotPassed(format!("the verdict is {verdict}")),
                    Err(error) => Decision::Unclear(error),
                }
            }
        }
    }
}

/// Reads the statuses: in the phase implement there must be some.
fn statuses<'a>(
    answer: &'a Answer<'_>,
    phase: Option<Phase>,
) -> Result<Vec<(&'a str, TaskStatus)>, MarkerError> {
    match phase {
        Some(Phase::Implement) => answer.reported_statuses(),
        Some(Phase::Plan | Phase::Challenge | Phase::Review | Phase::Archive) | None => {
            answer.task_statuses()
        }
    }
}

fn human(answer: &Answer<'_>, phase: Option<Phase>) -> io::Result<()> {
    let stdout = io::stdout().lock();
    let is_terminal = stdout.is_terminal();
    let mut out = io::BufWriter::new(stdout);
    let mut line = |label: &str, text: &str| writeln!(out, "{label:<10} {text}");
    match answer.verdict(phase) {
        Ok(verdict) => line("verdict", verdict.word())?,
        Err(_) => line("verdict", "none")?,
    }
    if let Some(reason) = answer.blocked() {
        line("blocked", &visible(&reason))?;
    }
    if let Ok(statuses) = answer.task_statuses() {
        for (id, status) in statuses {
            line("task", &format!("{id} {status}"))?;
        }
    }
    for marker in answer.explained() {
        let label = match (marker.counts, marker.contradicts) {
            (true, _) => "counts",
            (false, true) => "against",
            (false, false) => "ignored",
        };
        let text = visible(&marker.text);
        line(label, &format!("{text} (line {}: {})", marker.line, marker.why))?;
    }
    // A terminal obeys control characters; a file or another program gets the bytes.
    let text = answer.without_thoughts();
    let text = if is_terminal { visible(&text) } else { text.as_ref().into() };
    write!(out, "\n{text}")?;
    if !text.ends_with('\n') {
        writeln!(out)?;
    }
    out.flush()
}

fn json(answer: &Answer<'_>, phase: Option<Phase>) -> io::Result<()> {
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
    let markers: Vec<_> = answer.explained().into_iter().map(marker).collect();
    let object = json!({
        "version": 1,
        "verdict": verdict.as_ref().ok().map(|verdict| verdict.word()),
        "verdict_error": verdict.as_ref().err().map(ToString::to_string),
        "blocked": answer.blocked(),
        "tasks": tasks,
        "tasks_error": statuses.as_ref().err().map(ToString::to_string),
        "markers": markers,
        "ignored": answer.ignored(),
        "thoughts": thoughts.collect::<Vec<_>>(),
        "text": answer.without_thoughts(),
    });
    writeln!(io::stdout().lock(), "{object:#}")
}
