//! `agentd approve` and `agentd reject`: a person decides at a gate, or when the rounds ran out.

use clap::Args;
use serde_json::json;

use super::run::RunChange;
use crate::cli::errors::BEGIN_ANOTHER;
use crate::cli::{EventFormat, Failure, Format, Outcome, ProjectContext};
use crate::engine::change::Change;
use crate::engine::discard::merged_into;
use crate::engine::entry::Entry;
use crate::engine::project::Whereabouts;
use crate::flow::{Kind as StepKind, Position};
use crate::models::change::ChangeId;

/// Approve the result of a step, so that the change can continue; at the last gate, this archives the change.
///
/// With `--override`, a change that was REJECTED continues as if its judge had passed it; your reason is recorded.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add login\" --pause plan     stops after the plan
  agentd approve add-login --run                     approves and continues
  agentd approve add-login --override \"we accept the risk\"   continues despite a REJECTED")]
pub(crate) struct Approve {
    /// The change's id.
    change: ChangeId,
    /// A note to record with the approval.
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Continue despite a REJECTED, for this reason.
    #[arg(long = "override", value_name = "REASON", conflicts_with = "message")]
    reason: Option<String>,
    /// Continue with `agentd run` at once.
    #[arg(long)]
    run: bool,
    #[command(flatten)]
    format: Format,
}

/// Reject the work: its step is repeated, with your reason in its instructions.
///
/// A team plans again for what you ask, and then carries out the plans that are new or changed.
///
/// You can reject at a gate (`agentd run --pause`), after a question of an agent, and while a step is due again, also
/// when its rounds ran out: rounds are counted from zero again. A change that is archived and not merged is reopened.
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
    /// Continue with `agentd run` at once.
    #[arg(long)]
    run: bool,
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
        if !self.run && !only_archives(&change) {
            return report(&change, self.format);
        }
        drop(change);
        go_on(&self.change, self.format)
    }
}

impl Reject {
    pub(crate) fn run(&self) -> Outcome {
        let reason = self.message.as_deref().or(self.reason.as_deref()).unwrap_or_default().trim();
        if reason.is_empty() {
            return Err(Failure::usage(
                "a reason is needed: the agent works from it",
                format!("agentd reject {} \"what to do instead\"", self.change),
            ));
        }
        let (context, id) = (ProjectContext::find()?, &self.change);
        let mut change = match context.whereabouts(id)? {
            Whereabouts::Archived(_) => Change::hold(id, &context.project)?,
            Whereabouts::Open(_) | Whereabouts::Nowhere => context.hold(id)?,
        };
        if let Some(into) = merged_into(&context.repository, id, &change.history)? {
            let message = format!("change `{id}` is already merged into `{into}`");
            return Err(Failure::precondition(message, BEGIN_ANOTHER));
        }
        change.happened(Entry::Rejected { reason: reason.to_owned() })?;
        // The changes of the archive are undone, and the change is reopened.
        change.reopen(&context.project)?;
        if !self.run {
            return report(&change, self.format);
        }
        drop(change);
        go_on(id, self.format)
    }
}

pub(super) fn decide(context: &ProjectContext, id: &ChangeId, entry: Entry) -> Outcome<Change> {
    let mut change = context.hold(id)?;
    change.happened(entry)?;
    Ok(change)
}

/// Continues a change with the agents of the configuration.
fn go_on(id: &ChangeId, format: Format) -> Outcome {
    RunChange::of(id.clone(), EventFormat { json: format.json }).run()
}

/// Returns whether only the archive by agentd itself is left, which asks no agent.
fn only_archives(change: &Change) -> bool {
    let history = &change.history;
    let is_archive = |id| history.flow.step(id).kind == StepKind::Archive;
    matches!(history.state.position, Position::Step(id) if history.state.is_approved && is_archive(id))
}

fn report(change: &Change, format: Format) -> Outcome {
    let (id, history) = (&change.id, &change.history);
    let text = format!("Change `{id}` is now at {}. Next: agentd run {id}\n", history.at());
    format.report(json!({ "id": id, "stage": history.token() }), &text)
}
