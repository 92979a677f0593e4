//! `agentd approve` and `agentd reject`: a person's say at a gate, or when the rounds ran out.

use std::sync::Arc;

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{Form, print_json, tell};
use super::ids::id;
use super::live::Afterwards;
use super::team;
use super::workshop::{AgentOptions, Room, set_up_team};
use crate::engine::change::Change;
use crate::engine::entry::Entry;
use crate::engine::team::{TeamStage, TeamWay};
use crate::models::change::ChangeId;
use crate::output::screen::{Audience, Screen};

/// Approve what a phase came to, so that the change can go on; or what a team has done, which ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add login\" --pause plan     stops after the plan
  agentd approve add-login && agentd run add-login   goes on")]
pub(in super::super) struct Approve {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// What you want to be remembered with it.
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Send the work back: the phase that made it is done again, with your reason among its instructions.
///
/// A team plans anew for what you ask, and carries out what is new or changed.
///
/// That is possible at a gate (`agentd run --pause`), and for a phase that is due again, also when its rounds ran out:
/// rounds are counted anew.
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
        let change = decide(&self.change, Entry::Approved { note: self.message.clone() })?;
        // Between two steps there is more to be done by a team.
        if change.history.team.as_ref().is_some_and(|team| team.state.stage == TeamStage::Apply) {
            return self.put_away(change);
        }
        told(&change, Form::of(self.json))
    }
}

impl Approve {
    /// Puts away what a team has done, since nothing but the approval was missing.
    fn put_away(&self, change: Change) -> Outcome {
        let setup = set_up_team(Room::find()?, &AgentOptions::default(), &[], &[])?;
        let audience = if self.json { Audience::Programs } else { Audience::people() };
        let screen = Arc::new(Screen::new(audience));
        team::drive(&setup, change, &screen, &TeamWay::default(), Afterwards::default())
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
        let change = decide(&self.change, Entry::SentBack { reason: reason.to_owned() })?;
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
            tell(&format!("change `{id}` is at {} now: `agentd run {id}` goes on\n", history.at()))
        }
    }
}
