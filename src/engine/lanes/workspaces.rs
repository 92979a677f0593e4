//! The workspaces of plans that are carried out beside each other: making them, setting them back and up, and clearing
//! them away. Nothing that is nowhere else is ever removed.

use std::sync::Arc;

use log::warn;

use super::blocking::with_git;
use super::event::LaneEvent;
use super::lane::{Asking, LaneRunner, Workplace};
use super::ledger::Ledger;
use super::site::Site;
use crate::engine::confinement::Command;
use crate::engine::desks::set_up;
use crate::engine::error::EngineError;
use crate::engine::git::{At, Branch, Commit, Owner, Workspace};
use crate::engine::ignored::left_in;
use crate::engine::schedule::Lane;
use crate::models::plan::PlanIndex;

impl Site<'_> {
    /// Makes the workspace of a plan on its own branch, or opens the one that an earlier attempt has left.
    pub(super) async fn workplace(
        &self,
        plan: PlanIndex,
        start: &Commit,
        owner: Owner,
    ) -> Result<Workplace, EngineError> {
        let repository = self.setup.repository.clone();
        let (path, branch) = (self.workspace(plan), Self::branch(self.id, plan));
        let base = start.clone();
        let made = with_git(move || {
            let branch = Branch { name: &branch, owner };
            let at = At { commit: &base, branch: Some(branch), attributes: &base };
            Workspace::open(&repository, &path, at)
        });
        let workspace = made.await?;
        if let Some(kept) = workspace.put_aside() {
            warn!(
                "a folder was in the place of a workspace, and was renamed to `{}`",
                kept.display()
            );
        }
        Ok(Workplace { workspace: Arc::new(workspace), start: start.clone() })
    }

    /// Makes a workplace ready for its agent, and says how that is to be asked. Unless it has left an answer, the workplace is
    /// what it was at the beginning, and what was done since is kept.
    pub(super) async fn make_ready<R: LaneRunner>(
        &self,
        lane: &Lane,
        place: &Workplace,
        runner: &R,
        ledger: &Ledger<'_>,
    ) -> Result<Asking, EngineError> {
        // An answer is of no use without the workspace that it speaks of, and none comes before that is set up.
        if place.workspace.is_set_up() && runner.has_left_over(lane) {
            return Ok(Asking::LeftOver);
        }
        let plan = lane.index();
        let stem = format!("{}.kept", Self::branch(self.id, plan));
        if let Some(branch) = self.set_back(place, stem).await? {
            ledger.write(&LaneEvent::SetAside { plan, branch })?;
        }
        let path = place.workspace.path();
        let runner =
            self.setup.runner((self.id, self.state), path, Command::Setup, &self.cancel)?;
        set_up(&runner, &place.workspace, &self.setup.workspace.setup).await?;
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
        let message = format!("agentd: {}, unfinished work", self.id);
        let Workplace { workspace, start } = place.clone();
        let kept = with_git(move || {
            if workspace.is_new() {
                return Ok(None);
            }
            if workspace.is_as_at(&start)? {
                return workspace.give_git(&start).map(|()| None);
            }
            let kept = workspace.keep(&start, &stem, &message)?;
            workspace.restore(&start)?;
            Ok(kept)
        });
        kept.await
    }

    /// Removes the workspace and the branch of a plan that is merged. What holds anything that is nowhere else stays, and
    /// that is said.
    pub(in crate::engine) async fn clear_away(
        &self,
        plan: PlanIndex,
        merged: Commit,
    ) -> Result<(), EngineError> {
        let repository = self.setup.repository.clone();
        let (path, branch) = (self.workspace(plan), Self::branch(self.id, plan));
        if let Some(found) = Workspace::find(&repository, &path)?
            && !left_in(self.setup, self.id, &found)?.is_empty()
        {
            warn!(
                "the workspace `{}` stays: it contains files that no commit contains",
                path.display()
            );
            return Ok(());
        }
        let clear = with_git(move || {
            if let Some(found) = Workspace::find(&repository, &path)? {
                if !found.changes_since(&merged)?.is_empty() {
                    warn!(
                        "the workspace `{}` has changed since it was merged, and stays",
                        path.display()
                    );
                    return Ok(());
                }
                found.remove()?;
            }
            match repository.branch_commit(&branch)? {
                Some(tip) if tip == merged => repository.delete_branch(&branch, &merged),
                Some(_) => {
                    warn!("branch `{branch}` has new commits since it was merged, and stays");
                    Ok(())
                }
                None => Ok(()),
            }
        });
        match clear.await {
            Err(EngineError::Git(error)) => {
                warn!("the workspace of {plan} of `{}` stays: {error}", self.id);
                Ok(())
            }
            cleared => cleared,
        }
    }
}
