//! The team flow as a pure machine: what happened makes a [`TeamState`], and a state says what is next.
//!
//! Nothing here knows files, agents or clocks. The limit on reviews is no part of a state: a history means the same
//! whatever the configuration says today.

use thiserror::Error;

use super::lineup::{Done, Lineup, Unit};
use super::step::TeamStep;
use crate::engine::machine::Evidence;
use crate::models::plan::{Mode, PlanIndex};

/// Where a change of the team is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TeamStage {
    /// A step is to be taken.
    Due(TeamStep),
    /// The project's checks are to be run, as evidence for the review.
    Verify,
    /// A person is to approve what a step came to.
    Pause(TeamStep),
    /// A person is to approve the change, or to ask for more.
    Gate,
    /// The change is approved, and is to be put away.
    Apply,
    /// The change is done.
    Archived,
    /// A person gave the change up.
    Cancelled,
}

/// What a step came to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TeamOutcome {
    /// What the step makes is there and in order.
    Made,
    /// The work is planned.
    Planned(Lineup),
    /// The reviewer passed the work.
    Passed,
    /// The reviewer found what must be mended.
    Failed,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TeamEvent {
    /// A step was begun.
    Started(TeamStep),
    /// A plan was carried out, and its code is part of the change.
    PlanDone(PlanIndex),
    /// A step came to its end.
    Finished(TeamStep, TeamOutcome),
    /// The checks were run.
    Verified(Evidence),
    /// A person is to be asked about what a step came to.
    Paused(TeamStep),
    /// A person approved the change, or what a step came to.
    Approved,
    /// A person asked for changes.
    SentBack,
    /// A person said more about what is wanted.
    Guided,
    /// The change was put away.
    Applied,
    /// A person gave the change up.
    Cancelled,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TeamNext {
    /// Take a step.
    Run(TeamStep),
    /// Run the project's checks.
    Verify,
    /// Put the change away.
    Apply,
    /// Wait until a person approves the change or what a step came to, or asks for changes.
    Wait,
    /// Wait for a person: the work has been reviewed as often as it may be.
    Exhausted,
    /// Nothing: the change has ended.
    End,
}

/// How often the work is reviewed before a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamLimits {
    /// How often.
    pub reviews: u32,
}

/// An event that cannot happen where a change is.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{event:?} cannot happen at {stage:?}")]
pub struct Impossible {
    /// Where the change is.
    pub stage: TeamStage,
    /// What cannot happen there.
    pub event: TeamEvent,
}

/// What has become of a change of the team so far.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TeamState {
    /// Where it is.
    pub stage: TeamStage,
    /// The step it began with.
    pub first: TeamStep,
    /// The step that was begun and has not come to its end.
    pub started: Option<TeamStep>,
    /// The step that came to its end last, as long as a person can be asked about it.
    pub succeeded: Option<TeamStep>,
    /// The step with which the change goes on once a person approves what an earlier one came to.
    pub then: Option<TeamStep>,
    /// The plans, once there are any.
    pub lineup: Option<Lineup>,
    /// The plans that were carried out, as they were then.
    pub done: Done,
    /// What the checks say of the code as it is now.
    pub evidence: Option<Evidence>,
    /// Whether the code as it is now has passed its review.
    pub passed: bool,
    /// Whether any code was written.
    pub coded: bool,
    /// How often the work was reviewed since a person last had a say.
    pub reviews: u32,
}

impl TeamState {
    /// Begins a change with a step.
    pub const fn new(first: TeamStep) -> Self {
        Self {
            stage: TeamStage::Due(first),
            first,
            started: None,
            succeeded: None,
            then: None,
            lineup: None,
            done: Done::new(),
            evidence: None,
            passed: false,
            coded: false,
            reviews: 0,
        }
    }

    /// Says whether the change has ended.
    pub const fn is_over(&self) -> bool {
        match self.stage {
            TeamStage::Archived | TeamStage::Cancelled => true,
            TeamStage::Due(_)
            | TeamStage::Verify
            | TeamStage::Pause(_)
            | TeamStage::Gate
            | TeamStage::Apply => false,
        }
    }

    /// Says what is to be done next.
    pub const fn next(&self, limits: TeamLimits) -> TeamNext {
        match self.stage {
            TeamStage::Due(TeamStep::Fix) if self.reviews >= limits.reviews => TeamNext::Exhausted,
            TeamStage::Due(step) => TeamNext::Run(step),
            TeamStage::Verify => TeamNext::Verify,
            TeamStage::Pause(_) | TeamStage::Gate => TeamNext::Wait,
            TeamStage::Apply => TeamNext::Apply,
            TeamStage::Archived | TeamStage::Cancelled => TeamNext::End,
        }
    }

    /// Lists the plans that are due next, and says how they are carried out.
    pub fn due_plans(&self) -> Option<(Mode, Vec<PlanIndex>)> {
        self.lineup.as_ref()?.due(&self.done)
    }

    /// Lists every plan that is not done as it is.
    pub fn open_units(&self) -> impl Iterator<Item = &Unit> {
        let units = self.lineup.iter().flat_map(Lineup::units);
        units.filter(|unit| !unit.is_done(&self.done))
    }

    /// Gives the state after an event.
    pub fn after(&self, event: &TeamEvent) -> Result<Self, Impossible> {
        self.clone()
            .follow(event)
            .ok_or_else(|| Impossible { stage: self.stage, event: event.clone() })
    }

    fn follow(self, event: &TeamEvent) -> Option<Self> {
        match event {
            TeamEvent::Started(step) => {
                (self.stage == TeamStage::Due(*step)).then(|| self.begun(*step))
            }
            TeamEvent::PlanDone(plan) => self.with_done(*plan),
            TeamEvent::Finished(step, outcome) => {
                let finished =
                    (self.started == Some(*step)).then(|| self.finished(*step, outcome)).flatten();
                finished.map(|state| Self { succeeded: Some(*step), ..state })
            }
            // The reviewer sees what is red, and says what it takes.
            TeamEvent::Verified(evidence) => (self.stage == TeamStage::Verify).then(|| {
                let succeeded = self.succeeded;
                let state = Self { evidence: Some(*evidence), ..self };
                Self { succeeded, ..state.at(TeamStage::Due(TeamStep::Review)) }
            }),
            TeamEvent::Paused(step) => self.paused(*step),
            TeamEvent::Approved => match self.stage {
                TeamStage::Gate => Some(self.at(TeamStage::Apply)),
                TeamStage::Pause(_) => self.then.map(|step| self.at(TeamStage::Due(step))),
                TeamStage::Due(_)
                | TeamStage::Verify
                | TeamStage::Apply
                | TeamStage::Archived
                | TeamStage::Cancelled => None,
            },
            TeamEvent::SentBack => {
                // What is not planned yet is changed by saying more about what is wanted.
                let can_be_changed = self.lineup.is_some() && !self.is_over();
                can_be_changed.then(|| self.fresh().at(TeamStage::Due(TeamStep::Change)))
            }
            TeamEvent::Guided => (!self.coded && !self.is_over()).then(|| {
                let first = TeamStage::Due(self.first);
                Self { lineup: None, ..self.fresh() }.at(first)
            }),
            TeamEvent::Applied => {
                (self.stage == TeamStage::Apply).then(|| self.at(TeamStage::Archived))
            }
            TeamEvent::Cancelled => (!self.is_over()).then(|| self.at(TeamStage::Cancelled)),
        }
    }

    fn at(self, stage: TeamStage) -> Self {
        Self { stage, started: None, succeeded: None, then: None, ..self }
    }

    /// Stops between two steps, until a person approves what the first of them came to.
    fn paused(self, step: TeamStep) -> Option<Self> {
        let TeamStage::Due(next) = self.stage else { return None };
        let can_be_asked = self.succeeded == Some(step) && self.started.is_none();
        can_be_asked.then(|| Self { then: Some(next), ..self.at(TeamStage::Pause(step)) })
    }

    /// A person's say opens the work again, and reviews are counted anew.
    fn fresh(self) -> Self {
        Self { reviews: 0, passed: false, ..self }
    }

    /// What a step is about to change is no longer judged.
    fn begun(self, step: TeamStep) -> Self {
        let state = Self { started: Some(step), succeeded: None, ..self };
        if step.writes_code() {
            Self { coded: true, passed: false, evidence: None, ..state }
        } else {
            state
        }
    }

    /// A plan is done once, and only when it is due.
    fn with_done(mut self, plan: PlanIndex) -> Option<Self> {
        let (_, due) = self.due_plans()?;
        if self.started != Some(TeamStep::Coders) || !due.contains(&plan) {
            return None;
        }
        let hash = self.lineup.as_ref()?.unit(plan)?.hash.clone();
        self.done.insert(plan, hash);
        Some(self)
    }

    #[expect(clippy::match_same_arms, reason = "each arm is a row of the flow's table")]
    fn finished(self, step: TeamStep, outcome: &TeamOutcome) -> Option<Self> {
        let due = |step| TeamStage::Due(step);
        Some(match (step, outcome) {
            (TeamStep::ProductManager, TeamOutcome::Made) => self.at(due(TeamStep::Architect)),
            (TeamStep::Architect, TeamOutcome::Made) => self.at(due(TeamStep::Planner)),
            (TeamStep::Planner, TeamOutcome::Planned(lineup)) => self.planned(lineup),
            (TeamStep::Designer, TeamOutcome::Made) => self.at_code(),
            (TeamStep::Coders, TeamOutcome::Made) if self.due_plans().is_none() => {
                self.at(TeamStage::Verify)
            }
            // Whatever the verdict says: what is red is not done.
            (TeamStep::Review, TeamOutcome::Passed) => {
                let reviewed = self.reviewed();
                match reviewed.evidence {
                    Some(Evidence::Green) => {
                        Self { passed: true, ..reviewed }.at(due(TeamStep::Summary))
                    }
                    Some(Evidence::Red) | None => reviewed.at(due(TeamStep::Fix)),
                }
            }
            (TeamStep::Review, TeamOutcome::Failed) => self.reviewed().at(due(TeamStep::Fix)),
            (TeamStep::Fix, TeamOutcome::Made) => self.at(TeamStage::Verify),
            (TeamStep::Summary, TeamOutcome::Made) => self.at(TeamStage::Gate),
            (TeamStep::Change, TeamOutcome::Planned(lineup)) => self.planned(lineup),
            (
                TeamStep::ProductManager
                | TeamStep::Architect
                | TeamStep::Planner
                | TeamStep::Designer
                | TeamStep::Coders
                | TeamStep::Review
                | TeamStep::Fix
                | TeamStep::Summary
                | TeamStep::Change,
                TeamOutcome::Made
                | TeamOutcome::Planned(_)
                | TeamOutcome::Passed
                | TeamOutcome::Failed,
            ) => return None,
        })
    }

    fn reviewed(self) -> Self {
        Self { reviews: self.reviews.saturating_add(1), ..self }
    }

    fn planned(self, lineup: &Lineup) -> Self {
        let state = Self { lineup: Some(lineup.clone()), ..self };
        if lineup.needs_design {
            state.at(TeamStage::Due(TeamStep::Designer))
        } else {
            state.at_code()
        }
    }

    /// Goes on with the plans that are due; where none is, what is there is checked.
    fn at_code(self) -> Self {
        let stage = match self.due_plans() {
            Some(_) => TeamStage::Due(TeamStep::Coders),
            None => TeamStage::Verify,
        };
        self.at(stage)
    }
}

#[cfg(test)]
mod tests;
