//! Going on after agentd was gone: with the answer that an agent has left, else from the round's beginning, after what
//! was not finished has been set aside.

use std::path::PathBuf;

use super::attempt::Request;
use super::call::Call;
use super::driver::{Driver, UnderWay};
use super::entry::{Entry, Started};
use super::error::EngineError;
use super::ground::Ground;
use crate::files::OrFailed as _;
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

    /// Prepares a step. One that was cut off goes on with the answer that its agent left; else the workspace and the outbox
    /// are what they were when it began.
    pub(super) fn make_ready(
        &mut self,
        work: &UnderWay,
        ground: &Ground,
        call: &mut Call,
    ) -> Result<(), EngineError> {
        if work.is_resumed {
            // What was run up to a failure has been taken account of.
            let first = work.started.first_run.max(self.change.history.next_run());
            let runs = self.runs(first)?;
            let is_same_agent = work.started.agent.as_ref() == Some(&work.agent.name);
            // An answer is of no use without the outbox and the workspace that it speaks of, and none comes before that is set up.
            let is_set_up = !work.step.writes_code() || ground.workspace.is_set_up();
            let is_there = is_set_up && ground.outbox.is_there();
            if is_same_agent && is_there {
                call.use_earlier(runs);
                if call.has_answer(Request::First) {
                    return Ok(());
                }
                call.use_earlier(Vec::new());
            } else if !is_same_agent || !runs.is_empty() {
                // From here on only what is asked now counts: the next workspace is no more the one of those runs.
                let agent = Some(work.agent.name.clone());
                let first_run = self.last_run()? + 1;
                let started = Started { agent, first_run, ..work.started.clone() };
                self.change.happened(Entry::Started(started))?;
            }
        }
        let aside = self.last_run_folder()?;
        ground.prepare(&self.change.folder, &aside, &*self.watch)
    }

    /// Returns the folder of the newest run, in which is kept what belongs to no run in particular.
    pub(super) fn last_run_folder(&self) -> Result<PathBuf, EngineError> {
        Ok(self.runs(1)?.pop().unwrap_or_else(|| self.change.state.join("runs")))
    }

    pub(super) fn runs(&self, first: u32) -> Result<Vec<PathBuf>, EngineError> {
        let folder = &self.change.state;
        let runs = runs_from(folder, first).or_failed("read the runs of", folder)?;
        Ok(runs.into_iter().map(|run| run.path).collect())
    }
}
