//! `agentd rebase`: rebases a change onto the checked-out branch.

use clap::Args;
use serde_json::json;

use super::diff::no_code;
use crate::cli::{Failure, Format, Outcome, ProjectContext, no_such_change};
use crate::engine::change::Change;
use crate::engine::discard::merged_into;
use crate::engine::entry::Entry;
use crate::engine::git::{Commit, GitError, Rebased, Repository, Workspace};
use crate::engine::project::Whereabouts;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// Rebase a change onto the commit that you have checked out: its commits are replayed, and checks and review are due
/// again.
///
/// Your files are not touched. In a conflict, nothing is changed. A change that is archived and not merged is reopened:
/// its documents move back to agentd/changes, and the changes of its archive are undone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd rebase add-login    onto your branch, which has new commits
  agentd run add-login       check it there, review it and archive it")]
pub(crate) struct RebaseChange {
    /// The change's id.
    change: ChangeId,
    #[command(flatten)]
    format: Format,
}

impl RebaseChange {
    pub(crate) fn run(&self) -> Outcome {
        let (context, id) = (ProjectContext::find()?, &self.change);
        let repository = &context.repository;
        if context.whereabouts(id)? == Whereabouts::Nowhere {
            return Err(no_such_change(id));
        }
        let mut change = Change::hold(id, &context.project)?;
        let branch = Setup::branch(id);
        let (Some(base), Some(code)) =
            (change.history.base.clone(), change.history.code().cloned())
        else {
            return Err(no_code(id));
        };
        if let Some(into) = merged_into(repository, id, &change.history)? {
            let message = format!("change `{id}` is already merged into `{into}`");
            return Err(Failure::precondition(
                message,
                "`agentd prune` removes what is left of it",
            ));
        }
        ensure_not_under_way(&change, &base)?;
        if change.history.written.is_none() {
            // There is nothing to replay: the code will start from there.
            let onto = repository.head()?;
            if onto == base {
                return self.report(&change, None);
            }
            repository.hold_base(id.as_str(), &onto)?;
            let rebased = Rebased { tip: onto.clone(), onto };
            let entry = Entry::Rebased { onto: rebased.onto.clone(), commit: rebased.tip.clone() };
            change.happened(entry)?;
            return self.report(&change, Some(&rebased));
        }
        let begun = repository.begun_rebase(id.as_str(), &branch)?;
        let rebased = if let Some(begun) = begun.filter(|begun| begun.tip != code) {
            begun
        } else {
            let head = repository.head()?;
            if head == base {
                return self.report(&change, None);
            }
            let rebased = self.replay(repository, (&base, &code), &head)?;
            repository.begin_rebase(id.as_str(), (&branch, &code), &rebased)?;
            rebased
        };
        let entry = Entry::Rebased { onto: rebased.onto.clone(), commit: rebased.tip.clone() };
        change.happened(entry)?;
        repository.end_rebase(id.as_str(), &rebased)?;
        change.reopen(&context.project)?;
        self.move_workspace(&context, &code, &rebased)?;
        self.report(&change, Some(&rebased))
    }

    /// Replays the commits, unless the branch is not where the journal recorded it, or is checked out.
    fn replay(
        &self,
        repository: &Repository,
        (base, code): (&Commit, &Commit),
        head: &Commit,
    ) -> Outcome<Rebased> {
        let branch = Setup::branch(&self.change);
        match repository.branch_commit(&branch)? {
            None => return Err(no_code(&self.change)),
            Some(found) if found != *code => {
                let expected = code.clone();
                return Err(GitError::BranchMoved { branch, expected, found }.into());
            }
            Some(_) => repository.refuse_in_use(&branch)?,
        }
        Ok(repository.replay(&branch, (base, code), head)?)
    }

    /// Moves the change's workspace to its new code, unless somebody left other files there.
    fn move_workspace(&self, context: &ProjectContext, from: &Commit, to: &Rebased) -> Outcome {
        let path = context.workspaces()?.join(self.change.as_str());
        let Some(workspace) = Workspace::find(&context.repository, &path)? else { return Ok(()) };
        if workspace.head()?.as_ref() == Some(from) && workspace.changes_since(from)?.is_empty() {
            workspace.restore(&to.tip)?;
            // The new base may need a different setup.
            workspace.unmark_set_up()?;
        }
        Ok(())
    }

    fn report(&self, change: &Change, rebased: Option<&Rebased>) -> Outcome {
        let (id, history) = (&self.change, &change.history);
        let object = json!({
            "id": id, "stage": history.token(), "rebased": rebased.is_some(),
            "base": history.base, "commit": history.code(),
        });
        let text = match rebased {
            Some(rebased) => format!(
                "Change `{id}` is now on {}, at {}: checks and reviews of the old base no longer count. Next: agentd run {id}\n",
                rebased.onto,
                history.at()
            ),
            None => format!("Change `{id}` is already on your branch.\n"),
        };
        self.format.report(object, &text)
    }
}

/// Refuses a change that has ended other than by its archive, and one with a running step.
fn ensure_not_under_way(change: &Change, base: &Commit) -> Outcome {
    let (id, history) = (&change.id, &change.history);
    let entry = Entry::Rebased { onto: base.clone(), commit: base.clone() };
    if history.allows(&entry).is_ok() {
        return Ok(());
    }
    Err(match history.under_way() {
        Some(step) => Failure::precondition(
            format!("`{step}` of `{id}` has started and not ended"),
            format!("`agentd run {id} --until {step}` ends it; then rebase"),
        ),
        None => Failure::precondition(
            format!("change `{id}` is at {}, where it ended", history.at()),
            format!("`agentd status {id}` shows what you can do"),
        ),
    })
}
