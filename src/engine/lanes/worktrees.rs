//! The worktrees of plans that are carried out beside each other: making them, setting them back and up, and clearing
//! them away. Nothing that is nowhere else is ever removed.

use std::sync::Arc;

use log::warn;

use super::blocking::with_git;
use super::event::LaneEvent;
use super::lane::{Asking, LaneRunner, Workplace};
use super::ledger::Ledger;
use super::site::Site;
use crate::engine::desks::set_up;
use crate::engine::error::EngineError;
use crate::engine::git::{At, Commit, GitError, Origin, Worktree};
use crate::engine::schedule::Lane;
use crate::engine::setup::Setup;
use crate::models::plan::PlanIndex;

/// Whose the branch of a plan is, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// An earlier attempt has made it.
    Agentd,
    /// Somebody else has, unless it is where a new one would be.
    Anybody,
}

/// What a workplace is before its agent works there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    /// It was made just now from the commit that the plan begins with.
    Fresh,
    /// Somebody may have been at work there.
    Used,
}

impl Site<'_> {
    /// Makes the worktree of a plan on its own branch, or opens the one that an earlier attempt has left.
    pub(super) async fn workplace(
        &self,
        plan: PlanIndex,
        start: &Commit,
        owner: Owner,
    ) -> Result<(Workplace, Ground), EngineError> {
        let repository = self.setup.repository.clone();
        let (path, branch) = (self.worktree(plan), Self::branch(self.id, plan));
        let base = start.clone();
        let made = with_git(move || {
            let left = match owner {
                // Its folder may be gone while the branch has the attempt's commits.
                Owner::Agentd => repository.branch_commit(&branch)?,
                // An attempt may have been cut off before it was taken down, and other plans merged since.
                Owner::Anybody if Worktree::is_registered(&repository, &path, &branch)? => {
                    let tip = repository.branch_commit(&branch)?;
                    let is_behind = |tip: &Commit| repository.contains(&base, tip);
                    if tip.as_ref().map(is_behind).transpose()? == Some(true) { tip } else { None }
                }
                Owner::Anybody => None,
            };
            let from = left.as_ref().unwrap_or(&base);
            let worktree =
                Worktree::create(&repository, &path, At::Branch { name: &branch, from })?;
            Ok((worktree, left.is_some()))
        });
        let (worktree, has_begun) = made.await?;
        if let Some(kept) = worktree.put_aside() {
            warn!("a folder was in the place of a worktree, and is now `{}`", kept.display());
        }
        let ground = match worktree.origin() {
            // A branch that an earlier attempt has left may have its commits, or be behind.
            Origin::Made if !has_begun => Ground::Fresh,
            Origin::Made | Origin::Found => Ground::Used,
        };
        Ok((Workplace { worktree: Arc::new(worktree), start: start.clone() }, ground))
    }

    /// Makes a workplace ready for its agent, and says how that is to be asked. Unless it has left an answer, the workplace is
    /// what it was at the beginning, and what was done since is kept.
    pub(super) async fn make_ready<R: LaneRunner>(
        &self,
        lane: &Lane,
        place: &Workplace,
        ground: Ground,
        runner: &R,
        ledger: &Ledger<'_>,
    ) -> Result<Asking, EngineError> {
        // An answer is of no use without the worktree that it speaks of, and none comes before that is set up.
        if place.worktree.is_set_up() && runner.has_left_over(lane) {
            return Ok(Asking::LeftOver);
        }
        let plan = lane.index();
        if ground == Ground::Used {
            let stem = format!("{}.kept", Self::branch(self.id, plan));
            if let Some(branch) = self.set_back(place, stem).await? {
                ledger.write(&LaneEvent::SetAside { plan, branch })?;
            }
        }
        self.set_up(place).await?;
        self.goes_on()?;
        Ok(Asking::Anew)
    }

    /// Sets a workplace back to the commit that it begins with. What was done since is kept on a branch, whose name is
    /// given.
    pub(super) async fn set_back(
        &self,
        place: &Workplace,
        stem: String,
    ) -> Result<Option<String>, EngineError> {
        let message = format!("agentd: {}, what was not finished", self.id);
        let Workplace { worktree, start } = place.clone();
        let kept = with_git(move || {
            if worktree.is_as_at(&start)? {
                return Ok(None);
            }
            let kept = worktree.keep(&start, &stem, &message)?;
            worktree.restore(&start)?;
            Ok(kept)
        });
        kept.await
    }

    /// Sets a worktree up with the commands that the configuration gives, unless that was done to its end. What they leave
    /// must be ignored by git: it is no plan's work.
    async fn set_up(&self, place: &Workplace) -> Result<(), EngineError> {
        let commands = &self.setup.worktree.setup;
        if place.worktree.is_set_up() {
            return Ok(());
        }
        if commands.is_empty() {
            return Ok(place.worktree.mark_set_up()?);
        }
        set_up(&self.runner(place.worktree.path()), commands).await?;
        let worktree = Arc::clone(&place.worktree);
        let left = with_git(move || worktree.status()).await?;
        if !left.is_empty() {
            let files: Vec<_> = left.iter().map(|one| one.path.display().to_string()).collect();
            let command = commands.iter().map(ToString::to_string).collect::<Vec<_>>().join(" && ");
            let reason = format!("it leaves files that git does not ignore: {}", files.join(", "));
            return Err(EngineError::WorktreeSetup { command, reason });
        }
        Ok(place.worktree.mark_set_up()?)
    }

    /// Removes the worktree and the branch of a plan that is merged. What holds anything that is nowhere else stays, and
    /// that is said.
    pub(in crate::engine) async fn clear_away(
        &self,
        plan: PlanIndex,
        merged: Commit,
    ) -> Result<(), EngineError> {
        let repository = self.setup.repository.clone();
        let (path, branch) = (self.worktree(plan), Self::branch(self.id, plan));
        let change = Setup::branch(self.id);
        let clear = with_git(move || {
            // As a rule it is just as it was merged.
            if let Some(worktree) = Worktree::find(&repository, &path, &branch)?
                && worktree.remove_at(&merged)?
            {
                return repository.delete_branch(&branch, &merged);
            }
            let Some(tip) = repository.branch_commit(&branch)? else { return Ok(()) };
            let whole = repository.branch_commit(&change)?;
            let whole = whole.ok_or(GitError::NoBranch { branch: change })?;
            if !repository.contains(&whole, &tip)? {
                warn!("branch `{branch}` has gone on since it was merged, and stays");
                return Ok(());
            }
            if path.exists() {
                let at = At::Branch { name: &branch, from: &tip };
                Worktree::create(&repository, &path, at)?.remove()?;
            }
            repository.delete_branch(&branch, &tip)?;
            Ok(())
        });
        match clear.await {
            Err(EngineError::Git(error)) => {
                warn!("the worktree of {plan} of `{}` stays: {error}", self.id);
                Ok(())
            }
            cleared => cleared,
        }
    }
}
