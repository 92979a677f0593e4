//! The workflow of a change as a pure machine: what happened makes a [`State`], and a state says what is next.
//!
//! Nothing here knows files, agents or clocks. The limits on rounds are no part of a state: a history means the same
//! whatever the configuration says today.

use thiserror::Error;

use crate::template::{Phase, Verdict};

/// Where a change is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// A phase is to be run.
    Due(Phase),
    /// The project's checks are to be run.
    Verify(Check),
    /// A person is to approve what this phase came to.
    Gate(Phase),
    /// The archive's files are there and are to be put in their places.
    Apply,
    /// The change is done.
    Archived,
    /// The critic found the proposal fundamentally flawed.
    Rejected,
    /// A person gave the change up.
    Cancelled,
}

/// When the project's checks are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// After an implementation, as evidence for its review.
    AfterImplement,
    /// After a review, so that nothing is archived that does not pass now.
    BeforeArchive,
}

/// What the project's checks came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Every command passed, or there is none.
    Green,
    /// A command failed.
    Red,
}

/// What a phase came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// A verdict, in a phase that asks for one.
    Verdict(Verdict),
    /// Every task is completed.
    AllDone,
    /// A task failed, or was not spoken of.
    TasksLeft,
    /// The phase's files are there and in order.
    Files,
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// A phase was begun.
    Started(Phase),
    /// A phase came to its end.
    Finished(Phase, Outcome),
    /// The checks were run.
    Verified(Evidence),
    /// A person is to be asked about what this phase came to.
    Paused(Phase),
    /// A person approved.
    Approved,
    /// A person sent the work back.
    SentBack,
    /// A person said more about what is wanted.
    Guided,
    /// The archive was put in place.
    Applied,
    /// A person gave the change up.
    Cancelled,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Run a phase.
    Run(Phase),
    /// Run the project's checks.
    Verify(Check),
    /// Put the archive in place.
    Apply,
    /// Wait until a person approves what this phase came to, or sends it back.
    Wait(Phase),
    /// Wait for a person: this phase has been run as often as it may be.
    Exhausted(Phase),
    /// Nothing: the change has ended.
    End,
}

/// How often a phase is run before a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How often a plan is made.
    pub plan: u32,
    /// How often it is implemented.
    pub implement: u32,
}

impl Limits {
    const fn of(self, phase: Phase) -> u32 {
        match phase {
            Phase::Plan | Phase::Challenge => self.plan,
            Phase::Implement | Phase::Review => self.implement,
            // It is repeated only when a person says so.
            Phase::Archive => u32::MAX,
        }
    }
}

/// An event that cannot happen where a change is.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("{event:?} cannot happen at {stage:?}")]
pub struct Impossible {
    /// Where the change is.
    pub stage: Stage,
    /// What cannot happen there.
    pub event: Event,
}

/// What has become of a change so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Where it is.
    pub stage: Stage,
    /// The phase that was begun and has not come to its end.
    pub started: Option<Phase>,
    /// The phase that was the last to succeed, for as long as a person may be asked about it.
    pub succeeded: Option<Phase>,
    /// Whether the plan as it is now has passed its challenge.
    pub plan_passed: bool,
    /// Whether the code as it is now has passed its review.
    pub code_passed: bool,
    /// What the checks say of the code as it is now.
    pub evidence: Option<Evidence>,
    /// Whether any code was written.
    pub implemented: bool,
    /// How often each phase came to its end since a person last had a say.
    rounds: [u32; Phase::ALL.len()],
}

impl Default for State {
    /// A change begins with its plan.
    fn default() -> Self {
        Self {
            stage: Stage::Due(Phase::Plan),
            started: None,
            succeeded: None,
            plan_passed: false,
            code_passed: false,
            evidence: None,
            implemented: false,
            rounds: [0; Phase::ALL.len()],
        }
    }
}

impl State {
    /// Says how often a phase came to its end since a person last had a say.
    pub const fn rounds(&self, phase: Phase) -> u32 {
        self.rounds[phase as usize]
    }

    /// Says whether the change has ended.
    pub const fn is_over(&self) -> bool {
        match self.stage {
            Stage::Archived | Stage::Rejected | Stage::Cancelled => true,
            Stage::Due(_) | Stage::Verify(_) | Stage::Gate(_) | Stage::Apply => false,
        }
    }

    /// Says what is to be done next.
    pub const fn step(&self, limits: Limits) -> Step {
        match self.stage {
            Stage::Due(phase) if self.rounds(phase) >= limits.of(phase) => Step::Exhausted(phase),
            Stage::Due(phase) => Step::Run(phase),
            Stage::Verify(check) => Step::Verify(check),
            Stage::Gate(phase) => Step::Wait(phase),
            Stage::Apply => Step::Apply,
            Stage::Archived | Stage::Rejected | Stage::Cancelled => Step::End,
        }
    }

    /// Gives the state after an event.
    pub fn after(self, event: Event) -> Result<Self, Impossible> {
        let impossible = Impossible { stage: self.stage, event };
        match event {
            Event::Started(phase) if self.stage == Stage::Due(phase) => Ok(self.begun(phase)),
            Event::Finished(phase, outcome) if self.started == Some(phase) => {
                self.finished(phase, outcome).ok_or(impossible)
            }
            Event::Verified(evidence) => self.verified(evidence).ok_or(impossible),
            Event::Paused(phase) if self.may_pause(phase) => {
                Ok(Self { stage: Stage::Gate(phase), ..self })
            }
            Event::Approved => match self.stage {
                Stage::Gate(phase) => Ok(Self { succeeded: None, ..self.at(following(phase)) }),
                Stage::Due(_)
                | Stage::Verify(_)
                | Stage::Apply
                | Stage::Archived
                | Stage::Rejected
                | Stage::Cancelled => Err(impossible),
            },
            Event::SentBack => match self.stage {
                Stage::Gate(phase) => Ok(self.sent_back(maker(phase))),
                Stage::Due(phase) if self.rounds(phase) > 0 => Ok(self.sent_back(maker(phase))),
                Stage::Apply => Ok(self.sent_back(Phase::Archive)),
                Stage::Due(_)
                | Stage::Verify(_)
                | Stage::Archived
                | Stage::Rejected
                | Stage::Cancelled => Err(impossible),
            },
            Event::Guided if !self.implemented && !self.is_over() => {
                Ok(self.sent_back(Phase::Plan))
            }
            Event::Applied if self.stage == Stage::Apply => Ok(self.at(Stage::Archived)),
            Event::Cancelled if !self.is_over() => Ok(self.at(Stage::Cancelled)),
            Event::Started(_)
            | Event::Finished(..)
            | Event::Paused(_)
            | Event::Guided
            | Event::Applied
            | Event::Cancelled => Err(impossible),
        }
    }

    const fn at(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self.started = None;
        self
    }

    /// What a phase is about to change is no longer judged.
    fn begun(self, phase: Phase) -> Self {
        let state = Self { started: Some(phase), succeeded: None, ..self };
        match phase {
            Phase::Plan => state.with_plan_open(),
            Phase::Implement => Self { implemented: true, ..state.with_code_open() },
            Phase::Challenge | Phase::Review | Phase::Archive => state,
        }
    }

    const fn with_plan_open(mut self) -> Self {
        self.plan_passed = false;
        self.with_code_open()
    }

    const fn with_code_open(mut self) -> Self {
        self.code_passed = false;
        self.evidence = None;
        self
    }

    #[expect(clippy::match_same_arms, reason = "each arm is a row of the contract's table")]
    fn finished(mut self, phase: Phase, outcome: Outcome) -> Option<Self> {
        let rounds = &mut self.rounds[phase as usize];
        *rounds = rounds.saturating_add(1);
        let succeeded = Self { succeeded: Some(phase), ..self };
        let due = |phase| self.at(Stage::Due(phase));
        Some(match (phase, outcome) {
            (Phase::Plan, Outcome::Verdict(Verdict::Pass)) => succeeded.at(following(phase)),
            (Phase::Plan, Outcome::Verdict(Verdict::NeedsRevision)) => due(Phase::Plan),
            (Phase::Challenge, Outcome::Verdict(Verdict::Pass)) => {
                Self { plan_passed: true, ..succeeded.at(following(phase)) }
            }
            (Phase::Challenge, Outcome::Verdict(Verdict::NeedsRevision)) => due(Phase::Plan),
            (Phase::Challenge, Outcome::Verdict(Verdict::Rejected)) => self.at(Stage::Rejected),
            (Phase::Implement, Outcome::AllDone) => {
                succeeded.at(Stage::Verify(Check::AfterImplement))
            }
            (Phase::Implement, Outcome::TasksLeft) => due(Phase::Implement),
            // Whatever the verdict says: what is red is not done.
            (Phase::Review, Outcome::Verdict(Verdict::Pass)) => match self.evidence {
                Some(Evidence::Green) => {
                    let passed = Self { code_passed: true, ..succeeded };
                    passed.at(Stage::Verify(Check::BeforeArchive))
                }
                Some(Evidence::Red) | None => due(Phase::Implement),
            },
            (Phase::Review, Outcome::Verdict(Verdict::NeedsChanges | Verdict::MajorIssues)) => {
                due(Phase::Implement)
            }
            (Phase::Archive, Outcome::Files) => succeeded.at(following(phase)),
            (
                Phase::Plan | Phase::Challenge | Phase::Implement | Phase::Review | Phase::Archive,
                Outcome::Verdict(_) | Outcome::AllDone | Outcome::TasksLeft | Outcome::Files,
            ) => return None,
        })
    }

    fn verified(self, evidence: Evidence) -> Option<Self> {
        let Stage::Verify(check) = self.stage else { return None };
        let state = Self { evidence: Some(evidence), ..self };
        Some(match (check, evidence) {
            // The reviewer sees what is red, and says what it takes.
            (Check::AfterImplement, Evidence::Green | Evidence::Red) => {
                state.at(Stage::Due(Phase::Review))
            }
            (Check::BeforeArchive, Evidence::Green) => state.at(Stage::Due(Phase::Archive)),
            (Check::BeforeArchive, Evidence::Red) => {
                let open = Self { code_passed: false, succeeded: None, ..state };
                open.at(Stage::Due(Phase::Implement))
            }
        })
    }

    /// A person is asked about a phase when it has succeeded and nothing else has begun.
    fn may_pause(&self, phase: Phase) -> bool {
        self.succeeded == Some(phase) && self.started.is_none() && self.stage == following(phase)
    }

    /// A person's say opens the work again, and the rounds are counted anew.
    fn sent_back(self, phase: Phase) -> Self {
        let state = match phase {
            Phase::Plan => self.with_plan_open(),
            Phase::Implement => self.with_code_open(),
            Phase::Challenge | Phase::Review | Phase::Archive => self,
        };
        let fresh = Self { succeeded: None, rounds: [0; Phase::ALL.len()], ..state };
        fresh.at(Stage::Due(phase))
    }
}

/// Gives where a change goes on once a phase has succeeded and its checks, if any, have been run.
const fn following(phase: Phase) -> Stage {
    match phase {
        Phase::Plan => Stage::Due(Phase::Challenge),
        Phase::Challenge => Stage::Due(Phase::Implement),
        Phase::Implement => Stage::Due(Phase::Review),
        Phase::Review => Stage::Due(Phase::Archive),
        Phase::Archive => Stage::Apply,
    }
}

/// Gives the phase that makes what a phase judges: it is done again when a person sends the work back.
pub const fn maker(phase: Phase) -> Phase {
    match phase {
        Phase::Plan | Phase::Challenge => Phase::Plan,
        Phase::Implement | Phase::Review => Phase::Implement,
        Phase::Archive => Phase::Archive,
    }
}

#[cfg(test)]
mod tests;
