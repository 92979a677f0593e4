//! `agentd approve` and `agentd reject`: a person's say at a gate, or when the rounds ran out.

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{Form, print_json, tell};
use super::ids::id;
use super::workshop::Room;
use crate::models::change::ChangeId;
use crate::workflow::change::Change;
use crate::workflow::entry::Entry;

/// Approve what a phase came to, so that the change can go on.
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
/// That is possible at a gate (`agentd run --pause`), and for a phase that is due again, also when its rounds ran out:
/// rounds are counted anew.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd reject add-login -m \"Passwords must be hashed with argon2\"")]
pub(in super::super) struct Reject {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
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
        told(&change, Form::of(self.json))
    }
}

impl Reject {
    pub(in super::super) fn run(&self) -> Outcome {
        let reason = self.message.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
        let Some(reason) = reason else {
            return Err(Failure::new(
                Kind::Usage,
                "a reason is needed, since it is what the agent goes by",
            )
            .help(format!("agentd reject {} -m \"what to do instead\"", self.change)));
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
