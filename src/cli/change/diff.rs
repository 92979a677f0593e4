//! `agentd diff`: what a change has done to the code.

use clap::Args;
use log::warn;
use serde_json::json;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::{print_exactly, print_json, say};
use super::ids::id;
use super::status::history;
use super::workshop::Room;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// The most that is shown.
const LARGEST: usize = 64 << 20;

/// Show what a change has done to the code, as a diff of its branch.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd diff add-login
  agentd diff add-login --stat")]
pub(in super::super) struct Diff {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    /// Only count lines.
    #[arg(long)]
    stat: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Tells that a change has no branch.
pub(super) fn no_code(id: &ChangeId) -> Failure {
    let message = format!("no code was written for `{id}` yet, or its branch is gone");
    Failure::new(Kind::Precondition, message)
        .help(format!("`agentd status {id}` shows where it is"))
}

impl Diff {
    pub(in super::super) fn run(&self) -> Outcome {
        let room = Room::find()?;
        let history = history(&room.folder(&self.change)?)?;
        let branch = Setup::branch(&self.change);
        let tip = room.repository.branch_commit(&branch)?;
        let (Some(base), Some(tip)) = (history.base, tip) else {
            return Err(no_code(&self.change));
        };
        let stat = room.repository.stat(&base, &tip)?;
        if self.stat && !self.json {
            return say(&stat.text);
        }
        let diff = room.repository.diff(&base, &tip, LARGEST)?;
        for path in &diff.left_out {
            warn!("the part for `{}` is left out: the diff is too large", path.display());
        }
        if self.json {
            let text = (!self.stat).then_some(&diff.text);
            return print_json(&json!({
                "version": 1, "change": self.change, "branch": branch, "base": base, "tip": tip,
                "files": stat.files, "insertions": stat.insertions, "deletions": stat.deletions,
                "diff": text,
            }));
        }
        print_exactly(diff.text.as_bytes())
    }
}
