//! Going on after agentd was gone: with the answer that an agent has left, else from the round's beginning, after what
//! was not finished has been set aside.

use std::io;
use std::path::PathBuf;

use log::warn;

use super::driver::Driver;
use super::error::EngineError;
use super::ground::Ground;
use super::round::Round;
use super::snapshot::Snapshot;
use super::work::Work;
use crate::orchestrator::Orchestrator;
use crate::orchestrator::run_folder::runs_from;
use crate::process;
use crate::template::Phase;

/// A piece of work that was cut off.
pub(super) struct CutOff<'c> {
    /// The work.
    pub(super) work: Work,
    /// The agent that began it.
    pub(super) agent: &'c str,
    /// The number of its first run.
    pub(super) first_run: u32,
}

/// How a piece of work begins, or goes on.
pub(super) enum Ready {
    /// With the answer that its agent has left.
    Answered {
        /// The runs among which it is.
        earlier: Vec<PathBuf>,
    },
    /// With a question to its agent.
    ToBeAsked {
        /// The first run that counts from here on, if those before it no more do: that is to be taken down.
        counts_from: Option<u32>,
    },
}

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

    /// Reads the change's files as they were when the phase was begun.
    pub(super) fn kept(&self) -> Result<Snapshot, EngineError> {
        let folder = &self.change.folder;
        match Snapshot::kept(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Git ignores them, so that whoever cleans up with git removes them.
                warn!(
                    "what `{}` was before its phase is gone: it is taken as it is",
                    self.change.id
                );
                let now = Snapshot::take(folder).map_err(EngineError::io("read", folder))?;
                now.keep(folder).map_err(EngineError::io("keep the files of", folder))?;
                Ok(now)
            }
            kept => kept.map_err(EngineError::io("read", folder)),
        }
    }

    /// Makes ready for a piece of work. One that was cut off goes on with the answer that its agent has left; else the
    /// workspace and the change's files are what they were when it began.
    pub(super) fn make_ready(
        &self,
        ground: &Ground,
        cut_off: Option<&CutOff<'_>>,
        orchestrator: &Orchestrator,
        has_answer: impl Fn(&Orchestrator) -> bool,
    ) -> Result<Ready, EngineError> {
        let mut counts_from = None;
        if let Some(cut_off) = cut_off {
            // What was run up to a failure has been taken account of.
            let first = cut_off.first_run.max(self.change.history.last_run + 1);
            let runs = self.runs(first)?;
            let is_same_agent = cut_off.agent == orchestrator.agent().name;
            // An answer about code is of no use without the worktree that it speaks of, and none comes before that is set up.
            let is_there = !cut_off.work.writes_code() || ground.worktree.is_set_up();
            // From here on only what is asked now counts: the next worktree is no more the one of those runs.
            if !is_same_agent || !is_there && !runs.is_empty() {
                counts_from = Some(self.last_run()? + 1);
            }
            let is_usable = is_same_agent && is_there;
            if is_usable && has_answer(&orchestrator.clone().with_earlier(runs.clone())) {
                return Ok(Ready::Answered { earlier: runs });
            }
        }
        let aside = self.last_run_folder()?;
        ground.set_back(&self.change.folder, &aside, &*self.watch)?;
        Ok(Ready::ToBeAsked { counts_from })
    }

    /// Takes back the file that agentd itself writes of a phase's answer, and that it may have written before it was
    /// gone: it is no work of the agent's.
    pub(super) fn take_back_own(&self, round: &Round) -> Result<(), EngineError> {
        let own = match round.phase {
            Phase::Plan | Phase::Archive => return Ok(()),
            Phase::Challenge => "CHALLENGE.md",
            Phase::Implement => "tasks.md",
            Phase::Review => "REVIEW.md",
        };
        let folder = &self.change.folder;
        let put_back = round.ground.before.put_back(folder, &[PathBuf::from(own)]);
        put_back.map_err(EngineError::io("put back files of", folder))
    }

    /// Gives the folder of the newest run, in which is kept what nobody in particular has left.
    pub(super) fn last_run_folder(&self) -> Result<PathBuf, EngineError> {
        Ok(self.runs(1)?.pop().unwrap_or_else(|| self.change.folder.join("runs")))
    }

    pub(super) fn runs(&self, first: u32) -> Result<Vec<PathBuf>, EngineError> {
        let folder = &self.change.folder;
        let runs = runs_from(folder, first).map_err(EngineError::io("read the runs of", folder))?;
        Ok(runs.into_iter().map(|run| run.path).collect())
    }
}
