//! What a piece of work begins with: a workspace at a commit, and the change's files as they were. It can be set back to
//! that, and what was not finished is set aside.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::EngineError;
use super::event::{Event, Watch};
use super::git::{Commit, Workspace};
use super::snapshot::Snapshot;
use super::strays::put_back;
use crate::orchestrator::run_folder::free_name;
use crate::orchestrator::watch as call;

/// What a piece of work begins with.
#[derive(Clone)]
pub(super) struct Ground {
    pub(super) worktree: Arc<Workspace>,
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
    ) -> Result<(), EngineError> {
        let Self { worktree, start, before, spared } = self;
        set_worktree_back(worktree, start, aside, |event| watch.event(event))?;
        let is_ours = |path: &Path| spared.is_none_or(|folder| !path.starts_with(folder));
        put_back(before, change, &aside.join("partial"), is_ours).map(drop)
    }
}

/// Sets a worktree and its branch back to a commit, unless they are as it is. What came since, from an agent or a person,
/// is kept in `aside` as a patch and told of, and so is a commit that is on the branch no more.
pub(super) fn set_worktree_back(
    worktree: &Workspace,
    start: &Commit,
    aside: &Path,
    tell: impl Fn(&Event<'_>),
) -> Result<(), EngineError> {
    if worktree.is_as_at(start)? {
        // What an agent committed there is no more.
        return Ok(worktree.give_git(start)?);
    }
    // A crash may have come between keeping edits and taking them back.
    let patch = free_name(aside, "partial", ".patch");
    let patch = patch.map_err(EngineError::io("keep edits in", aside))?;
    if worktree.save_patch(start, &patch)? {
        tell(&Event::SetAside { patch: &patch });
    }
    let commits = worktree.commits_beyond(start)?;
    worktree.restore(start)?;
    if let (Some(branch), Some(commit)) = (worktree.branch(), &commits) {
        tell(&Event::BranchSetBack { branch, commit });
    }
    Ok(())
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
