//! Where a change is, and where what happens leads: a pure function over a [`Flow`].
//!
//! Limits on rounds are no part of a state, so that a history means the same whatever the configuration says today.

use std::fmt;

use super::facts::Facts;
use super::steps::{StepId, StepSet};
use super::table::{End, Flow, Limit, Step, Target};
use super::vocab::{Fact, Guarantee, Kind, Need, Outcome, Subject, Validator};

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
    /// A person edited what was accepted.
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
    planned_by: Option<StepId>,
    /// The step whose code is the one that counts.
    coded_by: Option<StepId>,
    /// What else is known.
    pub facts: Facts,
    rounds: [u8; StepId::MOST],
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

    /// Returns the state after an event.
    pub fn after(&self, flow: &Flow, event: Event) -> Result<Self, Refusal> {
        let not_here = Refusal::NotHere { position: self.position, event };
        if let Event::Started(id) = event {
            let step = flow.step(id);
            if self.position != Position::Step(id) || step.kind == Kind::Gate {
                return Err(not_here);
            }
            return match self.lacks(flow) {
                Some(guarantee) if step.kind == Kind::Archive => Err(Refusal::Lacks(guarantee)),
                Some(_) | None => Ok(self.started(step)),
            };
        }
        self.follow(flow, event).ok_or(not_here)
    }

    fn follow(self, flow: &Flow, event: Event) -> Option<Self> {
        match event {
            Event::Started(_) => None,
            Event::Finished { step, outcome, facts } => {
                let is_under_way = self.is_started && self.position == Position::Step(step);
                is_under_way.then(|| self.finished(flow, step, outcome, facts)).flatten()
            }
            Event::Blocked(id) => {
                let can_ask = matches!(flow.step(id).kind, Kind::Agent | Kind::Lanes);
                let is_under_way = self.is_started && self.position == Position::Step(id);
                (can_ask && is_under_way).then(|| Self {
                    is_started: false,
                    succeeded: None,
                    ..self.moved(Position::Blocked(id))
                })
            }
            Event::Answered => {
                let Position::Blocked(id) = self.position else { return None };
                Some(self.fresh().moved(Position::Step(id)))
            }
            Event::Paused(id) => self.paused(flow, id),
            Event::Approved => self.approved(flow),
            Event::Overridden => {
                let Position::Rejected(id) = self.position else { return None };
                let target = flow.step(id).target(Outcome::Pass)?;
                let state = Self { overridden: self.overridden.with(id), ..self };
                Some(state.arrived(flow, target, id))
            }
            Event::Rejected => {
                let target = self.rejection(flow)?;
                Some(self.fresh().arrived(flow, target, flow.start))
            }
            Event::Guided => {
                let guidance = flow.guidance?;
                let is_blocked = matches!(self.position, Position::Blocked(_));
                let is_late = self.has(guidance.until);
                (!self.is_over() && !is_blocked && !is_late).then(|| {
                    let state = Self { is_planned: false, ..self.fresh() };
                    state.arrived(flow, Target::Step(guidance.to), guidance.to)
                })
            }
            Event::Edited { subject, facts } => self.edited(flow, subject, facts),
            Event::Reopened => {
                let to = flow.reopen.filter(|_| self.position == Position::Archived)?;
                Some(self.fresh().arrived(flow, Target::Step(to), to))
            }
            Event::Cancelled => (!self.is_over()).then(|| self.moved(Position::Cancelled)),
        }
    }

    /// Returns the state with no more than one round of each step, which is all that transitions depend on.
    #[must_use]
    pub(super) fn with_few_rounds(self) -> Self {
        Self { rounds: self.rounds.map(|rounds| rounds.min(1)), ..self }
    }

    const fn moved(self, position: Position) -> Self {
        Self { position, is_started: false, ..self }
    }

    /// A person had a say: rounds are counted anew, and nothing waits for an approval.
    const fn fresh(self) -> Self {
        Self { succeeded: None, rounds: [0; StepId::MOST], ..self }
    }

    const fn has(&self, subject: Subject) -> bool {
        match subject {
            Subject::Plan => self.is_planned,
            Subject::Code => self.is_coded,
        }
    }

    fn started(self, step: &Step) -> Self {
        let is_coded = self.is_coded || step.changes == Some(Subject::Code);
        Self { is_started: true, succeeded: None, is_coded, ..self }
    }

    /// Arrives at a target, past the steps that are skipped. What the step there changes is no longer judged.
    fn arrived(self, flow: &Flow, target: Target, by: StepId) -> Self {
        let mut target = target;
        // Flows are checked to skip no circle of steps; one that does stands still.
        for _ in 0..StepId::MOST {
            match target {
                Target::End(End::Archived) => return self.moved(Position::Archived),
                Target::End(End::Rejected) => return self.moved(Position::Rejected(by)),
                Target::Step(id) => match flow.step(id) {
                    step if step.is_skipped(self.facts) && step.onward().is_some() => {
                        target = step.onward().unwrap_or(target);
                    }
                    step => {
                        let state = self.moved(Position::Step(id));
                        return step.changes.map_or(state, |it| state.opened(flow, it));
                    }
                },
            }
        }
        self
    }

    /// Takes back all that was said about a subject, and about what follows from it.
    fn opened(self, flow: &Flow, subject: Subject) -> Self {
        let judges = |subject| {
            let all = flow.numbered().filter(move |(_, step)| step.judges == Some(subject));
            all.map(|(id, _)| id).collect::<StepSet>()
        };
        let (planned_by, closed) = match subject {
            Subject::Plan => (None, judges(Subject::Plan).union(judges(Subject::Code))),
            Subject::Code => (self.planned_by, judges(Subject::Code)),
        };
        Self {
            passed: self.passed.without(closed),
            overridden: self.overridden.without(closed),
            checks: None,
            is_approved: false,
            planned_by,
            coded_by: None,
            ..self
        }
    }

    fn finished(self, flow: &Flow, id: StepId, outcome: Outcome, facts: Facts) -> Option<Self> {
        let step = flow.step(id);
        let lacks = |need: &Need| match need {
            Need::Green => !self.checks.is_some_and(|run| run.is_green),
            Need::DocFiles => !facts.holds(Fact::DocFiles),
        };
        let outcome = match outcome {
            Outcome::Pass if step.pass_needs.iter().any(lacks) => Outcome::NeedsChanges,
            outcome => outcome,
        };
        let target = step.target(outcome)?;
        let state = match step.kind {
            Kind::Gate => return None,
            Kind::Checks => self.checked(flow, outcome, step.clean),
            Kind::Agent | Kind::Lanes => self.worked(step, id, outcome, facts),
            Kind::Archive => self,
        };
        Some(state.arrived(flow, target, id))
    }

    fn worked(mut self, step: &Step, id: StepId, outcome: Outcome, facts: Facts) -> Self {
        let rounds = &mut self.rounds[id.index()];
        *rounds = rounds.saturating_add(1);
        if !outcome.is_success() {
            return Self { succeeded: None, ..self };
        }
        self.succeeded = Some(id);
        if step.makes_schedule() {
            self.facts = self.facts.with_schedule(facts);
        }
        if step.kind == Kind::Lanes {
            self.facts = self.facts.without(Fact::PlansDue);
        }
        match step.changes {
            Some(Subject::Plan) => {
                self.is_planned = true;
                self.planned_by = Some(id);
            }
            Some(Subject::Code) => self.coded_by = Some(id),
            None => {}
        }
        if step.judges.is_some() {
            self.passed = self.passed.with(id);
        }
        self
    }

    /// A red run takes the review's PASS back: what is red is not done, whatever was said.
    fn checked(self, flow: &Flow, outcome: Outcome, is_clean: bool) -> Self {
        let is_green = outcome == Outcome::Green;
        let state = Self { checks: Some(CheckRun { is_green, is_clean }), ..self };
        let judges = flow.judges(Subject::Code, self.facts);
        let passed = self.passed.without(judges);
        if is_green || passed == self.passed {
            state
        } else {
            Self { passed, succeeded: None, ..state }
        }
    }

    /// A person is asked about a result before the next step begins, and after the checks that come between.
    fn paused(self, flow: &Flow, after: StepId) -> Option<Self> {
        let Position::Step(then) = self.position else { return None };
        let is_between = match flow.step(then).kind {
            Kind::Agent | Kind::Lanes | Kind::Archive => !self.is_started,
            Kind::Checks | Kind::Gate => false,
        };
        (is_between && self.succeeded == Some(after))
            .then(|| self.moved(Position::Paused { after, then }))
    }

    fn approved(self, flow: &Flow) -> Option<Self> {
        match self.position {
            Position::Paused { then, .. } => {
                Some(Self { succeeded: None, ..self.moved(Position::Step(then)) })
            }
            Position::Step(id) => {
                let target = flow.step(id).target(Outcome::Approve)?;
                let state = Self { is_approved: true, succeeded: None, ..self };
                Some(state.arrived(flow, target, id))
            }
            Position::Blocked(_)
            | Position::Archived
            | Position::Rejected(_)
            | Position::Cancelled => None,
        }
    }

    /// Returns where a person's rejection leads, if there is anything to reject.
    fn rejection(&self, flow: &Flow) -> Option<Target> {
        let about = match self.position {
            Position::Paused { after, .. } => Some(after),
            Position::Blocked(id) => Some(id),
            Position::Step(id) => match flow.step(id).kind {
                Kind::Gate => return flow.step(id).target(Outcome::Reject),
                Kind::Archive => Some(id),
                Kind::Agent | Kind::Lanes | Kind::Checks => (self.rounds(id) > 0).then_some(id),
            },
            Position::Archived | Position::Rejected(_) | Position::Cancelled => return None,
        };
        let everywhere = flow.reject.filter(|rule| self.has(rule.once)).map(|rule| rule.to);
        let of_step = about.and_then(|id| flow.step(id).reject);
        of_step.or(everywhere).or(about).map(Target::Step)
    }

    /// What a person edits goes on as if its maker had just made it, if anything was said about it since.
    fn edited(self, flow: &Flow, subject: Subject, facts: Facts) -> Option<Self> {
        if self.is_over() || self.is_started {
            return None;
        }
        let maker = match subject {
            Subject::Plan => self.planned_by,
            Subject::Code => self.coded_by,
        };
        let Some(maker) = maker else { return Some(self) };
        let step = flow.step(maker);
        let known =
            if step.makes_schedule() { self.facts.with_schedule(facts) } else { self.facts };
        let opened = self.opened(flow, subject);
        let is_judged = (opened.passed, opened.overridden, opened.checks, opened.is_approved)
            != (self.passed, self.overridden, self.checks, self.is_approved);
        if !is_judged && known == self.facts {
            return Some(self);
        }
        let state = Self { facts: known, planned_by: self.planned_by, ..opened };
        let state = match subject {
            Subject::Plan => state,
            Subject::Code => Self { coded_by: Some(maker), ..state },
        };
        Some(state.fresh().arrived(flow, step.onward()?, maker))
    }
}

impl Step {
    /// Returns whether the step leaves a schedule.
    pub fn makes_schedule(&self) -> bool {
        self.leaves.iter().any(|file| file.validator == Validator::Schedule)
    }
}
