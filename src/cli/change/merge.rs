//! `agentd merge`: merges the code of a change into the checked-out branch.

use clap::Args;
use serde_json::json;

use super::diff::no_code;
use super::merge_status::MergeStatus;
use super::prune::pruned_text;
use crate::cli::{Failure, Format, Outcome, ProjectContext, read_history};
use crate::engine::change::Change;
use crate::engine::git::{self, Known, Merged};
use crate::engine::prune::{Prune, Pruned};
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// Merge the code of a finished change into the branch that you have checked out.
///
/// This is the only command of the workflow that changes your checkout (except `agentd call implement`, whose agent
/// writes into it). It refuses if uncommitted edits or untracked files of yours would be overwritten, if the change's
/// branch has moved since it was reviewed and checked, or if your branch no longer contains the commit that the change
/// started from. In a conflict, nothing is changed. After the merge, the branch and the workspaces of the change are
/// removed, unless they hold something else; its documents and its record stay.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd diff add-login                 look at it first
  agentd merge add-login                merge it
  agentd merge add-login --keep         keep its branch and its workspaces
  agentd merge add-login --unfinished   merge it although it has not passed")]
pub(crate) struct Merge {
    /// The change's id.
    change: ChangeId,
    /// Merge the change as it is, although it is not archived or has moved since.
    #[arg(long)]
    unfinished: bool,
    /// Keep the branch and the workspaces of the change.
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    format: Format,
}

impl Merge {
    pub(crate) fn run(&self) -> Outcome {
        let context = ProjectContext::find()?;
        let (id, repository) = (&self.change, &context.repository);
        let location = context.location(id)?;
        let held = Change::lock(id, &context.project)?;
        let history = read_history(&location.state)?;
        if !history.is_archived() && !self.unfinished {
            return Err(Failure::precondition(
                format!("change `{id}` is not archived: it has not passed yet"),
                format!("`agentd run {id}` continues it; --unfinished merges it as it is"),
            ));
        }
        let branch = Setup::branch(id);
        let merged = if repository.branch_exists(&branch)? {
            let passed = if self.unfinished { None } else { history.code() };
            let known = Known { base: history.base.as_ref(), passed };
            git::merge(repository, &branch, known, &["agentd/"])?
        } else {
            match MergeStatus::find(repository, id, &history)? {
                MergeStatus::Merged(commit) => Merged::Already(commit),
                MergeStatus::Unmerged | MergeStatus::BranchGone => return Err(no_code(id)),
            }
        };
        drop(held);
        let (how, commit, text) = match merged {
            Merged::Already(commit) => {
                ("already", commit, format!("`{branch}` is already merged\n"))
            }
            Merged::FastForward(commit) => {
                let text = format!("`{branch}` is merged: your branch is now at {commit}\n");
                ("fast-forward", commit, text)
            }
            Merged::Joined(commit) => {
                let text = format!("`{branch}` is merged in commit {commit}\n");
                ("joined", commit, text)
            }
        };
        let keeps = self.keep || !history.is_archived();
        let pruned = if keeps { Pruned::default() } else { self.clean_up(&context)? };
        let text = text + &pruned_text(&pruned, "removed");
        let removed: Vec<_> = pruned.removed.iter().map(|one| &one.name).collect();
        let object = json!({ "id": id, "branch": branch, "merged": how, "commit": commit, "removed": removed });
        self.format.report(object, &text)
    }

    /// Removes what the merged change no longer needs.
    fn clean_up(&self, context: &ProjectContext) -> Outcome<Pruned> {
        let workspaces = &context.workspaces()?;
        let (project, repository) = (&context.project, &context.repository);
        let only = Some(&self.change);
        Ok(Prune { project, repository, workspaces, is_dry: false, only }.run()?)
    }
}
