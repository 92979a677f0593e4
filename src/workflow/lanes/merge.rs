//! Bringing the branches of plans into the change's own, on its desk and in the order of the plans. The user's checkout
//! has no part in it.

use std::sync::Arc;

use log::warn;

use super::blocking::with_git;
use super::event::LaneEvent;
use super::lane::{Lane, Workplace};
use super::ledger::Ledger;
use super::records::LaneState;
use super::site::Site;
use crate::workflow::error::WorkflowError;
use crate::workflow::git::{Commit, GitError, Merged};
use crate::workflow::setup::Setup;

impl Site<'_> {
    /// Gives the commit that the change's branch is at.
    pub(super) async fn change_commit(&self) -> Result<Commit, WorkflowError> {
        let branch = Setup::branch(self.id);
        let repository = self.setup.repository.clone();
        let find = move || repository.branch_commit(&branch)?.ok_or(GitError::NoBranch { branch });
        with_git(find).await
    }

    /// Merges what is done, plan by plan, and clears away what is merged. A plan that is not done keeps none of those
    /// behind it from being merged, since none writes what another owns; a conflict does.
    pub(super) async fn merge_all(
        &self,
        lanes: &[Lane<'_>],
        ledger: &Ledger<'_>,
    ) -> Result<(), WorkflowError> {
        let is_open = |lane: &Lane<'_>| ledger.state(lane.number).to_merge().is_some();
        if lanes.iter().any(is_open) {
            self.clear_desk().await?;
        }
        for lane in lanes {
            self.goes_on()?;
            let Some(commit) = ledger.state(lane.number).to_merge().cloned() else { continue };
            match self.merge_one(lane, &commit).await {
                Ok(into) => {
                    ledger.write(&LaneEvent::Merged { plan: lane.number, commit, into })?;
                }
                Err(WorkflowError::Git(GitError::Conflict { files, .. })) => {
                    let files = files.iter().map(|file| file.display().to_string()).collect();
                    ledger.write(&LaneEvent::Conflict { plan: lane.number, files })?;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        for lane in lanes {
            if let LaneState::Merged { .. } = ledger.state(lane.number) {
                self.clear_away(lane.number).await?;
            }
        }
        Ok(())
    }

    async fn merge_one(&self, lane: &Lane<'_>, commit: &Commit) -> Result<Commit, WorkflowError> {
        let (desk, commit) = (Arc::clone(&self.desk), commit.clone());
        let (branch, message) = (Self::branch(self.id, lane.number), self.message(lane));
        let merged = with_git(move || desk.merge(&branch, &commit, &message)).await?;
        Ok(match merged {
            // By a run that was cut off before it was taken down, or by a person; or there is nothing to merge.
            Merged::Already(into) | Merged::FastForward(into) | Merged::Joined(into) => into,
        })
    }

    /// Makes the desk what its branch says it is: a merge that was cut off may have left files.
    async fn clear_desk(&self) -> Result<(), WorkflowError> {
        let start = self.change_commit().await?;
        let place = Workplace { worktree: Arc::clone(&self.desk), start };
        let stem = format!("{}.kept", Setup::branch(self.id));
        if let Some(branch) = self.set_back(&place, stem).await? {
            warn!(
                "edits on the desk of `{}` were not committed: they are kept on `{branch}`",
                self.id
            );
        }
        Ok(())
    }
}
