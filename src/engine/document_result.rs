//! The result of a step whose prompt is one document: the files it leaves, its verdict, and the tasks it completed.

use std::path::PathBuf;

use super::attempt::{Checked, Reply};
use super::error::EngineError;
use super::event::Event;
use super::expected::{self, ChangeFiles, FileFault};
use super::snapshot::Snapshot;
use super::step_attempt::{StepAttempt, StepResult};
use crate::flow::{Outcome, Subject, covers};
use crate::orchestrator::RunError;
use crate::orchestrator::markers::Answer;
use crate::orchestrator::prompts::materials::MaterialError;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::tasks;
use crate::template::TaskStatus;

impl StepAttempt<'_, '_> {
    /// Checks the files, and reads how the step ends.
    pub(super) fn check_document(&self, reply: &Reply) -> Result<Checked<StepResult>, EngineError> {
        let (step, folder) = (&self.work.step, &self.driver.change.folder);
        let files = ConfinedFolder::open(folder).map_err(EngineError::io("open", folder))?;
        let mut faults = expected::check(step, &ChangeFiles::read_with(&files, &step.leaves)?);
        if !faults.is_empty() {
            return Ok(Err(faults));
        }
        let mut result = StepResult::new(Outcome::Files, reply);
        if step.answer().is_some() {
            result.answer = Some(Answer::read(&reply.text).without_thoughts().into_owned());
        }
        if let Some(verdict) = reply.verdict {
            result.outcome = verdict.into();
        }
        if step.reports_tasks() {
            let (completed, list, is_all) = self.ticked(reply)?;
            result.tasks = Some((completed, list));
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
    fn ticked(&self, reply: &Reply) -> Result<(Vec<String>, String, bool), EngineError> {
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
        let is_empty = self.ground.worktree.changes_since(base)?.is_empty();
        Ok(is_empty.then(|| {
            FileFault::new(
                "the code",
                None,
                "every task is reported as COMPLETED, and no file of the project is changed",
                "do the tasks in the workspace, or report as FAILED what you cannot do",
            )
        }))
    }

    /// Returns whether a round changed what it is there to change. A step that changes nothing has nothing to show.
    fn is_changed(&self) -> Result<bool, EngineError> {
        let step = &self.work.step;
        match step.changes {
            None => Ok(true),
            Some(Subject::Code) => {
                Ok(!self.ground.worktree.changes_since(&self.ground.start)?.is_empty())
            }
            Some(Subject::Plan) => {
                let folder = &self.driver.change.folder;
                let now = Snapshot::take(folder).map_err(EngineError::io("read", folder))?;
                let is_left = |path: &PathBuf| {
                    let path = path.to_str().unwrap_or_default();
                    step.leaves.iter().any(|file| covers(&file.path, path))
                };
                Ok(self.work.before.differences(&now).iter().any(is_left))
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
                    "do what is asked now",
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
