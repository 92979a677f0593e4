//! `agentd preferences`: what people want of each role, approved and proposed. One file a command.

mod add;
mod approve;
mod chosen;
mod failure;
mod list;
mod pending;
mod reject;
mod remove;
mod told;

use clap::Subcommand;

use super::change::workshop::Room;
use super::failure::Outcome;

/// Show, approve, add and remove what you want of the team's roles.
///
/// A preference is one line that every later prompt of its role holds. Approved ones stand under the heading "Approved
/// Preferences" in agentd/prompts/agents/ROLE.md, which is yours to edit. What agents propose while nobody watches waits in
/// agentd/preferences.pending.json until you approve or reject it.
#[derive(Debug, Subcommand)]
pub(super) enum Preferences {
    List(list::List),
    Pending(pending::Pending),
    Approve(approve::Approve),
    Reject(reject::Reject),
    Add(add::Add),
    Remove(remove::Remove),
}

impl Preferences {
    pub(super) fn run(&self) -> Outcome {
        let project = Room::find()?.project.root;
        match self {
            Self::List(command) => command.run(&project),
            Self::Pending(command) => command.run(&project),
            Self::Approve(command) => command.run(&project),
            Self::Reject(command) => command.run(&project),
            Self::Add(command) => command.run(&project),
            Self::Remove(command) => command.run(&project),
        }
    }
}
