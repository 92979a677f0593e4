//! Where what happens leads: the transition function of every flow.

use super::column::Step;
use super::event::{Event, Position, Refusal};
use super::facts::Facts;
use super::state::{CheckRun, State};
use super::steps::StepId;
use super::table::{End, Flow, Target};
use super::vocab::{Fact, Kind, Need, Outcome, Subject};

impl State {
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
                Some(self.unapproved().arrived(flow, target, flow.start))
            }
            Event::Guided => {
                let guidance = flow.guidance?;
                let is_blocked = matches!(self.position, Position::Blocked(_));
                let is_late = self.has(guidance.until);
                (!self.is_over() && !is_blocked && !is_late).then(|| {
                    // Whatever was said about the plan was said about another wish.
                    let opened = self.opened(flow, Subject::Plan).fresh();
                    let state = Self { is_planned: false, ..opened };
                    state.arrived(flow, Target::Step(guidance.to), guidance.to)
                })
            }
            Event::Edited { subject, facts } => self.edited(flow, subject, facts),
            Event::Reopened => {
                let to = flow.reopen.filter(|_| self.position == Position::Archived)?;
                Some(self.unapproved().arrived(flow, Target::Step(to), to))
            }
            Event::Cancelled => (!self.is_over()).then(|| self.moved(Position::Cancelled)),
        }
    }

    /// Returns the state with no more rounds of each step than transitions depend on: one, or none where a rejection leads to
    /// the same step whether or not there was a round. What a change has once, it keeps until rounds are counted anew.
    #[must_use]
    pub(super) fn with_few_rounds(mut self, flow: &Flow) -> Self {
        let is_rejected_everywhere = flow.reject.is_some_and(|rule| self.has(rule.once));
        for (step, rounds) in flow.steps.iter().zip(&mut self.rounds) {
            let matters = step.reject.is_some() || !is_rejected_everywhere;
            *rounds = (*rounds).min(u8::from(matters));
        }
        self
    }

    const fn moved(self, position: Position) -> Self {
        Self { position, is_started: false, ..self }
    }

    /// A person had a say: rounds are counted anew, and nothing waits for an approval.
    const fn fresh(self) -> Self {
        Self { succeeded: None, rounds: [0; StepId::MOST], ..self }
    }

    /// A person wants something else: what was approved before is not approved any more.
    const fn unapproved(self) -> Self {
        Self { is_approved: false, ..self.fresh() }
    }

    const fn has(&self, subject: Subject) -> bool {
        match subject {
            Subject::Plan => self.is_planned,
            Subject::Code => self.is_coded,
        }
    }

    /// Checks come between a result and the next step: a person can still be asked about the result.
    fn started(self, step: &Step) -> Self {
        let is_coded = self.is_coded || step.changes == Some(Subject::Code);
        let succeeded = self.succeeded.filter(|_| step.kind == Kind::Checks);
        Self { is_started: true, succeeded, is_coded, ..self }
    }

    /// Arrives at a target, past the steps that are skipped. What the step there changes is no longer judged.
    pub(super) fn arrived(self, flow: &Flow, target: Target, by: StepId) -> Self {
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
        let (planned_by, coded_by, closed) = match subject {
            Subject::Plan => {
                let judges = flow.all_judges(Subject::Plan).union(flow.all_judges(Subject::Code));
                (None, self.coded_by, judges)
            }
            Subject::Code => (self.planned_by, None, flow.all_judges(Subject::Code)),
        };
        Self {
            passed: self.passed.without(closed),
            overridden: self.overridden.without(closed),
            checks: None,
            is_approved: false,
            planned_by,
            coded_by,
            ..self
        }
    }

    /// Returns what an outcome of a step counts as: a PASS that lacks what it needs is a `NEEDS_CHANGES`.
    pub fn counted(&self, step: &Step, outcome: Outcome, facts: Facts) -> Outcome {
        let lacks = |need: &Need| match need {
            Need::Green => !self.checks.is_some_and(|run| run.is_green),
            Need::DocFiles => !facts.holds(Fact::DocFiles),
        };
        match outcome {
            Outcome::Pass if step.pass_needs.iter().any(lacks) => Outcome::NeedsChanges,
            outcome => outcome,
        }
    }

    fn finished(self, flow: &Flow, id: StepId, outcome: Outcome, facts: Facts) -> Option<Self> {
        let step = flow.step(id);
        let outcome = self.counted(step, outcome, facts);
        let target = step.target(outcome)?;
        let state = match step.kind {
            Kind::Gate => return None,
            Kind::Checks => self.checked(flow, outcome, id),
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
    fn checked(self, flow: &Flow, outcome: Outcome, id: StepId) -> Self {
        let (is_green, is_clean) = (outcome == Outcome::Green, flow.step(id).clean);
        // A person can be asked about the run that decides, also where no result comes before it.
        let own = Some(id).filter(|_| is_green && is_clean);
        let succeeded = self.succeeded.or(own);
        let state = Self { checks: Some(CheckRun { is_green, is_clean }), succeeded, ..self };
        let passed = self.passed.without(flow.all_judges(Subject::Code));
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
        // Whoever rejects what checks show says that it counts as red.
        let as_red = about.and_then(|id| flow.step(id).target(Outcome::Red));
        of_step.or(everywhere).map(Target::Step).or(as_red).or(about.map(Target::Step))
    }

    /// What a person edits goes on as if its maker had just made it, if anything was said about it since.
    fn edited(self, flow: &Flow, subject: Subject, facts: Facts) -> Option<Self> {
        // Code that is archived can still be brought onto another base.
        let is_reopened = self.position == Position::Archived
            && subject == Subject::Code
            && flow.reopen.is_some();
        if (self.is_over() && !is_reopened) || self.is_started {
            return None;
        }
        let changes = |(_, step): &(StepId, &Step)| step.changes == Some(subject);
        let first = || flow.numbered().find(changes).map(|(id, _)| id);
        let recorded = match subject {
            Subject::Plan => self.planned_by,
            Subject::Code => self.coded_by,
        };
        // Where every step that makes it was skipped, the first of them stands for the maker.
        let maker = recorded.or_else(first);
        let makes_schedule = recorded.is_some_and(|id| flow.step(id).makes_schedule());
        let known = if makes_schedule { self.facts.with_schedule(facts) } else { self.facts };
        let opened = self.opened(flow, subject);
        let is_judged = (opened.passed, opened.overridden, opened.checks, opened.is_approved)
            != (self.passed, self.overridden, self.checks, self.is_approved);
        if !is_judged && !is_reopened && known == self.facts {
            return Some(self);
        }
        let (planned_by, coded_by) = (self.planned_by, self.coded_by);
        let state = Self { facts: known, planned_by, coded_by, ..opened }.fresh();
        let target = match maker {
            Some(maker) => flow.step(maker).onward()?,
            None => Target::Step(flow.start),
        };
        Some(state.arrived(flow, target, maker.unwrap_or(flow.start)))
    }
}
