//! Where a plan is carried out, and by whom.

use std::sync::Arc;

use crate::engine::error::EngineError;
use crate::engine::git::{Commit, Results, Workspace};
use crate::engine::schedule::Lane;

/// Where a plan is carried out.
#[derive(Clone, Debug)]
pub struct Workplace {
    /// The workspace that its agent works in.
    pub workspace: Arc<Workspace>,
    /// The commit that it begins with: before an agent is asked once more after a failure, it is set back to this.
    pub start: Commit,
}

/// What an agent that has carried out a plan leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneAnswer {
    /// The agent.
    pub agent: String,
    /// The run whose answer counts.
    pub run: String,
    /// What the workspace held when the answer was checked, where that was looked at: it is what is committed.
    pub results: Option<Results>,
}

/// How an agent comes to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// It is asked; what it answered before does not count.
    Anew,
    /// The answer that it has left counts, and the workspace is as it left it.
    LeftOver,
}

/// Has a plan carried out.
pub trait LaneRunner {
    /// Returns whether the agent of a run that was cut off has left a whole answer to this plan.
    fn has_left_over(&self, lane: &Lane) -> bool {
        let _ = lane;
        false
    }

    /// Refuses to begin with a plan where that is not the plan's fault: no more may be spent, say.
    fn may_begin(&self) -> Result<(), EngineError> {
        Ok(())
    }

    /// Has an agent carry out a plan, and gives its answer if it ended well. Nothing need be committed.
    ///
    /// Once agentd is asked to end it must end soon, with an error that is an interruption.
    fn run(
        &self,
        lane: &Lane,
        place: &Workplace,
        asking: Asking,
    ) -> impl Future<Output = Result<LaneAnswer, EngineError>>;
}
