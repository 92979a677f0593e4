//! One try at a piece of work, whoever does it: the agent is asked, its result is checked, and where that is not right the
//! agent is asked once more with what is wrong.

use super::error::EngineError;
use super::expected::FileFault;
use super::git::{Commit, GitError, Results, Unfit, Workspace};
use crate::models::usage::UsageMetrics;
use crate::orchestrator::PhaseOutcome;

/// Which request of an attempt is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// The first.
    First,
    /// The one that says what is wrong with the result of the first.
    Second,
}

/// The result of an attempt, or what is wrong with what the agent left.
pub(super) type Checked<T> = Result<T, Vec<FileFault>>;

/// Takes what an agent left in its workspace. What no commit can hold is its fault.
pub(super) fn taken(
    workspace: &Workspace,
    start: &Commit,
) -> Result<Checked<Results>, EngineError> {
    let fault = |Unfit { path, why }: &Unfit| {
        FileFault::new(&path.to_string_lossy(), None, &why.to_string(), why.help())
    };
    match workspace.take(start) {
        Err(GitError::Unfit { files, .. }) => Ok(Err(files.iter().map(fault).collect())),
        results => Ok(Ok(results?)),
    }
}

/// One try at a piece of work.
pub(super) trait Attempt {
    /// What comes of it.
    type Made;

    /// Asks the agent; the second time with what is wrong.
    async fn ask(&mut self, faults: Option<&[FileFault]>) -> Result<PhaseOutcome, EngineError>;

    /// Returns whether an earlier run, that agentd did not see end, left the answer to the second request.
    fn has_second_answer(&self) -> bool;

    /// Checks what the agent left.
    fn check(&mut self, reply: &PhaseOutcome) -> Result<Checked<Self::Made>, EngineError>;

    /// Takes notice that the agent is asked once more.
    fn asks_again(&self, faults: &[FileFault]);

    /// Returns the error for a result that is still wrong.
    fn still_wrong(&self, faults: Vec<FileFault>) -> EngineError;

    /// Carries the work out, and returns what came of it and what all calls cost.
    async fn carry_out(&mut self) -> Result<(Self::Made, UsageMetrics), EngineError> {
        let reply = self.ask(None).await?;
        let mut usage = reply.usage.clone();
        let mut made = self.check(&reply)?;
        // Where the agent was asked already and answered, that answer counts.
        if made.is_err() || self.has_second_answer() {
            let faults = made.err().unwrap_or_default();
            self.asks_again(&faults);
            let reply = self.ask(Some(&faults)).await?;
            usage += &reply.usage;
            made = self.check(&reply)?;
        }
        made.map(|made| (made, usage)).map_err(|faults| self.still_wrong(faults))
    }
}
