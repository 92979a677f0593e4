//! `agentd cancel`: gives a change up.

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{print_json, tell};
use super::ids::id;
use super::live::end_given_up;
use super::workshop::{Room, worktrees_of};
use crate::models::change::ChangeId;
use crate::output::json_line::path_text;
use crate::workflow;
use crate::workflow::entry::Entry;
use crate::workflow::setup::Setup;
use crate::workflow::team::Lineup;

/// Give a change up. Its folder, its branch and its worktree stay until you remove them.
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
        let (id, branch) = (&self.change, Setup::branch(&self.change));
        let branch = room.repository.branch_exists(&branch)?.then_some(branch);
        let all = worktrees_of(&room.project)?;
        let mut worktrees = vec![all.join(id.as_str())];
        worktrees.extend(workflow::Room::ALL.map(|room| all.join(room.name(id))));
        let plans = change.history.team.iter().flat_map(|team| &team.state.lineup);
        let plans = plans.flat_map(Lineup::units);
        worktrees.extend(plans.map(|unit| all.join(format!("{id}.plan-{}", unit.plan.get()))));
        worktrees.retain(|path| path.exists());
        if self.json {
            return print_json(&json!({
                "version": 1, "id": id, "stage": change.history.token(),
                "folder": path_text(&change.folder),
                "worktrees": worktrees.iter().map(|worktree| path_text(worktree)).collect::<Vec<_>>(),
                "branch": branch,
            }));
        }
        let mut text =
            format!("change `{id}` is given up; its files stay in {}\n", change.folder.display());
        for worktree in worktrees {
            text.push_str(&format!("a worktree:   git worktree remove {}\n", worktree.display()));
        }
        if let Some(branch) = branch {
            text.push_str(&format!("its branch:   git branch -D {branch}\n"));
        }
        tell(&text)
    }
}
