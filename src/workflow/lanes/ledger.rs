//! What was done, in memory and in the journal: an event is in the journal before anything relies on it, and once the
//! journal has failed nothing more is taken down.

use std::cell::RefCell;

use super::event::LaneEvent;
use super::records::{LaneRecords, LaneState};
use crate::models::plan::PlanIndex;
use crate::workflow::error::WorkflowError;
use crate::workflow::git::Commit;

/// Takes an event down. When it returns, the event is on the disk. The words of a failure may hold secrets.
pub type Journal<'a> = dyn FnMut(&LaneEvent) -> Result<(), WorkflowError> + 'a;

/// The records of a group that is at work.
pub(super) struct Ledger<'a> {
    inner: RefCell<Inner<'a>>,
}

struct Inner<'a> {
    records: LaneRecords,
    journal: &'a mut Journal<'a>,
    failure: Option<WorkflowError>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(records: &LaneRecords, journal: &'a mut Journal<'a>) -> Self {
        let inner = Inner { records: records.clone(), journal, failure: None };
        Self { inner: RefCell::new(inner) }
    }

    /// Takes an event down. After a failure, which is kept, everything is as if agentd was to end.
    pub(super) fn write(&self, event: &LaneEvent) -> Result<(), WorkflowError> {
        let mut inner = self.inner.borrow_mut();
        if inner.failure.is_some() {
            return Err(WorkflowError::Interrupted);
        }
        match (inner.journal)(event) {
            Ok(()) => {
                inner.records.take(event);
                Ok(())
            }
            Err(error) => {
                inner.failure = Some(error);
                Err(WorkflowError::Interrupted)
            }
        }
    }

    /// Takes a failure of a plan down, unless nothing is wrong with the plan: then the error is given back.
    pub(super) fn failed(
        &self,
        plan: PlanIndex,
        error: WorkflowError,
    ) -> Result<(), WorkflowError> {
        if error.is_no_failure() {
            return Err(error);
        }
        self.write(&LaneEvent::Failed { plan, message: error.to_string() })
    }

    /// Refuses to go on once the journal has failed.
    pub(super) fn is_whole(&self) -> Result<(), WorkflowError> {
        match self.inner.borrow().failure {
            Some(_) => Err(WorkflowError::Interrupted),
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

    /// Gives the records, or why all has ended before its time; a failure of the journal comes before all else.
    pub(super) fn close(
        self,
        result: Result<(), WorkflowError>,
    ) -> Result<LaneRecords, WorkflowError> {
        let inner = self.inner.into_inner();
        match inner.failure {
            Some(failure) => Err(failure),
            None => result.map(|()| inner.records),
        }
    }
}
