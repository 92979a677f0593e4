//! `agentd merge`: brings the code of a change into the branch that is checked out.

use clap::Args;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{print_json, tell};
use super::diff::no_code;
use super::ids::id;
use super::status::history;
use super::taken::Taken;
use super::workshop::Room;
use crate::engine::git::{self, Merged};
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// Merge the code of a change that is done into the branch that you have checked out.
///
/// This is the one command of the workflow that touches your checkout (`agentd call implement` has its agent write into it).
/// It refuses where you have edits that are not committed, and where the change's branch has moved since it was reviewed
/// and checked; where the two are in conflict, nothing is changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd diff add-login                 look at it first
  agentd merge add-login                take it
  agentd merge add-login --unfinished   take it although nobody has passed it")]
pub(in super::super) struct Merge {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// Merge it as it is, although it is not archived or has moved since.
    #[arg(long)]
    unfinished: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Merge {
    pub(in super::super) fn run(&self) -> Outcome {
        let room = Room::find()?;
        let history = history(&room.folder(&self.change)?)?;
        if !history.is_archived() && !self.unfinished {
            let message =
                format!("change `{}` is not archived: nobody has passed it yet", self.change);
            return Err(Failure::new(Kind::Precondition, message).help(format!(
                "`agentd run {}` goes on; --unfinished merges it as it is",
                self.change
            )));
        }
        let branch = Setup::branch(&self.change);
        let merged = if room.repository.branch_exists(&branch)? {
            let passed = if self.unfinished { None } else { history.code() };
            git::merge(&room.repository, &branch, passed, &["agentd/"])?
        } else {
            match Taken::of(&room.repository, &self.change, &history)? {
                Taken::Merged(commit) => Merged::Already(commit),
                Taken::NotYet | Taken::Gone => return Err(no_code(&self.change)),
            }
        };
        let (how, commit, text) = match merged {
            Merged::Already(commit) => ("already", commit, format!("`{branch}` is merged already")),
            Merged::FastForward(commit) => {
                let text = format!("`{branch}` is merged: your branch is at {commit}");
                ("fast-forward", commit, text)
            }
            Merged::Joined(commit) => {
                let text = format!("`{branch}` is merged in commit {commit}");
                ("joined", commit, text)
            }
        };
        if self.json {
            let id = &self.change;
            return print_json(&json!({
                "version": 1, "id": id, "branch": branch, "merged": how, "commit": commit,
            }));
        }
        tell(&format!("{text}\n"))
    }
}
