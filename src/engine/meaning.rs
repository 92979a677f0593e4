//! What an entry of a journal means for the state of the flow.

use super::entry::{Entry, Finished};
use super::history::{CannotBe, History};
use super::plan_order::PlanOrder;
use crate::flow::{Event, Fact, Facts, Kind, Position, Subject};

impl History {
    /// Returns what an entry means for the state; one that changes no position means nothing.
    pub(super) fn event(&self, entry: &Entry) -> Result<Option<Event>, CannotBe> {
        Ok(Some(match entry {
            Entry::Created { .. } => return Err(CannotBe::NoRequest),
            Entry::Started(started) => Event::Started(self.find(&started.step)?),
            Entry::Finished(finished) => {
                let step = self.find(&finished.step)?;
                if self.flow.step(step).kind == Kind::Lanes && self.due_plans().is_some() {
                    return Err(CannotBe::PlansLeft);
                }
                let (outcome, facts) = (finished.outcome, self.facts_of(finished));
                Event::Finished { step, outcome, facts }
            }
            Entry::Blocked { step, .. } => Event::Blocked(self.find(step)?),
            Entry::Answered { .. } => Event::Answered,
            Entry::Paused { step } => Event::Paused(self.find(step)?),
            Entry::Approved { .. } => Event::Approved,
            Entry::Overridden { .. } => Event::Overridden,
            Entry::Rejected { .. } if self.state.position == Position::Archived => Event::Reopened,
            Entry::Rejected { .. } => Event::Rejected,
            Entry::Guided { .. } => Event::Guided,
            Entry::Rebased { .. } if self.base.is_none() => return Err(CannotBe::NoCode),
            Entry::Rebased { .. } => {
                Event::Edited { subject: Subject::Code, facts: self.state.facts }
            }
            Entry::Cancelled { .. } => Event::Cancelled,
            Entry::Edited(edited) => {
                let Some(subject) = edited.subject else { return Ok(None) };
                Event::Edited { subject, facts: self.facts_in(edited.schedule.as_ref()) }
            }
            Entry::Adopted { .. }
            | Entry::Baseline(_)
            | Entry::BaselineChosen { .. }
            | Entry::Called(_)
            | Entry::Failed { .. }
            | Entry::Documents { .. }
            | Entry::Lane(_)
            | Entry::PlanDone(_)
            | Entry::Research(_)
            | Entry::Applying { .. } => return Ok(None),
        }))
    }

    /// Returns what is known after a step ended: what its schedule asks for, and whether documents are there.
    pub(super) fn facts_of(&self, finished: &Finished) -> Facts {
        let facts = self.facts_in(finished.schedule.as_ref());
        if finished.documented { facts.with(Fact::DocFiles) } else { facts }
    }

    /// Returns what a schedule asks for.
    fn facts_in(&self, schedule: Option<&PlanOrder>) -> Facts {
        let mut facts = Facts::default();
        if let Some(schedule) = schedule {
            if schedule.needs_design {
                facts = facts.with(Fact::NeedsDesign);
            }
            if schedule.due(&self.done).is_some() {
                facts = facts.with(Fact::PlansDue);
            }
        }
        facts
    }
}
