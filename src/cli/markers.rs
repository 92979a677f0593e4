//! `agentd markers`: what an agent's answer says, for pipes and for people.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::failure::{Failure, Kind, Outcome};
use super::input;
use super::words::phase;
use crate::models::marker::{Marker, MarkerError};
use crate::orchestrator::markers::Answer;
use crate::output::visible::visible;
use crate::template::{Phase, TaskStatus, Verdict};

/// Read the markers of an agent's answer: verdict, task statuses, and what is left without its thoughts.
///
/// Markers in code blocks, inline code, thoughts and comments do not count, and are listed with their lines. Of
/// several verdicts the worst counts. In the phase implement the tasks decide.
///
/// Exit code 0 means PASS (or all tasks completed), 8 another verdict (or a task that failed), 7 that there is
/// none or that it is not clear.
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
    /// Another verdict, or tasks that failed.
    NotPassed(String),
    /// None, or not clear.
    Unclear(MarkerError),
    /// No task was spoken of in a phase that is about tasks.
    NoTasks,
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
            Decision::NoTasks => Err(Failure::new(Kind::Marker, "the answer holds no task status")),
        }
    }

    fn decide(&self, answer: &Answer<'_>) -> Decision {
        let statuses = match answer.task_statuses() {
            Ok(statuses) => statuses,
            Err(error) => return Decision::Unclear(error),
        };
        match self.phase {
            Some(Phase::Archive) => Decision::Passed,
            Some(Phase::Implement) => {
                let failed = statuses.iter().filter(|(_, status)| *status == TaskStatus::Failed);
                let failed: Vec<_> = failed.map(|(id, _)| *id).collect();
                match (statuses.is_empty(), failed.is_empty()) {
                    (true, _) => Decision::NoTasks,
                    (false, true) => Decision::Passed,
                    (false, false) => {
                        Decision::NotPassed(format!("tasks failed: {}", failed.join(", ")))
                    }
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

fn human(answer: &Answer<'_>, phase: Option<Phase>) -> io::Result<()> {
    let stdout = io::stdout().lock();
    let is_terminal = stdout.is_terminal();
    let mut out = io::BufWriter::new(stdout);
    let mut line = |label: &str, text: &str| writeln!(out, "{label:<10} {text}");
    match answer.verdict(phase) {
        Ok(verdict) => line("verdict", verdict.word())?,
        Err(_) => line("verdict", "none")?,
    }
    for marker in &answer.markers {
        match marker {
            Marker::Task { id, status, at } => {
                line("task", &format!("{id} {status} (line {})", answer.line(*at)))?;
            }
            Marker::UnknownReview { .. } | Marker::UnknownTask { .. } => {
                line("unknown", &unknown(marker, answer))?;
            }
            Marker::Review { .. } | Marker::Thought { .. } => {}
        }
    }
    for ignored in answer.ignored() {
        let (text, number, reason) = (visible(&ignored.text), ignored.line, ignored.reason.words());
        line("ignored", &format!("{text} (line {number}, {reason})"))?;
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

fn unknown(marker: &Marker, answer: &Answer<'_>) -> String {
    match marker {
        Marker::UnknownReview { token, at } => {
            format!("verdict {} (line {})", visible(token), answer.line(*at))
        }
        Marker::UnknownTask { text, at } => {
            format!("{} (line {})", visible(text), answer.line(*at))
        }
        Marker::Review { .. } | Marker::Task { .. } | Marker::Thought { .. } => String::new(),
    }
}

fn json(answer: &Answer<'_>, phase: Option<Phase>) -> io::Result<()> {
    let verdict = answer.verdict(phase);
    let statuses = answer.task_statuses();
    let tasks = statuses.as_deref().unwrap_or_default().iter();
    let tasks: Vec<_> =
        tasks.map(|(id, status)| json!({ "id": id, "status": status.word() })).collect();
    let thoughts = answer.markers.iter().filter_map(|marker| match marker {
        Marker::Thought { text, .. } => Some(text.as_str()),
        Marker::Review { .. }
        | Marker::UnknownReview { .. }
        | Marker::Task { .. }
        | Marker::UnknownTask { .. } => None,
    });
    let object = json!({
        "version": 1,
        "verdict": verdict.as_ref().ok().map(|verdict| verdict.word()),
        "verdict_error": verdict.as_ref().err().map(ToString::to_string),
        "tasks": tasks,
        "tasks_error": statuses.as_ref().err().map(ToString::to_string),
        "ignored": answer.ignored(),
        "thoughts": thoughts.collect::<Vec<_>>(),
        "text": answer.without_thoughts(),
    });
    writeln!(io::stdout().lock(), "{object:#}")
}
