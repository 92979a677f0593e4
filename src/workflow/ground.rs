//! What a piece of work begins with: a workspace at a commit, and the change's files as they were. It can be set back to
//! that, and what was not finished is set aside.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::WorkflowError;
use super::event::{Event, Watch};
use super::git::{Commit, Worktree};
use super::snapshot::Snapshot;
use super::strays::put_back;
use crate::orchestrator::run_folder::free_name;
use crate::orchestrator::watch as call;

/// What a piece of work begins with.
#[derive(Clone)]
pub(super) struct Ground {
    pub(super) worktree: Arc<Worktree>,
    /// The commit that the workspace was at.
    pub(super) start: Commit,
    /// The change's files as they were.
    pub(super) before: Snapshot,
    /// The folder of the change in which others work too, so that it is never set back.
    pub(super) spared: Option<&'static str>,
}

impl Ground {
    /// Sets the workspace and the change's files back to what they were. Unfinished edits are kept in `aside` as a patch.
    pub(super) fn set_back(
        &self,
        change: &Path,
        aside: &Path,
        watch: &dyn Watch,
    ) -> Result<(), WorkflowError> {
        let Self { worktree, start, before, spared } = self;
        if !self.is_untouched()? {
            // A crash may have come between keeping edits and taking them back.
            let patch = free_name(aside, "partial", ".patch");
            let patch = patch.map_err(WorkflowError::io("keep edits in", aside))?;
            if worktree.save_patch(start, &patch)? {
                watch.event(&Event::SetAside { patch: &patch });
            }
            worktree.restore(start)?;
        }
        let is_ours = |path: &Path| spared.is_none_or(|folder| !path.starts_with(folder));
        put_back(before, change, &aside.join("partial"), is_ours).map(drop)
    }

    fn is_untouched(&self) -> Result<bool, WorkflowError> {
        Ok(self.worktree.is_as_at(&self.start)?)
    }
}

/// Passes on what happens in a call, and sets the ground back before a call is repeated.
pub(super) struct CallWatch {
    pub(super) watch: Arc<dyn Watch>,
    pub(super) ground: Ground,
    pub(super) change: PathBuf,
}

impl call::Watch for CallWatch {
    fn event(&self, event: &call::Event<'_>) {
        self.watch.event(&Event::Call(event));
    }

    fn before_repeat(&self, run: &Path) -> std::io::Result<()> {
        self.ground.set_back(&self.change, run, &*self.watch).map_err(std::io::Error::other)
    }
}
