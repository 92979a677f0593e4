//! Bringing the branches of plans into the change's own, on its desk and in the order of the plans. The user's checkout
//! has no part in it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use log::warn;
use tokio::sync::Notify;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::blocking::with_git;
use super::event::LaneEvent;
use super::lane::Workplace;
use super::ledger::Ledger;
use super::records::LaneState;
use super::site::Site;
use crate::engine::error::EngineError;
use crate::engine::git::{Commit, GitError, Merged};
use crate::engine::schedule::Lane;
use crate::engine::setup::Setup;
use crate::models::plan::PlanIndex;

/// Which plans are still being carried out.
pub(super) struct Turns {
    under_way: RefCell<BTreeSet<PlanIndex>>,
    ended: Notify,
}

impl Turns {
    pub(super) fn of(under_way: impl Iterator<Item = PlanIndex>) -> Self {
        Self { under_way: RefCell::new(under_way.collect()), ended: Notify::new() }
    }

    /// Takes down that a plan has ended, however it did.
    pub(super) fn end(&self, plan: PlanIndex) {
        self.under_way.borrow_mut().remove(&plan);
        self.ended.notify_one();
    }

    async fn ended(&self, plan: PlanIndex) {
        while self.under_way.borrow().contains(&plan) {
            self.ended.notified().await;
        }
    }
}

impl Site<'_> {
    /// Gives the commit that the change's branch is at.
    pub(super) async fn change_commit(&self) -> Result<Commit, EngineError> {
        let branch = Setup::branch(self.id);
        let repository = self.setup.repository.clone();
        let find = move || repository.branch_commit(&branch)?.ok_or(GitError::NoBranch { branch });
        with_git(find).await
    }

    /// Merges what is done, plan by plan, each as soon as those before it have ended, and clears away what is merged. A plan
    /// that is not done keeps none of those behind it from being merged, since none writes what another owns; a conflict
    /// does.
    pub(super) async fn merge_all(
        &self,
        lanes: &[Lane],
        ledger: &Ledger<'_>,
        turns: &Turns,
    ) -> Result<(), EngineError> {
        let (to_clear, cleared) = mpsc::unbounded_channel();
        let merging = async {
            // Clearing away ends when nothing more can come.
            let to_clear = to_clear;
            self.merge_in_turn(lanes, ledger, turns, &to_clear).await
        };
        let (merged, cleared) = tokio::join!(merging, self.clear_all(cleared));
        merged.and(cleared)
    }

    async fn merge_in_turn(
        &self,
        lanes: &[Lane],
        ledger: &Ledger<'_>,
        turns: &Turns,
        to_clear: &UnboundedSender<(PlanIndex, Commit)>,
    ) -> Result<(), EngineError> {
        let mut is_clear = false;
        for lane in lanes {
            let plan = lane.index();
            turns.ended(plan).await;
            self.goes_on()?;
            ledger.is_whole()?;
            if let Some(commit) = ledger.state(plan).to_merge().cloned() {
                if !is_clear {
                    self.clear_desk().await?;
                    is_clear = true;
                }
                match self.merge_one(lane, &commit).await {
                    Ok(into) => ledger.write(&LaneEvent::Merged { plan, commit, into })?,
                    Err(EngineError::Git(GitError::Conflict { files, .. })) => {
                        let files = files.iter().map(|file| file.display().to_string()).collect();
                        return ledger.write(&LaneEvent::Conflict { plan, files });
                    }
                    Err(error) => return Err(error),
                }
            }
            if let LaneState::Merged { commit, .. } = ledger.state(plan) {
                // Whoever would take it has gone only if it panicked.
                let _ = to_clear.send((plan, commit));
            }
        }
        Ok(())
    }

    /// Clears away what is merged, beside the merging of others.
    async fn clear_all(
        &self,
        mut merged: UnboundedReceiver<(PlanIndex, Commit)>,
    ) -> Result<(), EngineError> {
        while let Some((plan, commit)) = merged.recv().await {
            self.clear_away(plan, commit).await?;
        }
        Ok(())
    }

    async fn merge_one(&self, lane: &Lane, commit: &Commit) -> Result<Commit, EngineError> {
        let (desk, commit) = (Arc::clone(&self.desk), commit.clone());
        let (branch, message) = (Self::branch(self.id, lane.index()), self.message(lane));
        let merged = with_git(move || desk.merge(&branch, &commit, &message)).await?;
        Ok(match merged {
            // By a run that was cut off before it was taken down, or by a person; or there is nothing to merge.
            Merged::Already(into) | Merged::FastForward(into) | Merged::Joined(into) => into,
        })
    }

    /// Makes the desk what its branch says it is: a merge that was cut off may have left files.
    async fn clear_desk(&self) -> Result<(), EngineError> {
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
