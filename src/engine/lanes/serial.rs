//! A serial group: its plans are carried out one after the other on the change's desk, a commit each. Nobody works beside
//! them, so that writing what a plan does not own is no more than a warning.

use std::sync::Arc;

use super::event::LaneEvent;
use super::lane::{LaneRunner, Workplace};
use super::ledger::{Journal, Ledger};
use super::records::LaneRecords;
use super::site::Site;
use crate::engine::error::EngineError;
use crate::engine::git::Commit;
use crate::engine::schedule::Lane;

/// Carries out what is still due of a serial group, in the order of its plans, until all are done or one fails: those
/// behind it may build on it.
///
/// Gives where each plan is then: done is [`Finished`](super::LaneState::Finished), since there is nothing to merge. An
/// error means the same as in [`run_group`](super::run_group).
pub async fn run_serial<'a, R: LaneRunner>(
    site: &Site<'_>,
    lanes: &[Lane],
    records: &LaneRecords,
    runner: &R,
    journal: &'a mut Journal<'a>,
) -> Result<LaneRecords, EngineError> {
    let ledger = Ledger::new(records, journal);
    let (mut result, mut start) = (Ok(()), site.code.clone());
    for lane in lanes {
        if !ledger.state(lane.index()).is_due() {
            continue;
        }
        let attempt = attempt(site, lane, &start, runner, &ledger).await;
        result = attempt
            .map(|commit| start = commit)
            .or_else(|error| ledger.failed(lane.index(), error));
        if result.is_err() || ledger.state(lane.index()).is_due() {
            break;
        }
    }
    ledger.close(result)
}

async fn attempt<R: LaneRunner>(
    site: &Site<'_>,
    lane: &Lane,
    start: &Commit,
    runner: &R,
    ledger: &Ledger<'_>,
) -> Result<Commit, EngineError> {
    let plan = lane.index();
    site.goes_on()?;
    runner.may_begin()?;
    let start = match ledger.base(plan) {
        Some(base) => base,
        None => start.clone(),
    };
    ledger.write(&LaneEvent::Started { plan, base: start.clone() })?;
    let place = Workplace { workspace: Arc::clone(&site.desk), start };
    let asking = site.make_ready(lane, &place, runner, ledger).await?;
    let answer = runner.run(lane, &place, asking).await?;
    let work = site.commit(lane, &place, &answer).await?;
    if !work.outside.is_empty() {
        ledger.write(&LaneEvent::WroteOutside { plan, files: work.outside })?;
    }
    let commit = work.commit;
    ledger.write(&LaneEvent::Finished { plan, commit: commit.clone(), run: answer.run })?;
    Ok(commit)
}
