//! `agentd cancel`: gives a change up.

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::tell;
use super::ids::id;
use super::workshop::{Room, worktrees_of};
use crate::models::change::ChangeId;
use crate::workflow::entry::Entry;
use crate::workflow::setup::Setup;

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
        let (id, branch) = (&self.change, Setup::branch(&self.change));
        let mut text =
            format!("change `{id}` is given up; its files stay in {}\n", change.folder.display());
        let worktrees = worktrees_of(&room.project)?;
        for name in [id.to_string(), format!("{id}.reading")] {
            let worktree = worktrees.join(name);
            if worktree.exists() {
                let line = format!("a worktree:   git worktree remove {}\n", worktree.display());
                text.push_str(&line);
            }
        }
        if room.repository.branch_exists(&branch)? {
            text.push_str(&format!("its branch:   git branch -D {branch}\n"));
        }
        tell(&text)
    }
}
