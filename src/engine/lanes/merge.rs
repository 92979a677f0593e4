//! Bringing the branches of plans into the change's own, in the order of the plans. No file is touched: neither the user's
//! checkout nor a workspace has a part in it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use tokio::sync::Notify;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::blocking::with_git;
use super::event::LaneEvent;
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
        let mut head = self.code.clone();
        for lane in lanes {
            let plan = lane.index();
            turns.ended(plan).await;
            self.goes_on()?;
            ledger.is_whole()?;
            let state = ledger.state(plan);
            if let Some(commit) = state.to_merge().cloned() {
                if matches!(state, LaneState::InConflict { .. }) {
                    head = self.resolved(&head, &commit).await?;
                }
                match self.merge_one(lane, &head, &commit).await {
                    Ok(into) => {
                        head = into.clone();
                        ledger.write(&LaneEvent::Merged { plan, commit, into })?;
                    }
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

    /// Merges a plan's commit into the change's branch, which is at a known commit.
    async fn merge_one(
        &self,
        lane: &Lane,
        head: &Commit,
        commit: &Commit,
    ) -> Result<Commit, EngineError> {
        let (repository, head, commit) =
            (self.setup.repository.clone(), head.clone(), commit.clone());
        let (into, branch) = (Setup::branch(self.id), Self::branch(self.id, lane.index()));
        let message = self.message(lane);
        let merged =
            with_git(move || repository.join((&into, &head), (&branch, &commit), &message));
        Ok(match merged.await? {
            // By a run that was cut off before it was recorded, or by a person; or there is nothing to merge.
            Merged::Already(into) | Merged::FastForward(into) | Merged::Joined(into) => into,
        })
    }

    /// Returns where a person has resolved a conflict, if that is so: the change's branch has gone on from where it was known
    /// to be, and holds the plan's commit.
    async fn resolved(&self, head: &Commit, commit: &Commit) -> Result<Commit, EngineError> {
        let repository = self.setup.repository.clone();
        let (head, commit, branch) = (head.clone(), commit.clone(), Setup::branch(self.id));
        let find = move || {
            let Some(tip) = repository.branch_commit(&branch)? else { return Ok(head) };
            let is_resolved =
                repository.contains(&tip, &head)? && repository.contains(&tip, &commit)?;
            Ok(if is_resolved { tip } else { head })
        };
        with_git(find).await
    }
}
