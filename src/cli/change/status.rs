//! `agentd status`: where a change is, and what is next.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Outcome};
use super::super::{print_json, say};
use super::ids::id;
use super::list::{List, brief};
use super::taken::Taken;
use super::team::answers;
use super::workshop::Room;
use crate::engine::change::{ChangeError, read_file};
use crate::engine::evidence;
use crate::engine::flow::Flow;
use crate::engine::history::History;
use crate::engine::journal;
use crate::engine::lock::Lock;
use crate::engine::machine::{Evidence, Stage, Step};
use crate::engine::spent;
use crate::engine::team::{self, TeamHistory, TeamNext, TeamStage, TeamStep};
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::models::word::Word as _;
use crate::output::amount;
use crate::output::json_line::path_text;
use crate::output::story::outcome_words;
use crate::template::Phase;

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
    Ok(History::of(&records).map_err(broken)?)
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
    if let Some(team) = &history.team {
        return next_of_team(room, id, history, team);
    }
    match history.state.step(room.rounds()) {
        Step::Run(_) | Step::Verify(_) | Step::Apply => format!("agentd run {id}"),
        Step::Wait(_) => format!("agentd approve {id}, or agentd reject {id} \"why\""),
        Step::Exhausted(_) => {
            format!("agentd reject {id} \"what to do\", since its rounds ran out")
        }
        Step::End => match history.state.stage {
            Stage::Archived => merged_or_not(room, id, history),
            Stage::Rejected
            | Stage::Cancelled
            | Stage::Due(_)
            | Stage::Verify(_)
            | Stage::Gate(_)
            | Stage::Apply => format!("agentd show {id}"),
        },
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

fn next_of_team(room: &Room, id: &ChangeId, history: &History, team: &TeamHistory) -> String {
    match team.state.next(room.team_limits()) {
        TeamNext::Run(_) | TeamNext::Verify | TeamNext::Apply => format!("agentd run {id}"),
        TeamNext::Wait => answers(id, history),
        TeamNext::Exhausted => {
            format!("agentd reject {id} \"what to change\", since its reviews ran out")
        }
        TeamNext::End if team.state.stage == TeamStage::Archived => {
            merged_or_not(room, id, history)
        }
        TeamNext::End => format!("agentd show {id}"),
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
                "flow": history.flow().spelled(),
                "stage": history.token(),
                "started": history.under_way(),
                "held_by": holder,
                "plan_passed": history.state.plan_passed,
                "code_passed": history.state.code_passed,
                "evidence": history.last_evidence.map(Evidence::spelled),
                "failure": history.failure,
                "usage": sum,
                "next": next,
            }));
        }
        let mut text = format!(
            "change     {id}\nflow       {}\nfolder     {}\n",
            history.flow().spelled(),
            folder.display()
        );
        text.push_str(&format!("at         {}\n", brief(&history, holder.as_deref())));
        for phase in Phase::ALL {
            if let Some(finished) = history.finished.get(phase) {
                let rounds = history.rounds.get(phase).copied().unwrap_or(0);
                let (outcome, _) = outcome_words(finished.outcome);
                text.push_str(&format!(
                    "{:<10} {outcome} (round {rounds}, {})\n",
                    phase.word(),
                    finished.run
                ));
            }
        }
        if let Some(team) = &history.team {
            text.push_str(&of_team(team));
        }
        if let Some(last) = history.last_evidence {
            let file = match history.flow() {
                Flow::Sdd => evidence::FILE,
                Flow::Team => team::EVIDENCE,
            };
            let found = read_file(&folder, file)?;
            let is_none = found.is_some_and(|it| evidence::is_none(&it));
            let word = if is_none { "none are configured" } else { last.spelled() };
            text.push_str(&format!("checks     {word} ({file})\n"));
        }
        if let Some(reason) = &history.sent_back {
            text.push_str(&format!("sent back  {reason}\n"));
        }
        if let Some(failure) = &history.failure {
            text.push_str(&format!("failed     {failure}\n"));
        }
        text.push_str(&format!("used       {}\n", amount::usage(&sum)));
        text.push_str(&format!("next       {next}\n"));
        say(&text)
    }
}

/// Says how far a team has come: its steps, and its plans.
fn of_team(team: &TeamHistory) -> String {
    let mut text = String::new();
    for step in TeamStep::ALL {
        if let Some(finished) = team.finished.get(&step) {
            let (result, rounds) = (finished.result.spelled(), team.rounds(step));
            text.push_str(&format!("{:<10} {result} (round {rounds})\n", step.word()));
        }
    }
    if let Some(lineup) = &team.state.lineup {
        let is_done = |plan: &PlanIndex| {
            lineup.unit(*plan).is_some_and(|unit| team.state.done.get(plan) == Some(&unit.hash))
        };
        let all: Vec<_> = lineup.units().map(|unit| unit.plan).collect();
        let done = all.iter().filter(|plan| is_done(plan)).count();
        text.push_str(&format!("plans      {done} of {} done\n", all.len()));
    }
    text
}
