//! Going on after agentd was gone: with the answer that an agent has left, else from the round's beginning, after what
//! was not finished has been set aside.

use std::io;
use std::path::PathBuf;

use log::warn;

use super::attempt::Request;
use super::call::Call;
use super::driver::{Driver, UnderWay};
use super::entry::{Entry, Started};
use super::error::EngineError;
use super::ground::Ground;
use super::snapshot::Snapshot;
use crate::orchestrator::run_folder::runs_from;
use crate::process;

impl Driver<'_> {
    /// Waits for the guards of an agentd that was killed: until they are gone, their agents may write.
    pub(super) fn await_guards(&self) -> Result<(), EngineError> {
        for run in self.runs(1)? {
            if process::end_record(&run)?.is_none() {
                process::await_end(&run)?;
            }
        }
        Ok(())
    }

    /// Reads the change's files as they were when the step began.
    pub(super) fn kept(&self) -> Result<Snapshot, EngineError> {
        let folder = &self.change.folder;
        match Snapshot::kept(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Git ignores them, so that whoever cleans up with git removes them.
                warn!(
                    "what `{}` was before this step is gone: it is taken as it is",
                    self.change.id
                );
                let now = Snapshot::take(folder).map_err(EngineError::io("read", folder))?;
                now.keep(folder).map_err(EngineError::io("keep the files of", folder))?;
                Ok(now)
            }
            kept => kept.map_err(EngineError::io("read", folder)),
        }
    }

    /// Prepares a step. One that was cut off goes on with the answer that its agent left; else the workspace and the change's
    /// files are what they were when it began.
    pub(super) fn make_ready(
        &mut self,
        work: &UnderWay,
        ground: &Ground,
        call: &mut Call,
    ) -> Result<(), EngineError> {
        if work.is_resumed {
            // What was run up to a failure has been taken account of.
            let first = work.started.first_run.max(self.change.history.last_run + 1);
            let runs = self.runs(first)?;
            let is_same_agent = work.started.agent.as_ref() == Some(&work.agent.name);
            // An answer about code is of no use without the worktree that it speaks of, and none comes before that is set up.
            let is_there = !work.step.writes_code() || ground.worktree.is_set_up();
            if is_same_agent && is_there {
                call.use_earlier(runs);
                if call.has_answer(Request::First) {
                    return self.take_back_own(work);
                }
                call.use_earlier(Vec::new());
            } else if !is_same_agent || !runs.is_empty() {
                // From here on only what is asked now counts: the next worktree is no more the one of those runs.
                let agent = Some(work.agent.name.clone());
                let first_run = self.last_run()? + 1;
                let started = Started { agent, first_run, ..work.started.clone() };
                self.change.happened(Entry::Started(started))?;
            }
        }
        let aside = self.last_run_folder()?;
        ground.set_back(&self.change.folder, &aside, &*self.watch)?;
        self.lay_out(&work.step)
    }

    /// Restores the file that agentd itself writes of an answer, and that it may have written before it was gone: it is no
    /// work of the agent's.
    fn take_back_own(&self, work: &UnderWay) -> Result<(), EngineError> {
        let tasks = work.step.reports_tasks().then(|| "tasks.md".to_owned());
        let own: Vec<_> = work.step.answer().into_iter().chain(tasks).map(PathBuf::from).collect();
        let folder = &self.change.folder;
        work.before.put_back(folder, &own).map_err(EngineError::io("restore files of", folder))
    }

    /// Returns the folder of the newest run, in which is kept what belongs to no run in particular.
    pub(super) fn last_run_folder(&self) -> Result<PathBuf, EngineError> {
        Ok(self.runs(1)?.pop().unwrap_or_else(|| self.change.folder.join("runs")))
    }

    pub(super) fn runs(&self, first: u32) -> Result<Vec<PathBuf>, EngineError> {
        let folder = &self.change.folder;
        let runs = runs_from(folder, first).map_err(EngineError::io("read the runs of", folder))?;
        Ok(runs.into_iter().map(|run| run.path).collect())
    }
}
