//! `agentd approve` and `agentd reject`: a person decides at a gate, or when the rounds ran out.

use clap::Args;
use serde_json::json;

use super::drive::{RunScope, drive};
use super::live::LiveOptions;
use super::setup::{Needed, set_up};
use crate::cli::agent_options::AgentOptions;
use crate::cli::errors::BEGIN_ANOTHER;
use crate::cli::flows::load::FoundFlow;
use crate::cli::{EventFormat, Failure, Format, Outcome, ProjectContext};
use crate::engine::change::Change;
use crate::engine::discard::merged_into;
use crate::engine::entry::Entry;
use crate::engine::project::Whereabouts;
use crate::flow::{Kind as StepKind, Position};
use crate::models::change::ChangeId;

/// Approve the result of a step, so that the change can go on; or the whole change at its last gate, which archives it.
///
/// With `--override`, a change that was REJECTED goes on as if its judge had passed it; your reason is recorded.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add login\" --pause plan     stops after the plan
  agentd approve add-login && agentd run add-login   goes on
  agentd approve add-login --override \"we accept the risk\"   goes on in spite of a REJECTED")]
pub(crate) struct Approve {
    /// The change's id.
    change: ChangeId,
    /// What you want to be remembered with it.
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Go on in spite of a REJECTED, for this reason.
    #[arg(long = "override", value_name = "REASON", conflicts_with = "message")]
    reason: Option<String>,
    #[command(flatten)]
    format: Format,
}

/// Reject the work: the step that made it is done again, with your reason among its instructions.
///
/// A team plans again for what you ask, and carries out what is new or changed.
///
/// That is possible at a gate (`agentd run --pause`), where an agent asked something, and for a step that is due again,
/// also when its rounds ran out: rounds are counted anew. A change that is archived and not merged is worked on again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd reject add-login \"Passwords must be hashed with argon2\"")]
pub(crate) struct Reject {
    /// The change's id.
    change: ChangeId,
    /// Why, and what to do instead.
    #[arg(value_name = "REASON", conflicts_with = "message")]
    reason: Option<String>,
    /// Why, and what to do instead.
    #[arg(short, long, value_name = "REASON")]
    message: Option<String>,
    #[command(flatten)]
    format: Format,
}

impl Approve {
    pub(crate) fn run(&self) -> Outcome {
        let entry = match self.reason.as_deref().map(str::trim) {
            Some("") => {
                return Err(Failure::usage(
                    "a reason is needed, since it is recorded",
                    format!("agentd approve {} --override \"why\"", self.change),
                ));
            }
            Some(reason) => Entry::Overridden { reason: reason.to_owned() },
            None => Entry::Approved { note: self.message.clone() },
        };
        let context = ProjectContext::find()?;
        let change = decide(&context, &self.change, entry)?;
        let history = &change.history;
        let is_archive = |id| history.flow.step(id).kind == StepKind::Archive;
        match history.state.position {
            // Nothing but the approval was missing.
            Position::Step(id) if history.state.is_approved && is_archive(id) => {
                self.archive(context, change)
            }
            _ => report(&change, self.format),
        }
    }

    /// Archives a change for which nothing but the approval was missing.
    fn archive(&self, context: ProjectContext, change: Change) -> Outcome {
        let flow = FoundFlow::begun(&context.project.root, &change.history)?;
        let setup = set_up(context, &AgentOptions::default(), &flow, Needed::default())?;
        let screen = EventFormat { json: self.format.json }.screen();
        drive(&setup, change, &screen, RunScope::default(), LiveOptions::default())
    }
}

impl Reject {
    pub(crate) fn run(&self) -> Outcome {
        let reason = self.message.as_deref().or(self.reason.as_deref()).unwrap_or_default().trim();
        if reason.is_empty() {
            return Err(Failure::usage(
                "a reason is needed, since it is what the agent goes by",
                format!("agentd reject {} \"what to do instead\"", self.change),
            ));
        }
        let (context, id) = (ProjectContext::find()?, &self.change);
        let mut change = match context.whereabouts(id)? {
            Whereabouts::Archived(_) => Change::hold(id, &context.project)?,
            Whereabouts::Open(_) | Whereabouts::Nowhere => context.hold(id)?,
        };
        if let Some(into) = merged_into(&context.repository, id, &change.history)? {
            let message = format!("change `{id}` is merged into `{into}` already");
            return Err(Failure::precondition(message, BEGIN_ANOTHER));
        }
        change.happened(Entry::Rejected { reason: reason.to_owned() })?;
        // What an archive wrote is taken back, and the change is worked on again.
        change.reopen(&context.project)?;
        report(&change, self.format)
    }
}

fn decide(context: &ProjectContext, id: &ChangeId, entry: Entry) -> Outcome<Change> {
    let mut change = context.hold(id)?;
    change.happened(entry)?;
    Ok(change)
}

fn report(change: &Change, format: Format) -> Outcome {
    let (id, history) = (&change.id, &change.history);
    let text = format!("Change `{id}` is at {} now. Next: agentd run {id}\n", history.at());
    format.report(json!({ "id": id, "stage": history.token() }), &text)
}
