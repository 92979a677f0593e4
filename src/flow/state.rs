//! Where a change is and what is known about it: a value that follows from the events alone.
//!
//! Limits on rounds are no part of a state, so that a history means the same whatever the configuration says today.

use super::event::{Next, Position, Waiting};
use super::facts::Facts;
use super::steps::{StepId, StepSet};
use super::table::{Flow, Limit, Target};
use super::vocab::{Guarantee, Kind, Subject};

/// A run of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckRun {
    /// Whether all passed.
    pub is_green: bool,
    /// Whether it was a clean run.
    pub is_clean: bool,
}

/// Where a change is and what is known about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own that a person can name"
)]
pub struct State {
    /// Where it is.
    pub position: Position,
    /// Whether the step it is at has begun.
    pub is_started: bool,
    /// The step that reached its goal last, as long as a person can be asked about its result.
    pub succeeded: Option<StepId>,
    /// The steps whose PASS holds for what they judge as it is now.
    pub passed: StepSet,
    /// The steps whose REJECTED a person overrode.
    pub overridden: StepSet,
    /// The last run of the checks on the code as it is now.
    pub checks: Option<CheckRun>,
    /// Whether a person approved the change as it is now.
    pub is_approved: bool,
    /// Whether there was ever a plan, since a person last said what is wanted.
    pub is_planned: bool,
    /// Whether any code was written.
    pub is_coded: bool,
    /// The step whose plan is the one that counts.
    pub(super) planned_by: Option<StepId>,
    /// The step whose code is the one that counts.
    pub(super) coded_by: Option<StepId>,
    /// What else is known.
    pub facts: Facts,
    pub(super) rounds: [u8; StepId::MOST],
}

impl State {
    /// Returns the state of a new change. The facts are those of the configuration.
    pub fn new(flow: &Flow, facts: Facts) -> Self {
        let state = Self {
            position: Position::Step(flow.start),
            is_started: false,
            succeeded: None,
            passed: StepSet::default(),
            overridden: StepSet::default(),
            checks: None,
            is_approved: false,
            is_planned: false,
            is_coded: false,
            planned_by: None,
            coded_by: None,
            facts,
            rounds: [0; StepId::MOST],
        };
        state.arrived(flow, Target::Step(flow.start), flow.start)
    }

    /// Returns how often a step ended since a person last had a say.
    pub const fn rounds(&self, step: StepId) -> u32 {
        self.rounds[step.index()] as u32
    }

    /// Returns whether the change has ended.
    pub const fn is_over(&self) -> bool {
        match self.position {
            Position::Archived | Position::Rejected(_) | Position::Cancelled => true,
            Position::Step(_) | Position::Paused { .. } | Position::Blocked(_) => false,
        }
    }

    /// Returns what to do next. `limit` says how many rounds a limit allows.
    pub fn next(&self, flow: &Flow, limit: impl Fn(Limit) -> u32) -> Next {
        match self.position {
            Position::Step(id) => {
                let step = flow.step(id);
                let is_exhausted =
                    step.rounds.is_some_and(|it| self.rounds(it.of) >= limit(it.limit));
                match step.kind {
                    Kind::Gate => Next::Wait(Waiting::Gate(id)),
                    _ if is_exhausted && !self.is_started => Next::Wait(Waiting::Exhausted(id)),
                    Kind::Agent | Kind::Lanes | Kind::Checks | Kind::Archive => Next::Run(id),
                }
            }
            Position::Paused { after, .. } => Next::Wait(Waiting::Paused(after)),
            Position::Blocked(id) => Next::Wait(Waiting::Blocked(id)),
            Position::Archived | Position::Rejected(_) | Position::Cancelled => Next::End,
        }
    }

    /// Returns the first guarantee of the flow that does not hold.
    pub fn lacks(&self, flow: &Flow) -> Option<Guarantee> {
        flow.guarantees.iter().copied().find(|guarantee| !self.holds(flow, *guarantee))
    }

    /// Returns whether a guarantee holds only because a person overrode a verdict.
    pub fn holds_by_override(&self, flow: &Flow, guarantee: Guarantee) -> bool {
        let by_verdicts = Self { overridden: StepSet::default(), ..*self };
        self.holds(flow, guarantee) && !by_verdicts.holds(flow, guarantee)
    }

    /// Returns whether a guarantee holds for the change as it is now.
    pub fn holds(&self, flow: &Flow, guarantee: Guarantee) -> bool {
        let accepted = |subject| {
            let judges = flow.judges(subject, self.facts);
            judges != StepSet::default() && self.passed.union(self.overridden).includes(judges)
        };
        match guarantee {
            Guarantee::Challenged => accepted(Subject::Plan),
            Guarantee::Reviewed => accepted(Subject::Code),
            Guarantee::Checked => self.checks.is_some_and(|run| run.is_green && run.is_clean),
            Guarantee::Approved => self.is_approved,
        }
    }
}
