//! Going on after agentd was gone: with the answer that an agent has left, else from the round's beginning, after what
//! was not finished has been set aside.

use std::io;
use std::path::PathBuf;

use log::warn;

use super::driver::Driver;
use super::entry::{Entry, Started};
use super::error::WorkflowError;
use super::round::Round;
use super::snapshot::Snapshot;
use crate::orchestrator::Orchestrator;
use crate::orchestrator::run_folder::runs_from;
use crate::process;
use crate::template::Phase;

impl Driver<'_> {
    /// Waits for the guards of an agentd that was killed: until they are gone, their agents may write.
    pub(super) fn await_guards(&self) -> Result<(), WorkflowError> {
        for run in self.runs(1)? {
            if process::end_record(&run)?.is_none() {
                process::await_end(&run)?;
            }
        }
        Ok(())
    }

    /// Reads the change's files as they were when the phase was begun.
    pub(super) fn kept(&self) -> Result<Snapshot, WorkflowError> {
        let folder = &self.change.folder;
        match Snapshot::kept(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Git ignores them, so that whoever cleans up with git removes them.
                warn!(
                    "what `{}` was before its phase is gone: it is taken as it is",
                    self.change.id
                );
                let now = Snapshot::take(folder).map_err(WorkflowError::io("read", folder))?;
                now.keep(folder).map_err(WorkflowError::io("keep the files of", folder))?;
                Ok(now)
            }
            kept => kept.map_err(WorkflowError::io("read", folder)),
        }
    }

    /// Makes ready for a round. One that was cut off goes on with the answer that its agent has left; else the workspace
    /// and the change's files are what they were when it began.
    pub(super) fn made_ready(
        &mut self,
        round: &Round,
        orchestrator: Orchestrator,
        resumed: Option<&Started>,
    ) -> Result<Orchestrator, WorkflowError> {
        if let Some(started) = resumed.filter(|started| started.agent == round.agent.name) {
            // What was run up to a failure has been taken account of.
            let first = started.first_run.max(self.change.history.last_run + 1);
            let orchestrator = orchestrator.clone().with_earlier(self.runs(first)?);
            if orchestrator.has_left_over(&self.change.id, round.phase) {
                self.take_back_own(round)?;
                return Ok(orchestrator);
            }
        }
        let aside = self.last_run_folder()?;
        round.ground.set_back(&self.change.folder, &aside, &*self.watch)?;
        if let Some(started) = resumed.filter(|started| started.agent != round.agent.name) {
            // From here on it is another agent's answer that counts.
            let started = Started {
                agent: round.agent.name.clone(),
                first_run: self.last_run()? + 1,
                ..started.clone()
            };
            self.change.happened(Entry::Started(started))?;
        }
        Ok(orchestrator)
    }

    /// Takes back the file that agentd itself writes of a phase's answer, and that it may have written before it was
    /// gone: it is no work of the agent's.
    fn take_back_own(&self, round: &Round) -> Result<(), WorkflowError> {
        let own = match round.phase {
            Phase::Plan | Phase::Archive => return Ok(()),
            Phase::Challenge => "CHALLENGE.md",
            Phase::Implement => "tasks.md",
            Phase::Review => "REVIEW.md",
        };
        let folder = &self.change.folder;
        let put_back = round.ground.before.put_back(folder, &[PathBuf::from(own)]);
        put_back.map_err(WorkflowError::io("put back files of", folder))
    }

    /// Gives the folder of the newest run, in which is kept what nobody in particular has left.
    pub(super) fn last_run_folder(&self) -> Result<PathBuf, WorkflowError> {
        Ok(self.runs(1)?.pop().unwrap_or_else(|| self.change.folder.join("runs")))
    }

    pub(super) fn runs(&self, first: u32) -> Result<Vec<PathBuf>, WorkflowError> {
        let folder = &self.change.folder;
        let runs =
            runs_from(folder, first).map_err(WorkflowError::io("read the runs of", folder))?;
        Ok(runs.into_iter().map(|run| run.path).collect())
    }
}
