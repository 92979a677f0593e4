//! Where the plans of a change are at work: its desk, the workspaces beside it, and what those and their branches are
//! called.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::error::EngineError;
use crate::engine::git::{Commit, Workspace};
use crate::engine::schedule::Lane;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::process::Cancel;

/// Where the plans of a change are at work.
#[derive(Clone, Debug)]
pub struct Site<'a> {
    /// The project, its repository and its settings.
    pub setup: &'a Setup,
    /// The change.
    pub id: &'a ChangeId,
    /// The folder of the change's state, in which runs are kept.
    pub state: &'a Path,
    /// The workspace of the change's own branch.
    pub desk: Arc<Workspace>,
    /// The commit that the change's code is at.
    pub code: Commit,
    /// How many plans are carried out at once at most.
    pub max_parallel: NonZeroUsize,
    /// Asks for all to end.
    pub cancel: Cancel,
}

impl Site<'_> {
    /// Returns the branch of a plan that is carried out beside others.
    pub fn branch(id: &ChangeId, plan: PlanIndex) -> String {
        // No id has a full stop, so that it is no other change's.
        format!("{}.plan-{}", Setup::branch(id), plan.get())
    }

    /// Returns the workspace of a plan that is carried out beside others.
    pub fn workspace(&self, plan: PlanIndex) -> PathBuf {
        Self::folder_of(self.setup, self.id, plan)
    }

    /// Returns the workspace that a plan has where it is carried out beside others.
    pub fn folder_of(setup: &Setup, id: &ChangeId, plan: PlanIndex) -> PathBuf {
        setup.workspaces.join(format!("{id}.plan-{}", plan.get()))
    }

    /// Returns the message of a plan's commits.
    pub(super) fn message(&self, lane: &Lane) -> String {
        // A name of several lines would be a message with a body.
        let name = lane.name().split_whitespace().collect::<Vec<_>>().join(" ");
        format!("agentd: {}, plan {}: {name}", self.id, lane.index().get())
    }

    /// Refuses to go on once agentd is to end.
    pub(super) fn goes_on(&self) -> Result<(), EngineError> {
        if self.cancel.is_cancelled() { Err(EngineError::Interrupted) } else { Ok(()) }
    }
}
