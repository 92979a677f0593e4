//! `agentd approve` and `agentd reject`: a person decides at a gate, or when the rounds ran out.

use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{Form, print_json, tell};
use super::drive::{Course, drive};
use super::flow::ChosenFlow;
use super::ids::id;
use super::live::Afterwards;
use super::workshop::{AgentOptions, Room, set_up};
use crate::engine::change::Change;
use crate::engine::driver::Goal;
use crate::engine::entry::Entry;
use crate::flow::{Kind as StepKind, Position, StepSet};
use crate::models::change::ChangeId;
use crate::output::screen::{Audience, Screen};

/// Approve the result of a step, so that the change can go on; or the whole change at its last gate, which archives it.
///
/// With `--override`, a change that was REJECTED goes on as if its judge had passed it; your reason is recorded.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add login\" --pause plan     stops after the plan
  agentd approve add-login && agentd run add-login   goes on
  agentd approve add-login --override \"we accept the risk\"   goes on in spite of a REJECTED")]
pub(in super::super) struct Approve {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// What you want to be remembered with it.
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Go on in spite of a REJECTED, for this reason.
    #[arg(long = "override", value_name = "REASON", conflicts_with = "message")]
    reason: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Reject the work: the step that made it is done again, with your reason among its instructions.
///
/// A team plans again for what you ask, and carries out what is new or changed.
///
/// That is possible at a gate (`agentd run --pause`), where an agent asked something, and for a step that is due again,
/// also when its rounds ran out: rounds are counted anew.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd reject add-login \"Passwords must be hashed with argon2\"")]
pub(in super::super) struct Reject {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// Why, and what to do instead.
    #[arg(value_name = "REASON", conflicts_with = "message")]
    reason: Option<String>,
    /// Why, and what to do instead.
    #[arg(short, long, value_name = "REASON")]
    message: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Approve {
    pub(in super::super) fn run(&self) -> Outcome {
        let entry = match self.reason.as_deref().map(str::trim) {
            Some("") => {
                return Err(Failure::new(Kind::Usage, "a reason is needed, since it is recorded")
                    .help(format!("agentd approve {} --override \"why\"", self.change)));
            }
            Some(reason) => Entry::Overridden { reason: reason.to_owned() },
            None => Entry::Approved { note: self.message.clone() },
        };
        let change = decide(&self.change, entry)?;
        let history = &change.history;
        let is_due = |id| history.flow.step(id).kind == StepKind::Archive;
        match history.state.position {
            // Nothing but the approval was missing.
            Position::Step(id) if history.state.is_approved && is_due(id) => self.put_away(change),
            _ => told(&change, Form::of(self.json)),
        }
    }

    /// Archives a change for which nothing but the approval was missing.
    fn put_away(&self, change: Change) -> Outcome {
        let room = Room::find()?;
        let flow = ChosenFlow::begun(&room.project.root, &change.history)?;
        let setup = set_up(room, &AgentOptions::default(), &flow, StepSet::default())?;
        let audience = if self.json { Audience::Programs } else { Audience::people() };
        let screen = Arc::new(Screen::new(audience));
        drive(&setup, change, &screen, Course::Goal(Goal::default()), Afterwards::default())
    }
}

impl Reject {
    pub(in super::super) fn run(&self) -> Outcome {
        let reason = self
            .message
            .as_deref()
            .or(self.reason.as_deref())
            .map(str::trim)
            .filter(|reason| !reason.is_empty());
        let Some(reason) = reason else {
            return Err(Failure::new(
                Kind::Usage,
                "a reason is needed, since it is what the agent goes by",
            )
            .help(format!("agentd reject {} \"what to do instead\"", self.change)));
        };
        let change = decide(&self.change, Entry::Rejected { reason: reason.to_owned() })?;
        told(&change, Form::of(self.json))
    }
}

fn decide(id: &ChangeId, entry: Entry) -> Outcome<Change> {
    let mut change = Room::find()?.hold(id)?;
    change.happened(entry)?;
    Ok(change)
}

fn told(change: &Change, form: Form) -> Outcome {
    let (id, history) = (&change.id, &change.history);
    match form {
        Form::Json => print_json(&json!({ "version": 1, "id": id, "stage": history.token() })),
        Form::Text => {
            tell(&format!("Change `{id}` is at {} now. Next: agentd run {id}\n", history.at()))
        }
    }
}
