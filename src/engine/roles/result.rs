//! The result of a step that a role does: its files are there, plans can be scheduled, a review has a verdict. What is wrong
//! is a list of faults, for the agent to correct.

use super::facts::{approval, audience};
use super::hand_in::{Wrong, hand_in};
use super::plans::planned;
use crate::engine::attempt::Checked;
use crate::engine::documents::Documents;
use crate::engine::driver::Driver;
use crate::engine::error::EngineError;
use crate::engine::event::Event;
use crate::engine::expected::FileFault;
use crate::engine::plan_order::PlanOrder;
use crate::engine::roles::done_marker;
use crate::engine::schedule::PLANNING;
use crate::engine::step_attempt::{Made, StepAttempt, StepResult};
use crate::flow::{Leaves, Outcome, Step, Subject, Validator};
use crate::handoff::{self, Tool, submission};
use crate::orchestrator::PhaseOutcome;
use crate::prompt::confined::ConfinedFolder;

impl StepAttempt<'_, '_> {
    /// Takes in what a role has handed in, and returns how its step ends, or what is wrong.
    pub(in crate::engine) fn check_role(
        &self,
        reply: &PhaseOutcome,
    ) -> Result<Checked<Made>, EngineError> {
        let (driver, step, before) = (&*self.driver, &self.work.step, &self.ground.before);
        let papers = self.ground.outbox.open()?;
        let approval = approval(audience(driver.setup.team.delivery));
        let Wrong { mut faults, tells_of_schedule } =
            hand_in(&driver.change.id, step, &papers, driver.change.history.changed_ms)?;
        driver.take_preferences(step, &papers, approval)?;
        let folder = step.folder().unwrap_or_default();
        if let Some(reason) = handoff::blocked(&papers, folder).map_err(driver.unusable(folder))? {
            return Ok(Ok(Made::Blocked(reason)));
        }
        for (name, help) in demanded(step) {
            faults.extend(driver.absent(&papers, &name, help)?);
            faults.extend(driver.left_as_it_was(step, &name, (before, &papers))?);
        }
        let mut result = StepResult::new(Outcome::Files, reply);
        if step.changes == Some(Subject::Code) && !self.has_code() {
            faults.push(FileFault::new(
                "the code",
                None,
                "no file of the project was changed",
                "change the code as the review asks",
            ));
        }
        if step.makes_schedule() {
            match driver.plan_order(before, &papers)? {
                Ok(order) => {
                    if faults.is_empty() {
                        faults.extend(driver.idle(&order));
                    }
                    result.schedule = Some(order);
                }
                // No fault is reported twice.
                Err(wrong) if !tells_of_schedule => faults.extend(wrong),
                Err(_) => {}
            }
        }
        if step.judges.is_some() && faults.is_empty() {
            match self.review(&papers, &reply.text)? {
                Ok(review) => {
                    (result.outcome, result.documented) = (review.outcome, review.documented);
                    result.files.extend(review.files);
                }
                Err(fault) => faults.push(fault),
            }
        }
        Ok(if faults.is_empty() { Ok(Made::Result(result)) } else { Err(faults) })
    }

    /// Lists what keeps the plans that are due from being done, where one coder carries out all of them.
    pub(in crate::engine) fn check_plans(
        &self,
        reply: &PhaseOutcome,
    ) -> Result<Checked<Made>, EngineError> {
        let (change, mut faults) = (&self.driver.change, Vec::new());
        let folder = self.work.step.folder().unwrap_or_default();
        let blocked = handoff::blocked(&self.ground.outbox.open()?, folder);
        if let Some(reason) = blocked.map_err(self.driver.unusable(folder))? {
            return Ok(Ok(Made::Blocked(reason)));
        }
        for plan in change.history.open_plans() {
            let outbox = self.ground.outbox.path();
            faults.extend(done_marker::unfinished(outbox, plan.plan, &self.work.before)?);
        }
        if faults.is_empty() && !self.has_code() {
            faults.push(FileFault::new(
                "the code",
                None,
                "every plan is said to be done, and no file of the project is changed",
                "carry out the plans in the workspace, then create the markers again",
            ));
        }
        let result = Made::Result(StepResult::new(Outcome::Done, reply));
        Ok(if faults.is_empty() { Ok(result) } else { Err(faults) })
    }
}

impl Driver<'_> {
    /// Reports which sub-plans the planner has set aside: agentd was told, and the person was not.
    pub(in crate::engine) fn report_set_aside(&self) -> Result<(), EngineError> {
        let submitted = submission(&self.papers()?, PLANNING, Tool::SubmitPlan, None);
        let submitted = submitted.map_err(self.unusable("04_planning/submissions"))?;
        let plans = submitted.as_ref().map(handoff::set_aside).unwrap_or_default();
        if !plans.is_empty() {
            self.watch.event(&Event::PlansSetAside { plans: &plans });
        }
        Ok(())
    }

    /// Reports a file that must be there and is not, or is empty.
    fn absent(
        &self,
        papers: &ConfinedFolder,
        name: &str,
        help: &str,
    ) -> Result<Option<FileFault>, EngineError> {
        let text = papers.read(name).map_err(self.unusable(name))?;
        let is_marker = !name.contains('.');
        let message = match text {
            None => "the file is missing",
            Some(text) if text.trim().is_empty() && !is_marker => "the file is empty",
            Some(_) => return Ok(None),
        };
        Ok(Some(FileFault::new(name, None, message, help)))
    }

    /// Reports a new plan in which nothing is left to do: what a person asks for would be lost.
    pub(in crate::engine) fn idle(&self, order: &PlanOrder) -> Option<FileFault> {
        order.due(&self.change.history.done).is_none().then(|| {
            FileFault::new(
                "04_planning/execution_plan.yaml",
                None,
                "every plan in it is done already, so that nothing would change",
                "add a plan for what is asked, or change the plan that it belongs to",
            )
        })
    }

    pub(in crate::engine) fn plan_order(
        &self,
        before: &Documents,
        papers: &ConfinedFolder,
    ) -> Result<Checked<PlanOrder>, EngineError> {
        let change = format!("agentd/changes/{}", self.change.id);
        planned(&change, papers, (before, &self.change.history))
    }
}

/// Lists the files that a step must leave, each with what to do where it is not there. A review may be handed in alone.
fn demanded(step: &Step) -> Vec<(String, &'static str)> {
    let demand = |file: &Leaves| match file.validator {
        Validator::Schedule => {
            (format!("{PLANNING}/plan.md"), "submit the plan, or write 04_planning/plan.yaml")
        }
        _ if !file.path.contains('.') => {
            (file.path.to_string(), "create it when everything is done and checked")
        }
        _ => (file.path.to_string(), "hand it in, or write the file"),
    };
    if step.judges.is_some() { Vec::new() } else { step.leaves.iter().map(demand).collect() }
}
