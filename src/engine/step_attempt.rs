//! An attempt at a step that one agent does: a workspace, a prompt, an answer, and what the step leaves.

use std::path::Path;
use std::sync::Arc;

use super::accept::Taken;
use super::attempt::{Attempt, Checked, Request, taken};
use super::call::{Call, DocumentCall};
use super::desks::Room;
use super::documents::Documents;
use super::driver::{Driver, UnderWay};
use super::entry::{Entry, Finished, PlanDone};
use super::error::EngineError;
use super::event::Event;
use super::expected::FileFault;
use super::git::{Commit, Results};
use super::ground::{CallWatch, Ground};
use super::instructions::instructions;
use super::outbox::Outbox;
use super::ownership::may_write;
use super::plan_order::PlanOrder;
use super::research::RESEARCH;
use super::roles::{RoleCall, Turn};
use super::supplies;
use crate::flow::{Kind, Outcome, Step};
use crate::models::usage::UsageMetrics;
use crate::orchestrator::{Orchestrator, PhaseOutcome};

/// An attempt at a step.
pub(super) struct StepAttempt<'d, 'a> {
    pub(super) driver: &'d mut Driver<'a>,
    pub(super) work: UnderWay,
    pub(super) ground: Ground,
    call: Call,
    /// What the workspace held when the answer was checked, in a step that writes code: that is what is committed.
    results: Option<Results>,
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
    /// The documents that agentd itself makes of it: the answer of a judge, the list of tasks.
    pub(super) files: Documents,
    /// The tasks that were completed.
    pub(super) completed: Vec<String>,
    /// The plans, where the step makes a schedule.
    pub(super) schedule: Option<PlanOrder>,
    /// Whether the documents that the schedule asks for are there.
    pub(super) documented: bool,
}

impl StepResult {
    pub(super) fn new(outcome: Outcome, reply: &PhaseOutcome) -> Self {
        let run = reply.run_name();
        let (files, completed) = (Documents::default(), Vec::new());
        Self { outcome, run, files, completed, schedule: None, documented: false }
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
            driver.set_up(&ground.workspace).await?;
        }
        if work.step.is_document() {
            ground.outbox.make_folders(&work.step)?;
        }
        Ok(Self { driver, work, ground, call, results: None })
    }

    /// Returns whether the agent changed a file of the project in this round.
    pub(super) fn has_code(&self) -> bool {
        self.results.as_ref().is_some_and(|results| !results.paths().is_empty())
    }

    /// Returns whether the project differs from a commit.
    pub(super) fn has_code_since(&self, commit: &Commit) -> Result<bool, EngineError> {
        let Some(results) = &self.results else { return Ok(false) };
        Ok(!results.paths_since(commit, &self.driver.setup.repository)?.is_empty())
    }

    /// Keeps what the step made, commits its code, and records how it ended.
    pub(super) fn conclude(self, made: Made, usage: &UsageMetrics) -> Result<(), EngineError> {
        let Self { driver, work, ground, results, .. } = self;
        let step = &work.step;
        let result = match made {
            Made::Result(result) => result,
            Made::Blocked(reason) => return driver.block(step, &reason),
        };
        let mut taken = driver.taken(step, &ground.outbox)?;
        taken.files.extend(result.files);
        driver.change.accept(&taken)?;
        let mut commit = ground.start.clone();
        if let Some(results) = &results {
            let message = driver.commit_message(&work, &result.completed)?;
            commit = ground.workspace.commit_results(results, &message)?;
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
            completed: result.completed,
            schedule: result.schedule,
            documented: result.documented,
            ..driver.finished(step, result.outcome, commit)?
        };
        driver.end(step, finished, usage)
    }
}

impl Attempt for StepAttempt<'_, '_> {
    type Made = Made;

    async fn ask(&mut self, faults: Option<&[FileFault]>) -> Result<PhaseOutcome, EngineError> {
        let Self { driver, work, ground, call, .. } = self;
        let asked = call.send(faults);
        if work.step.research {
            driver.with_research(Some((&work.step, &ground.outbox)), asked).await
        } else {
            asked.await
        }
    }

    fn has_second_answer(&self) -> bool {
        self.call.has_answer(Request::Second)
    }

    fn check(&mut self, reply: &PhaseOutcome) -> Result<Checked<Made>, EngineError> {
        if let Some(reason) = &reply.blocked {
            return Ok(Ok(Made::Blocked(reason.clone())));
        }
        if self.work.step.writes_code() {
            match taken(&self.ground.workspace, &self.ground.start)? {
                Ok(results) => self.results = Some(results),
                Err(faults) => return Ok(Err(faults)),
            }
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
        let workspace =
            if work.step.writes_code() { self.desk()? } else { self.room(Room::Reading, &start)? };
        let (step, before) = (work.step.clone(), work.before.clone());
        let outbox = self.outbox(&step);
        Ok(Ground { step, workspace: Arc::new(workspace), start, outbox, before })
    }

    /// Returns the outbox of a step's agent: of its role, whose screen may stay from step to step, else of the step.
    pub(super) fn outbox(&self, step: &Step) -> Outbox {
        let name = step.role().map_or_else(|| step.name.to_string(), |role| role.word().to_owned());
        Outbox::of(self.setup, &self.change.id, &name)
    }

    /// Reads what the agent of a step left in its outbox, as far as the step may write it.
    pub(super) fn taken(&self, step: &Step, outbox: &Outbox) -> Result<Taken, EngineError> {
        // Questions to researchers are taken while it is at work, and answers are not its own.
        let is_own = |path: &Path| may_write(step, path) && !path.starts_with(RESEARCH);
        let files = outbox.read(is_own)?;
        let accepted = self.change.history.documents.accepted.keys();
        let is_gone = |name: &&String| is_own(Path::new(name)) && !files.contains(Path::new(name));
        let removed = accepted.filter(is_gone).cloned().collect();
        Ok(Taken { files, removed })
    }

    fn call(&self, work: &UnderWay, ground: &Ground) -> Result<Call, EngineError> {
        let setup = self.setup;
        let mut place = setup.place(&self.change.id, ground.workspace.path());
        place.changes = ground.outbox.changes();
        let watch = CallWatch {
            watch: Arc::clone(&self.watch),
            ground: ground.clone(),
            change: self.change.folder.clone(),
        };
        let orchestrator = Orchestrator::new(work.agent.clone(), place)
            .with_prices(setup.prices.clone())
            .with_budget(Arc::clone(&self.budget))
            .with_watch(Arc::new(watch))
            .with_cancel(self.cancel.clone());
        let (step, history) = (work.step.clone(), &self.change.history);
        if !step.is_document() {
            return Ok(Call::Role(Box::new(RoleCall {
                turn: Turn::Step(step),
                session: self.session(ground.workspace.path(), &ground.outbox),
                agent: work.agent.clone(),
                handover: setup.team.delivery,
                orchestrator,
            })));
        }
        let supplied = supplies::supplies(setup, &self.change.state, history, work.id)?;
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
    pub(super) fn block(&mut self, step: &Step, reason: &str) -> Result<(), EngineError> {
        let reason = self.without_secrets(reason);
        let (name, last_run) = (step.name.to_string(), self.last_run()?);
        self.change.happened(Entry::Blocked { step: name, reason: reason.clone(), last_run })?;
        self.watch.event(&Event::Blocked { step, reason: &reason });
        Ok(())
    }
}
