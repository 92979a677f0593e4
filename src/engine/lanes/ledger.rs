//! What was done, in memory and in the journal: an event is in the journal before anything relies on it, and once the
//! journal has failed nothing more is taken down.

use std::cell::RefCell;

use super::event::LaneEvent;
use super::records::{LaneRecords, LaneState};
use crate::engine::error::EngineError;
use crate::engine::git::Commit;
use crate::models::plan::PlanIndex;

/// Takes an event down. When it returns, the event is on the disk. The words of a failure may hold secrets.
pub type Journal<'a> = dyn FnMut(&LaneEvent) -> Result<(), EngineError> + 'a;

/// The records of a group that is at work.
pub(super) struct Ledger<'a> {
    inner: RefCell<Inner<'a>>,
}

struct Inner<'a> {
    records: LaneRecords,
    journal: &'a mut Journal<'a>,
    failure: Option<EngineError>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(records: &LaneRecords, journal: &'a mut Journal<'a>) -> Self {
        let inner = Inner { records: records.clone(), journal, failure: None };
        Self { inner: RefCell::new(inner) }
    }

    /// Takes an event down. After a failure, which is kept, everything is as if agentd was to end.
    pub(super) fn write(&self, event: &LaneEvent) -> Result<(), EngineError> {
        let mut inner = self.inner.borrow_mut();
        if inner.failure.is_some() {
            return Err(EngineError::Interrupted);
        }
        match (inner.journal)(event) {
            Ok(()) => {
                inner.records.take(event);
                Ok(())
            }
            Err(error) => {
                inner.failure = Some(error);
                Err(EngineError::Interrupted)
            }
        }
    }

    /// Takes a failure of a plan down, unless nothing is wrong with the plan: then the error is given back.
    pub(super) fn failed(&self, plan: PlanIndex, error: EngineError) -> Result<(), EngineError> {
        if error.is_no_failure() {
            return Err(error);
        }
        self.write(&LaneEvent::Failed { plan, message: error.to_string() })
    }

    /// Refuses to go on once the journal has failed.
    pub(super) fn is_whole(&self) -> Result<(), EngineError> {
        match self.inner.borrow().failure {
            Some(_) => Err(EngineError::Interrupted),
            None => Ok(()),
        }
    }

    pub(super) fn state(&self, plan: PlanIndex) -> LaneState {
        self.inner.borrow().records.state(plan).clone()
    }

    pub(super) fn base(&self, plan: PlanIndex) -> Option<Commit> {
        self.inner.borrow().records.base(plan).cloned()
    }

    pub(super) fn is_begun(&self, plan: PlanIndex) -> bool {
        self.inner.borrow().records.is_begun(plan)
    }

    /// Returns the records, or why all has ended before its time; a failure of the journal comes before all else.
    pub(super) fn close(self, result: Result<(), EngineError>) -> Result<LaneRecords, EngineError> {
        let inner = self.inner.into_inner();
        match inner.failure {
            Some(failure) => Err(failure),
            None => result.map(|()| inner.records),
        }
    }
}
