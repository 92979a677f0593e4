//! Where a change can be, what can happen to it, and what is next.

use std::fmt;

use super::facts::Facts;
use super::steps::StepId;
use super::vocab::{Guarantee, Outcome, Subject};

/// Where a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// At a step, which is due or under way.
    Step(StepId),
    /// Between two steps, until a person approves the result of the first.
    Paused {
        /// The step whose result a person looks at.
        after: StepId,
        /// The step that is next.
        then: StepId,
    },
    /// At a step whose agent needs an answer from a person.
    Blocked(StepId),
    /// Done.
    Archived,
    /// Ended by the verdict of a step; a person may override it.
    Rejected(StepId),
    /// Given up by a person.
    Cancelled,
}

/// Something that happened to a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A step began.
    Started(StepId),
    /// A step ended.
    Finished {
        /// The step.
        step: StepId,
        /// How.
        outcome: Outcome,
        /// What is known now, where the step makes a schedule or needs documents.
        facts: Facts,
    },
    /// The agent of a step needs an answer.
    Blocked(StepId),
    /// A person answered.
    Answered,
    /// A person wants to look at the result of a step before the next.
    Paused(StepId),
    /// A person approved.
    Approved,
    /// A person lets the change go on in spite of a REJECTED.
    Overridden,
    /// A person rejected the work.
    Rejected,
    /// A person said more about what is wanted.
    Guided,
    /// A person edited what was accepted, or brought the code onto another base.
    Edited {
        /// What.
        subject: Subject,
        /// What the schedule says now.
        facts: Facts,
    },
    /// A person rejected the work after it was archived.
    Reopened,
    /// A person gave the change up.
    Cancelled,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Next {
    /// Do a step.
    Run(StepId),
    /// Wait for a person.
    Wait(Waiting),
    /// Nothing: the change has ended.
    End,
}

/// Why a person has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Waiting {
    /// The result of this step needs an approval, as the person asked.
    Paused(StepId),
    /// The flow has a gate here.
    Gate(StepId),
    /// The agent of this step needs an answer.
    Blocked(StepId),
    /// This step was done as often as it may be.
    Exhausted(StepId),
}

/// Why an event cannot happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing of the kind can happen where the change is.
    NotHere {
        /// Where the change is.
        position: Position,
        /// The event.
        event: Event,
    },
    /// The change may not be archived yet.
    Lacks(Guarantee),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHere { position, event } => {
                write!(f, "{event:?} cannot happen at {position:?}")
            }
            Self::Lacks(guarantee) => write!(f, "the change is not {guarantee} yet"),
        }
    }
}

impl std::error::Error for Refusal {}
