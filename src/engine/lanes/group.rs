//! A parallel group: its plans are carried out at once, each in a workspace and on a branch of its own, and then brought
//! together.

use super::event::LaneEvent;
use super::lane::LaneRunner;
use super::ledger::{Journal, Ledger};
use super::merge::Turns;
use super::pool::{self, End};
use super::records::LaneRecords;
use super::site::Site;
use crate::engine::error::EngineError;
use crate::engine::git::{Commit, GitError, Owner};
use crate::engine::schedule::Lane;
use crate::engine::setup::Setup;

/// Carries out what is still due of a parallel group, and merges what may be merged, in the order of the plans.
///
/// Gives where each plan is then. A plan that fails, or writes what it does not own, takes nothing from the others; run
/// again, only what is not done is done, from the same commit. An error means that agentd is to end, that the machine is
/// at fault, or that the journal or the desk cannot be written; what was done until then is in the journal.
pub async fn run_group<'a, R: LaneRunner>(
    site: &Site<'_>,
    lanes: &[Lane],
    records: &LaneRecords,
    runner: &R,
    journal: &'a mut Journal<'a>,
) -> Result<LaneRecords, EngineError> {
    let ledger = Ledger::new(records, journal);
    let group = Group { site, runner, ledger: &ledger };
    let result = group.run(lanes).await;
    ledger.close(result)
}

struct Group<'a, 'j, R> {
    site: &'a Site<'a>,
    runner: &'a R,
    ledger: &'a Ledger<'j>,
}

impl<R: LaneRunner> Group<'_, '_, R> {
    async fn run(&self, lanes: &[Lane]) -> Result<(), EngineError> {
        let due: Vec<_> =
            lanes.iter().filter(|lane| self.ledger.state(lane.index()).is_due()).collect();
        let turns = Turns::of(due.iter().map(|lane| lane.index()));
        let merging = self.site.merge_all(lanes, self.ledger, &turns);
        if due.is_empty() {
            return merging.await;
        }
        let base = self.base(lanes)?;
        let (carried_out, merged) = tokio::join!(self.carry_out(&due, &base, &turns), merging);
        carried_out.and(merged)
    }

    /// Returns the commit that the group begins with: the one that its plans began with, as long as any is not merged.
    fn base(&self, lanes: &[Lane]) -> Result<Commit, EngineError> {
        let found = self.site.code.clone();
        let is_open = |lane: &&Lane| {
            let state = self.ledger.state(lane.index());
            state.is_due() || state.to_merge().is_some()
        };
        let begun = lanes.iter().filter(is_open).find_map(|lane| self.ledger.base(lane.index()));
        let Some(expected) = begun else { return Ok(found) };
        if self.site.setup.repository.contains(&found, &expected)? {
            return Ok(expected);
        }
        let branch = Setup::branch(self.site.id);
        Err(GitError::BranchMoved { branch, expected, found }.into())
    }

    /// Carries out plans, and waits for all that were begun.
    async fn carry_out(
        &self,
        due: &[&Lane],
        base: &Commit,
        turns: &Turns,
    ) -> Result<(), EngineError> {
        let jobs = due.iter().map(|lane| self.lane(lane, base));
        let mut result = Ok(());
        let mut report = |place: usize, end: End<Result<(), EngineError>>| {
            let plan = due[place].index();
            let ended = match end {
                End::Done(ended) => ended,
                End::Panicked(words) => {
                    let message = format!("panicked: {words}");
                    self.ledger.write(&LaneEvent::Failed { plan, message })
                }
                End::NotStarted => Err(EngineError::Interrupted),
            };
            turns.end(plan);
            // The first that went wrong is the one to be told of.
            if result.is_ok() {
                result = ended;
            }
        };
        pool::run(jobs, self.site.max_parallel, &self.site.cancel, &mut report).await;
        result
    }

    async fn lane(&self, lane: &Lane, base: &Commit) -> Result<(), EngineError> {
        match self.attempt(lane, base).await {
            Ok(()) => Ok(()),
            Err(error) => self.ledger.failed(lane.index(), error),
        }
    }

    async fn attempt(&self, lane: &Lane, base: &Commit) -> Result<(), EngineError> {
        let Self { site, runner, ledger } = self;
        let plan = lane.index();
        ledger.is_whole()?;
        runner.may_begin()?;
        let owner = if ledger.is_begun(plan) { Owner::Agentd } else { Owner::Anybody };
        // A branch that somebody else has made is refused, before it is taken down that the plan is begun: from then on it
        // is ours.
        let place = site.workplace(plan, base, owner).await?;
        ledger.write(&LaneEvent::Started { plan, base: base.clone() })?;
        let asking = site.make_ready(lane, &place, *runner, ledger).await?;
        let answer = runner.run(lane, &place, asking).await?;
        let work = site.commit(lane, &place, &answer).await?;
        ledger.write(&if work.outside.is_empty() {
            LaneEvent::Finished { plan, commit: work.commit, run: answer.run }
        } else {
            LaneEvent::Quarantined { plan, commit: work.commit, files: work.outside }
        })
    }
}
