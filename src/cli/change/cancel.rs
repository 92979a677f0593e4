//! `agentd cancel`: cancels a change.

use clap::Args;
use serde_json::json;

use super::leftovers::Leftovers;
use super::live::end_given_up;
use crate::cli::{Failure, Format, Outcome, ProjectContext};
use crate::engine::entry::Entry;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;
use crate::output::json::{path_text, paths};

/// Cancel a change. Its documents, branches and workspaces stay until `agentd discard` removes them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd cancel add-login -m \"We buy it instead\"")]
pub(crate) struct Cancel {
    /// The change's id.
    change: ChangeId,
    /// Why.
    #[arg(short, long, value_name = "REASON")]
    message: Option<String>,
    #[command(flatten)]
    format: Format,
}

impl Cancel {
    pub(crate) fn run(&self) -> Outcome {
        let (context, id) = (ProjectContext::find()?, &self.change);
        let mut change = context.hold(id)?;
        if change.history.applying.is_some() {
            return Err(Failure::precondition(
                format!("change `{id}` is being archived, and the archive may be incomplete"),
                format!("`agentd run {id}` completes it"),
            ));
        }
        change.happened(Entry::Cancelled { reason: self.message.clone() })?;
        end_given_up(id, &change.state)?;
        let Leftovers { workspaces, branches } = Leftovers::find(&context, id)?;
        let object = json!({
            "id": id, "stage": change.history.token(), "folder": path_text(&change.folder),
            "workspaces": paths(&workspaces),
            "branch": branches.iter().find(|branch| **branch == Setup::branch(id)),
            "branches": branches,
        });
        let folder = change.folder.display();
        let text = format!(
            "change `{id}` is cancelled; its files stay in {folder}\nto remove:  agentd discard {id}\n"
        );
        self.format.report(object, &text)
    }
}
