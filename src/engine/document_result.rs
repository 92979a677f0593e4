//! The result of a step whose prompt is one document: the files it leaves, its verdict, and the tasks it completed.

use std::path::Path;

use super::attempt::Checked;
use super::error::EngineError;
use super::event::Event;
use super::expected::{self, ChangeFiles, FileFault};
use super::ownership::may_write;
use super::step_attempt::{StepAttempt, StepResult};
use crate::flow::{Outcome, Subject};
use crate::orchestrator::PhaseOutcome;
use crate::orchestrator::RunError;
use crate::orchestrator::markers::Answer;
use crate::orchestrator::prompts::materials::MaterialError;
use crate::prompt::tasks;
use crate::template::{TaskStatus, Verdict};

impl StepAttempt<'_, '_> {
    /// Checks the files, and reads how the step ends.
    pub(super) fn check_document(
        &self,
        reply: &PhaseOutcome,
    ) -> Result<Checked<StepResult>, EngineError> {
        let step = &self.work.step;
        let left = ChangeFiles::left_in(&self.ground.outbox.open()?, &step.leaves)?;
        let others = ChangeFiles::read(&self.driver.papers()?)?;
        let files = others.overlaid(left, |path| may_write(step, Path::new(path)));
        let mut faults = expected::check(step, &files);
        if !faults.is_empty() {
            return Ok(Err(faults));
        }
        let mut result = StepResult::new(Outcome::Files, reply);
        if let Some(file) = step.answer() {
            let text = Answer::read(&reply.text).without_thoughts().into_owned();
            let (objections, mut text) = (self.objections()?, self.driver.without_secrets(&text));
            result.documented = objections.is_documented;
            if reply.verdict == Some(Verdict::Pass) && !objections.found.is_empty() {
                // Whoever revises the work must know why it does not pass.
                text = format!("{}\n{}", text.trim_end(), objections.section());
            }
            result.files.insert(file, text);
        }
        if let Some(verdict) = reply.verdict {
            result.outcome = verdict.into();
        }
        if step.makes_schedule() {
            let papers = self.ground.outbox.open()?;
            match self.driver.plan_order(&self.ground.before, &papers)? {
                Ok(order) => {
                    faults.extend(self.driver.idle(&order));
                    result.schedule = Some(order);
                }
                Err(wrong) => faults.extend(wrong),
            }
        }
        if step.reports_tasks() {
            let (completed, list, is_all) = self.ticked(reply)?;
            result.completed = completed;
            result.files.insert("tasks.md", list);
            result.outcome = if is_all { Outcome::AllDone } else { Outcome::TasksLeft };
            if is_all {
                faults.extend(self.no_code()?);
            }
        }
        if faults.is_empty() && self.work.started.round > 1 && !self.is_changed()? {
            self.without_change(&mut result, &mut faults);
        }
        Ok(if faults.is_empty() { Ok(result) } else { Err(faults) })
    }

    /// Ticks the tasks that were completed: returns these, the list as it is then, and whether all are done.
    fn ticked(&self, reply: &PhaseOutcome) -> Result<(Vec<String>, String, bool), EngineError> {
        let change = &self.driver.change;
        let list = change.read("tasks.md")?.unwrap_or_default();
        let known = tasks::read(&list).map_err(|errors| {
            let path = change.folder.join("tasks.md");
            EngineError::Run(RunError::Material(MaterialError::Tasks { path, errors }))
        })?;
        let reported = |status: TaskStatus| {
            let is_so =
                |id: &str| reply.statuses.iter().any(|(own, known)| own == id && *known == status);
            let ids = known.iter().map(|task| task.id.as_str()).filter(|id| is_so(id));
            ids.map(str::to_owned).collect::<Vec<_>>()
        };
        let completed = reported(TaskStatus::Completed);
        let list = tasks::tick(&list, &completed);
        // What was done in an earlier round may turn out not to be.
        let list = tasks::untick(&list, &reported(TaskStatus::Failed));
        let is_all = tasks::read(&list).is_ok_and(|tasks| tasks.iter().all(|task| task.done));
        Ok((completed, list, is_all))
    }

    /// Reports that every task is said to be completed though the change has no code: an empty result is no result.
    fn no_code(&self) -> Result<Option<FileFault>, EngineError> {
        let base = self.driver.change.history.base.as_ref().unwrap_or(&self.ground.start);
        Ok((!self.has_code_since(base)?).then(|| {
            FileFault::new(
                "the code",
                None,
                "every task is reported as COMPLETED, but no file of the project is changed",
                "do the tasks in the workspace, or report as FAILED those that you cannot do",
            )
        }))
    }

    /// Returns whether a round changed what it is there to change. A step that changes nothing has nothing to show.
    fn is_changed(&self) -> Result<bool, EngineError> {
        let step = &self.work.step;
        match step.changes {
            None => Ok(true),
            Some(Subject::Code) => Ok(self.has_code()),
            Some(Subject::Plan) => {
                let is_left = |path: &Path| may_write(step, path);
                let now = self.ground.outbox.read(is_left)?;
                Ok(self.work.before.differ(&now, is_left))
            }
        }
    }

    /// A round that was to revise something and changed nothing counts as failed.
    fn without_change(&self, result: &mut StepResult, faults: &mut Vec<FileFault>) {
        let step = &self.work.step;
        let failing = match result.outcome {
            Outcome::Pass => {
                step.verdicts().into_iter().map(Outcome::from).find(|it| !it.is_success())
            }
            Outcome::AllDone => Some(Outcome::TasksLeft),
            Outcome::Files => {
                faults.push(FileFault::new(
                    &step.name,
                    None,
                    "nothing was changed in this round",
                    "do what this round asks for",
                ));
                None
            }
            _ => None,
        };
        if let Some(failing) = failing {
            self.driver.watch.event(&Event::NothingChanged { step });
            result.outcome = failing;
        }
    }
}
