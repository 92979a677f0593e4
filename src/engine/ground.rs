//! What an attempt begins with: a workspace at a commit, and an outbox with copies of the change's documents. Both can be reset
//! to that, and what was not finished is kept.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::documents::Documents;
use super::error::EngineError;
use super::event::{Event, Watch};
use super::git::{Commit, Workspace};
use super::outbox::Outbox;
use super::ownership::may_write;
use crate::files::OrFailed as _;
use crate::flow::Step;
use crate::orchestrator::run_folder::free_name;
use crate::orchestrator::watch as call;

/// What an attempt begins with.
#[derive(Clone)]
pub(super) struct Ground {
    pub(super) step: Step,
    pub(super) workspace: Arc<Workspace>,
    /// The commit that the workspace was at.
    pub(super) start: Commit,
    pub(super) outbox: Outbox,
    /// The change's documents as they were.
    pub(super) before: Documents,
}

impl Ground {
    /// Prepares the workspace and the outbox for a first call. Unfinished work of an earlier attempt is kept in `aside`.
    pub(super) fn prepare(
        &self,
        change: &Path,
        aside: &Path,
        watch: &dyn Watch,
    ) -> Result<(), EngineError> {
        // Nobody has worked yet in a workspace that was made just now.
        if !self.workspace.is_new() {
            self.reset_workspace(aside, watch)?;
        }
        self.reset_outbox(change, aside)
    }

    /// Resets the workspace and the outbox. Unfinished work is kept in `aside`.
    pub(super) fn reset(
        &self,
        change: &Path,
        aside: &Path,
        watch: &dyn Watch,
    ) -> Result<(), EngineError> {
        self.reset_workspace(aside, watch)?;
        self.reset_outbox(change, aside)
    }

    fn reset_workspace(&self, aside: &Path, watch: &dyn Watch) -> Result<(), EngineError> {
        let Self { step, workspace, start, .. } = self;
        if step.writes_code() {
            return reset_code_workspace(workspace, start, aside, |event| watch.event(event));
        }
        if workspace.is_as_at(start)? {
            workspace.give_git(start)?;
        } else {
            // What somebody wrote who only looks at code means nothing.
            workspace.restore(start)?;
        }
        Ok(())
    }

    fn reset_outbox(&self, change: &Path, aside: &Path) -> Result<(), EngineError> {
        let Self { step, outbox, before, .. } = self;
        outbox.set_aside(before, &aside.join("partial"), |path| may_write(step, path))?;
        outbox.fill(change)
    }
}

/// Sets a workspace and its branch back to a commit, unless they are as it is. What came since, from an agent or a person,
/// is kept in `aside` as a patch and reported, and so is a commit that is on the branch no more.
pub(super) fn reset_code_workspace(
    workspace: &Workspace,
    start: &Commit,
    aside: &Path,
    report: impl Fn(&Event<'_>),
) -> Result<(), EngineError> {
    if workspace.is_as_at(start)? {
        // What an agent committed there is no more.
        return Ok(workspace.give_git(start)?);
    }
    // A crash may have come between keeping edits and taking them back.
    let patch = free_name(aside, "partial", ".patch");
    let patch = patch.or_failed("keep edits in", aside)?;
    if workspace.save_patch(start, &patch)? {
        report(&Event::SetAside { patch: &patch });
    }
    let moved = workspace.keep_branch(start)?;
    workspace.restore(start)?;
    if let (Some(branch), Some((commit, kept))) = (workspace.branch(), &moved) {
        report(&Event::BranchSetBack { branch, commit, kept });
    }
    Ok(())
}

/// Passes on what happens in a call, and resets the ground before a call is repeated.
pub(super) struct CallWatch {
    pub(super) watch: Arc<dyn Watch>,
    pub(super) ground: Ground,
    /// The folder of the change's documents.
    pub(super) change: PathBuf,
}

impl call::Watch for CallWatch {
    fn event(&self, event: &call::Event<'_>) {
        self.watch.event(&Event::Call(event));
    }

    fn before_repeat(&self, run: &Path) -> std::io::Result<()> {
        self.ground.reset(&self.change, run, &*self.watch).map_err(std::io::Error::other)
    }
}
