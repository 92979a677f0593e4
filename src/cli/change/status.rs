//! `agentd status`: where a change is, and what is next.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{print_json, say};
use super::ids::id;
use super::list::{List, brief};
use super::run::answers;
use super::taken::Taken;
use super::workshop::Room;
use crate::engine::change::{ChangeError, read_file};
use crate::engine::check_report;
use crate::engine::history::History;
use crate::engine::journal;
use crate::engine::lock::Lock;
use crate::engine::spent;
use crate::flow::{CHECK_REPORT, Guarantee, Kind as StepKind, Next, Position};
use crate::models::change::ChangeId;
use crate::output::amount;
use crate::output::json_line::path_text;
use crate::output::story::outcome_words;

/// Show where a change is and what is next; without a change, show all.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd status                    every change that is being worked on
  agentd status add-login          one change: its phases, its checks, what it cost, what is next
  agentd status add-login --json   for scripts")]
pub(in super::super) struct Status {
    /// The change's id.
    #[arg(value_parser = id)]
    change: Option<ChangeId>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Reads the history of a change without holding it.
pub(in super::super) fn history(folder: &Path) -> Outcome<History> {
    let (records, _) = journal::read(folder).map_err(ChangeError::from)?;
    let broken = |broken| ChangeError::Broken { folder: folder.to_owned(), broken };
    let history = History::of(&records).map_err(broken)?;
    history.ok_or_else(|| {
        let message = format!("nobody asked for the change in `{}` yet", folder.display());
        Failure::new(Kind::Precondition, message)
    })
}

/// Finds out who is at work on a change. Whoever does no more than look does not wait for that.
pub(super) fn holder(folder: &Path, history: &History) -> Outcome<Option<String>> {
    if history.is_over() {
        return Ok(None);
    }
    Lock::holder(folder).map_err(|error| ChangeError::from(error).into())
}

/// Says what a person does next about a change that nobody is at work on.
pub(super) fn next(room: &Room, id: &ChangeId, history: &History) -> String {
    let next = history.state.next(&history.flow, |limit| room.rounds(limit));
    match (next, history.state.position) {
        (Next::Run(_), _) => format!("agentd run {id}"),
        (Next::Wait(waiting), _) => answers(id, history, waiting),
        (Next::End, Position::Archived) => merged_or_not(room, id, history),
        (Next::End, Position::Rejected(_)) => {
            format!("agentd show {id}, or agentd approve {id} --override \"why\"")
        }
        (Next::End, _) => format!("agentd show {id}"),
    }
}

/// Says what a person does next about a change on which somebody may be at work.
pub(super) fn next_or_wait(
    room: &Room,
    id: &ChangeId,
    history: &History,
    holder: Option<&str>,
) -> String {
    match holder {
        Some(holder) => format!("nothing: it is under way by {holder}"),
        None => next(room, id, history),
    }
}

fn merged_or_not(room: &Room, id: &ChangeId, history: &History) -> String {
    let taken = Taken::of(&room.repository, id, history).unwrap_or(Taken::NotYet);
    taken.nothing().map_or_else(|| format!("agentd merge {id}"), str::to_owned)
}

impl Status {
    pub(in super::super) fn run(&self) -> Outcome {
        let Some(id) = &self.change else {
            return List { json: self.json, all: false }.run();
        };
        let room = Room::find()?;
        let folder = room.folder(id)?;
        let history = history(&folder)?;
        let holder = holder(&folder, &history)?;
        let next = next_or_wait(&room, id, &history, holder.as_deref());
        let sum = spent::spent(&folder)
            .map_err(|error| Failure::io("cannot read the runs of", &folder, &error))?;
        if self.json {
            return print_json(&json!({
                "version": 1,
                "id": id,
                "folder": path_text(&folder),
                "flow": history.flow.name,
                "stage": history.token(),
                "started": history.under_way(),
                "held_by": holder,
                "guarantees": guarantees(&history),
                "checks": history.last_checks.map(|green| if green { "green" } else { "red" }),
                "question": open_question(&history),
                "override": history.override_reason,
                "failure": history.failure,
                "usage": sum,
                "next": next,
            }));
        }
        let mut text = format!(
            "change     {id}\nflow       {}\nfolder     {}\n",
            history.flow.name,
            folder.display()
        );
        text.push_str(&format!("at         {}\n", brief(&history, holder.as_deref())));
        text.push_str(&steps(&history));
        if let Some(is_green) = history.last_checks {
            let found = read_file(&folder, CHECK_REPORT)?;
            let is_none = found.is_some_and(|it| check_report::is_none(&it));
            let word = match (is_none, is_green) {
                (true, _) => "none are configured",
                (false, true) => "green",
                (false, false) => "red",
            };
            text.push_str(&format!("checks     {word} ({CHECK_REPORT})\n"));
        }
        if let Some(question) = open_question(&history) {
            text.push_str(&format!("question   {question}\n"));
        }
        if let Some(reason) = &history.override_reason {
            text.push_str(&format!("overridden {reason}\n"));
        }
        for reason in &history.rejections {
            text.push_str(&format!("rejected   {reason}\n"));
        }
        if let Some(failure) = &history.failure {
            text.push_str(&format!("failed     {failure}\n"));
        }
        text.push_str(&format!("used       {}\n", amount::usage(&sum)));
        text.push_str(&format!("next       {next}\n"));
        say(&text)
    }
}

/// Lists how each step ended, and how many plans are carried out.
fn steps(history: &History) -> String {
    let mut text = String::new();
    for (id, step) in history.flow.numbered() {
        let is_work = matches!(step.kind, StepKind::Agent | StepKind::Lanes);
        if let Some(finished) = history.finished.get(&id).filter(|_| is_work) {
            let (outcome, _) = outcome_words(finished.outcome);
            let rounds = history.rounds(id);
            let run = finished.run.as_ref().map(|run| format!(", {run}")).unwrap_or_default();
            text.push_str(&format!("{:<10} {outcome} (round {rounds}{run})\n", step.name));
        }
    }
    if let Some(order) = &history.schedule {
        let all = order.units().count();
        let open = history.open_plans().count();
        text.push_str(&format!("plans      {} of {all} done\n", all - open));
    }
    text
}

/// Returns what holds of the change as it is now, of what its flow guarantees.
fn guarantees(history: &History) -> serde_json::Map<String, serde_json::Value> {
    let holds = |guarantee: &Guarantee| {
        (guarantee.word().to_owned(), history.state.holds(&history.flow, *guarantee).into())
    };
    history.flow.guarantees.iter().map(holds).collect()
}

/// Returns what an agent asked that nobody has answered.
fn open_question(history: &History) -> Option<&str> {
    let open = history.questions.last().filter(|question| question.answer.is_none())?;
    Some(&open.reason)
}
