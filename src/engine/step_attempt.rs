//! An attempt at a step that one agent does: a workspace, a prompt, an answer, and what the step leaves.

use std::sync::Arc;

use super::attempt::{Attempt, Checked, Reply, Request};
use super::call::{Call, DocumentCall};
use super::desks::Room;
use super::driver::{Driver, UnderWay};
use super::entry::{Entry, Finished, PlanDone};
use super::error::EngineError;
use super::event::Event;
use super::expected::FileFault;
use super::ground::{CallWatch, Ground};
use super::instructions::instructions;
use super::plan_order::PlanOrder;
use super::planted::refuse_planted;
use super::research::RESEARCH;
use super::roles::{RoleCall, Turn};
use super::supplies;
use crate::flow::{Kind, Outcome};
use crate::models::usage::UsageMetrics;
use crate::orchestrator::{Orchestrator, Place};

/// An attempt at a step.
pub(super) struct StepAttempt<'d, 'a> {
    pub(super) driver: &'d mut Driver<'a>,
    pub(super) work: UnderWay,
    pub(super) ground: Ground,
    call: Call,
}

/// What an attempt at a step leads to.
pub(super) enum Made {
    /// The step ends.
    Result(StepResult),
    /// The agent needs an answer from a person.
    Blocked(String),
}

/// How a step ends.
pub(super) struct StepResult {
    pub(super) outcome: Outcome,
    /// The run whose answer counts.
    pub(super) run: String,
    /// The answer without thoughts, where the step judges in its message.
    pub(super) answer: Option<String>,
    /// The tasks that were completed, and the list of tasks as it is then.
    pub(super) tasks: Option<(Vec<String>, String)>,
    /// The plans, where the step makes a schedule.
    pub(super) schedule: Option<PlanOrder>,
    /// Whether the documents that the schedule asks for are there.
    pub(super) documented: bool,
}

impl StepResult {
    pub(super) fn new(outcome: Outcome, reply: &Reply) -> Self {
        let run = reply.run_name();
        Self { outcome, run, answer: None, tasks: None, schedule: None, documented: false }
    }
}

impl<'d, 'a> StepAttempt<'d, 'a> {
    /// Prepares the workspace and the call of a step that began, or goes on.
    pub(super) async fn prepare(
        driver: &'d mut Driver<'a>,
        work: UnderWay,
    ) -> Result<Self, EngineError> {
        let ground = driver.ground(&work)?;
        let mut call = driver.call(&work, &ground)?;
        driver.make_ready(&work, &ground, &mut call)?;
        if work.step.writes_code() {
            driver.set_up(&ground.worktree).await?;
        }
        if work.step.is_document() {
            driver.change.make_folders(&work.step)?;
        }
        Ok(Self { driver, work, ground, call })
    }

    /// Keeps what the step made, commits its code, and records how it ended.
    pub(super) fn conclude(self, made: Made, usage: &UsageMetrics) -> Result<(), EngineError> {
        let Self { driver, work, ground, .. } = self;
        let step = &work.step;
        let result = match made {
            Made::Result(result) => result,
            Made::Blocked(reason) => return driver.block(step, &reason),
        };
        if let (Some(file), Some(text)) = (step.answer(), &result.answer) {
            driver.change.write(&file, &driver.without_secrets(text))?;
        }
        if let Some((_, list)) = &result.tasks {
            driver.change.write("tasks.md", list)?;
        }
        let mut commit = ground.start.clone();
        if step.writes_code() {
            let (id, round, agent) = (&driver.change.id, work.started.round, &work.agent.name);
            let message =
                format!("agentd: {id}, {}, round {round}\n\nBy agent {agent}.\n", step.name);
            (commit, _) = ground.worktree.commit(&ground.start, &message)?;
        }
        if step.kind == Kind::Lanes {
            while let Some((_, plans)) = driver.change.history.due_plans() {
                for plan in plans {
                    let commit = commit.clone();
                    driver.change.happened(Entry::PlanDone(PlanDone { plan, commit }))?;
                }
            }
        }
        if step.makes_schedule() {
            driver.report_set_aside()?;
        }
        let finished = Finished {
            run: Some(result.run),
            completed: result.tasks.map(|(completed, _)| completed).unwrap_or_default(),
            schedule: result.schedule,
            documented: result.documented,
            ..driver.finished(step, result.outcome, commit)?
        };
        driver.end(step, finished, usage)
    }
}

impl Attempt for StepAttempt<'_, '_> {
    type Made = Made;

    async fn ask(&mut self, faults: Option<&[FileFault]>) -> Result<Reply, EngineError> {
        let Self { driver, work, ground, call } = self;
        let asked = call.send(faults);
        let reply = if work.step.research {
            driver.with_research(Some(&work.step), asked).await
        } else {
            asked.await
        };
        driver.look_after(work, ground, reply)
    }

    fn has_second_answer(&self) -> bool {
        self.call.has_answer(Request::Second)
    }

    fn check(&mut self, reply: &Reply) -> Result<Checked<Made>, EngineError> {
        if let Some(reason) = &reply.blocked {
            return Ok(Ok(Made::Blocked(reason.clone())));
        }
        match self.work.step.kind {
            Kind::Lanes => self.check_plans(reply),
            _ if self.work.step.is_document() => Ok(self.check_document(reply)?.map(Made::Result)),
            _ => self.check_role(reply),
        }
    }

    fn asks_again(&self, faults: &[FileFault]) {
        self.driver.watch.event(&Event::FilesAskedAgain { faults });
    }

    fn still_wrong(&self, faults: Vec<FileFault>) -> EngineError {
        // What was handed in may be wrong since something stands in the way that agentd does not open.
        if let Err((path, source)) = refuse_planted(&self.driver.change.folder) {
            return EngineError::Io { what: "use", path, source };
        }
        let (step, agent) = (self.work.step.name.to_string(), self.work.agent.name.clone());
        EngineError::Files { step, agent, faults }
    }
}

impl Driver<'_> {
    /// Opens the workspace of a step: the desk for code, else the reading room.
    fn ground(&self, work: &UnderWay) -> Result<Ground, EngineError> {
        let start = match work.step.kind {
            // Plans may have been carried out since the step began.
            Kind::Lanes => self.code_commit()?,
            _ => work.started.commit.clone(),
        };
        let worktree =
            if work.step.writes_code() { self.desk()? } else { self.room(Room::Reading, &start)? };
        let spared = work.step.research.then_some(RESEARCH);
        Ok(Ground { worktree: Arc::new(worktree), start, before: work.before.clone(), spared })
    }

    fn call(&self, work: &UnderWay, ground: &Ground) -> Result<Call, EngineError> {
        let setup = self.setup;
        let mut place = Place::new(&setup.project.root, &setup.guard);
        ground.worktree.path().clone_into(&mut place.workspace);
        place.environment.clone_from(&setup.environment);
        let watch = CallWatch {
            watch: Arc::clone(&self.watch),
            ground: ground.clone(),
            change: self.change.folder.clone(),
        };
        let orchestrator = Orchestrator::new(work.agent.clone(), place)
            .with_prices(setup.prices.clone())
            .with_allowance(Arc::clone(&self.allowance))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone());
        let (step, history) = (work.step.clone(), &self.change.history);
        if !step.is_document() {
            return Ok(Call::Role(Box::new(RoleCall {
                turn: Turn::Step(step),
                session: self.session(ground.worktree.path()),
                agent: work.agent.clone(),
                handover: setup.team.delivery,
                orchestrator,
            })));
        }
        let supplied = supplies::supplies(setup, &self.change.folder, history, work.id)?;
        Ok(Call::Document(Box::new(DocumentCall {
            orchestrator: orchestrator
                .with_supplied(supplied)
                .with_templates(Arc::clone(&setup.templates)),
            change: self.change.id.clone(),
            instructions: instructions(history, work.id),
            step,
        })))
    }

    /// Records that the agent of a step needs an answer.
    pub(super) fn block(
        &mut self,
        step: &crate::flow::Step,
        reason: &str,
    ) -> Result<(), EngineError> {
        let reason = self.without_secrets(reason);
        let (name, last_run) = (step.name.to_string(), self.last_run()?);
        self.change.happened(Entry::Blocked { step: name, reason: reason.clone(), last_run })?;
        self.watch.event(&Event::Blocked { step, reason: &reason });
        Ok(())
    }
}
