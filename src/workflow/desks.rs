//! The worktrees of a change: the desk, on its own branch, where its code is written, and the reading room, on no
//! branch, for the phases that only look at code.

use super::driver::Driver;
use super::error::WorkflowError;
use super::evidence::{Ended, Purpose};
use super::git::{At, Commit, Worktree};
use super::setup::Setup;
use super::verify::{Ran, Shop};
use crate::models::command::CommandLine;

impl Driver<'_> {
    /// Opens the desk, or makes it from where the change's code is.
    pub(super) fn desk(&self) -> Result<Worktree, WorkflowError> {
        let id = &self.change.id;
        let from = self.code_commit()?;
        let at = At::Branch { name: &Setup::branch(id), from: &from };
        Ok(Worktree::create(&self.setup.repository, &self.setup.desk(id), at)?)
    }

    /// Sets a desk up with the commands that the configuration gives, unless that was done to its end.
    pub(super) async fn set_up_desk(&self, desk: &Worktree) -> Result<(), WorkflowError> {
        if desk.is_set_up() {
            return Ok(());
        }
        let folder = self.change.folder.clone();
        set_up(&self.shop(desk, &folder), &self.setup.worktree.setup).await?;
        Ok(desk.mark_set_up()?)
    }

    /// Removes the reading room, if it is there: nothing in it is of any use.
    pub(super) fn remove_reading_room(&self) -> Result<(), WorkflowError> {
        if !self.setup.reading_room(&self.change.id).exists() {
            return Ok(());
        }
        let commit = self.code_commit()?;
        let room = self.reading_room(&commit)?;
        room.restore(&commit)?;
        Ok(room.remove()?)
    }

    /// Opens the reading room at a commit, or makes it.
    pub(super) fn reading_room(&self, commit: &Commit) -> Result<Worktree, WorkflowError> {
        let path = self.setup.reading_room(&self.change.id);
        let room = Worktree::create(&self.setup.repository, &path, At::Detached(commit))?;
        // It may be where an earlier phase was.
        if room.head()? != *commit {
            room.restore(commit)?;
        }
        Ok(room)
    }
}

/// Runs the commands that set up a worktree, one after the other, each of which must end well.
pub(super) async fn set_up(shop: &Shop<'_>, commands: &[CommandLine]) -> Result<(), WorkflowError> {
    for command in commands {
        let ended = match shop.run(command, Purpose::Test).await? {
            Ran::Done(checked) => checked.end,
            Ran::Interrupted => return Err(WorkflowError::Interrupted),
        };
        if let Ended::Failed(reason) = ended {
            // The next attempt sets it up anew.
            return Err(WorkflowError::WorktreeSetup { command: command.to_string(), reason });
        }
    }
    Ok(())
}
