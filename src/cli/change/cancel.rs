//! `agentd cancel`: gives a change up.

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{print_json, tell};
use super::ids::id;
use super::live::end_given_up;
use super::remains::Remains;
use super::workshop::{Room, worktrees_of};
use crate::engine::entry::Entry;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;
use crate::output::json_line::path_text;

/// Give a change up. Its folder, its branches and its worktrees stay until you remove them: it says how.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd cancel add-login -m \"We buy it instead\"")]
pub(in super::super) struct Cancel {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// Why.
    #[arg(short, long, value_name = "REASON")]
    message: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Cancel {
    pub(in super::super) fn run(&self) -> Outcome {
        let room = Room::find()?;
        let mut change = room.hold(&self.change)?;
        if change.history.applying.is_some() {
            let message =
                format!("change `{}` is being archived, and may be half in place", self.change);
            return Err(Failure::new(Kind::Precondition, message)
                .help(format!("`agentd run {}` puts it in place", self.change)));
        }
        change.happened(Entry::Cancelled { reason: self.message.clone() })?;
        end_given_up(&change)?;
        let id = &self.change;
        let left = Remains::of(&room.repository, &worktrees_of(&room.project)?, id)?;
        if self.json {
            let own = left.branches.iter().find(|branch| **branch == Setup::branch(id));
            return print_json(&json!({
                "version": 1, "id": id, "stage": change.history.token(),
                "folder": path_text(&change.folder),
                "worktrees": left.folders.iter().map(|folder| path_text(folder)).collect::<Vec<_>>(),
                "branch": own,
                "branches": left.branches,
            }));
        }
        let mut text =
            format!("change `{id}` is given up; its files stay in {}\n", change.folder.display());
        for command in left.commands() {
            text.push_str(&format!("to remove:  {command}\n"));
        }
        tell(&text)
    }
}
