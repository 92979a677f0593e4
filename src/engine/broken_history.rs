//! Why a journal makes no sense, or cannot go on with an entry.

use thiserror::Error;

use crate::flow::Refusal;
use crate::models::plan::PlanIndex;

/// A journal whose entries cannot follow each other.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("entry {number} is impossible: {reason}")]
pub struct BrokenHistory {
    /// The number of the entry.
    pub number: usize,
    /// Why it cannot be.
    pub reason: CannotBe,
}

/// Why something cannot happen to a change where it is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CannotBe {
    /// The flow does not allow it here.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The flow has no such step.
    #[error("the flow has no step `{0}`")]
    NoStep(String),
    /// The plan is not due.
    #[error("plan {} is not due", .0.get())]
    NotDue(PlanIndex),
    /// Plans are still due.
    #[error("some plans are not carried out yet")]
    PlansLeft,
    /// The change begins with something else than a request, or begins twice.
    #[error("a change starts with its request, once")]
    NoRequest,
    /// No code was begun that could be brought onto another base.
    #[error("no code was started")]
    NoCode,
    /// The flow that the change began with is not known.
    #[error("{0}")]
    Flow(String),
}
