//! `agentd status`: where a change is, and the next command.

use clap::Args;
use serde_json::{Value, json};

use super::list::{List, brief, next_or_wait};
use crate::cli::{Format, Outcome, ProjectContext, ReadChange};
use crate::engine::call_log::used_from;
use crate::engine::history::History;
use crate::flow::{CHECK_REPORT, Kind as StepKind};
use crate::models::change::ChangeId;
use crate::output::format;
use crate::output::human::outcome_words;
use crate::output::json::path_text;

/// Show where a change is and the next command; without a change, show all.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd status                    every open change
  agentd status add-login          one change: its steps, its checks, its cost, the next command
  agentd status add-login --json   for scripts")]
pub(crate) struct Status {
    /// The change's id.
    change: Option<ChangeId>,
    #[command(flatten)]
    format: Format,
}

impl Status {
    pub(crate) fn run(&self) -> Outcome {
        let Some(id) = &self.change else {
            return List { format: self.format, all: false }.run();
        };
        let context = ProjectContext::find()?;
        let change = context.read(id)?;
        let holder = change.holder()?;
        let ReadChange { folder, history, .. } = change;
        let next = next_or_wait(&context, id, &history, holder.as_deref());
        let usage = used_from(&history.calls, 1);
        let question = open_question(&history);
        let object = json!({
            "id": id,
            "folder": path_text(&folder),
            "flow": history.flow.name,
            "stage": history.token(),
            "started": history.under_way(),
            "held_by": holder,
            "guarantees": history.guarantees(),
            "checks": history.last_checks.as_ref().map(ToString::to_string),
            "ignored": history.ignored,
            "baseline": baseline(&history),
            "question": question,
            "override": history.override_reason(),
            "failure": history.failure,
            "usage": usage,
            "next": next,
        });
        let mut lines = vec![
            ("change", id.to_string()),
            ("flow", history.flow.name.to_string()),
            ("folder", folder.display().to_string()),
            ("at", brief(&history, holder.as_deref())),
        ];
        lines.extend(steps(&history));
        if let Some(before) = history.baseline.as_ref().filter(|it| it.run.is_red()) {
            let failed: Vec<_> = before.run.failed().map(|it| it.command.as_str()).collect();
            let choice = before.choice.map_or("stop", |choice| choice.word());
            lines.push(("baseline", format!("red: {} ({choice})", failed.join(", "))));
        }
        let checks = history.last_checks.as_ref();
        lines.extend(checks.map(|result| ("checks", format!("{result} ({CHECK_REPORT})"))));
        if !history.ignored.is_empty() {
            lines.push(("ignored", format!("not in any commit: {}", history.ignored.join(", "))));
        }
        lines.extend(question.map(|question| ("question", question.to_owned())));
        lines.extend(history.override_reason().map(|reason| ("overridden", reason.to_owned())));
        lines.extend(history.rejections.iter().map(|reason| ("rejected", reason.clone())));
        lines.extend(history.failure.clone().map(|failure| ("failed", failure)));
        lines.extend([("used", format::usage(&usage)), ("next", next)]);
        let line = |(label, text): &(&str, String)| format!("{label:<10} {text}\n");
        self.format.print(object, &lines.iter().map(line).collect::<String>())
    }
}

/// Lists how each step ended, and how many plans are done.
fn steps(history: &History) -> Vec<(&str, String)> {
    let mut lines = Vec::new();
    for (id, step) in history.flow.numbered() {
        let is_work = matches!(step.kind, StepKind::Agent | StepKind::Lanes);
        if let Some(finished) = history.finished.get(&id).filter(|_| is_work) {
            let (outcome, _) = outcome_words(finished.outcome);
            let rounds = history.rounds(id);
            let run = finished.run.as_ref().map(|run| format!(", {run}")).unwrap_or_default();
            lines.push((&*step.name, format!("{outcome} (round {rounds}{run})")));
        }
    }
    if let Some(order) = &history.schedule {
        let all = order.units().count();
        let open = history.open_plans().count();
        lines.push(("plans", format!("{} of {all} done", all - open)));
    }
    lines
}

/// Returns which checks failed before the change, and what was chosen.
fn baseline(history: &History) -> Option<Value> {
    let before = history.baseline.as_ref()?;
    let failed: Vec<_> = before.run.failed().map(|it| &it.command).collect();
    Some(json!({ "commit": before.run.commit, "red": failed, "choice": before.choice }))
}

/// Returns an agent's question that nobody has answered yet.
fn open_question(history: &History) -> Option<&str> {
    let open = history.questions.last().filter(|question| question.answer.is_none())?;
    Some(&open.reason)
}
