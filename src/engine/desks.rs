//! The worktrees of a change: the desk, on its own branch, where its code is written, and rooms on no branch for those who
//! only look at code.

use super::check_report::{Ended, Purpose};
use super::driver::Driver;
use super::error::EngineError;
use super::git::{At, Commit, Worktree};
use super::project_command::{CommandRunner, Ran};
use super::setup::Setup;
use crate::models::change::ChangeId;
use crate::models::command::CommandLine;

/// A worktree in which code is only looked at. Who works side by side has each their own, so that it is known who wrote
/// what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Of the phase or the step that is under way.
    Reading,
    /// Of researchers.
    Research,
}

impl Room {
    /// Every room.
    pub const ALL: [Self; 2] = [Self::Reading, Self::Research];

    /// Gives the name of a change's room among worktrees.
    pub fn name(self, id: &ChangeId) -> String {
        // No id has a full stop, so that it is no other change's.
        match self {
            Self::Reading => format!("{id}.reading"),
            Self::Research => format!("{id}.research"),
        }
    }
}

impl Driver<'_> {
    /// Opens the desk, or makes it from where the change's code is.
    pub(super) fn desk(&self) -> Result<Worktree, EngineError> {
        let id = &self.change.id;
        let from = self.code_commit()?;
        let at = At::Branch { name: &Setup::branch(id), from: &from };
        Ok(Worktree::create(&self.setup.repository, &self.setup.desk(id), at)?)
    }

    /// Sets a desk up with the commands that the configuration gives, unless that was done to its end.
    pub(super) async fn set_up_desk(&self, desk: &Worktree) -> Result<(), EngineError> {
        if desk.is_set_up() {
            return Ok(());
        }
        set_up(&self.runner(desk), &self.setup.worktree.setup).await?;
        Ok(desk.mark_set_up()?)
    }

    /// Removes a room, if it is there: nothing in it is of any use.
    pub(super) fn remove_room(&self, room: Room) -> Result<(), EngineError> {
        if !self.setup.room(&self.change.id, room).exists() {
            return Ok(());
        }
        let commit = self.code_commit()?;
        let room = self.room(room, &commit)?;
        room.restore(&commit)?;
        Ok(room.remove()?)
    }

    /// Opens a room at a commit, or makes it.
    pub(super) fn room(&self, room: Room, commit: &Commit) -> Result<Worktree, EngineError> {
        let path = self.setup.room(&self.change.id, room);
        let room = Worktree::create(&self.setup.repository, &path, At::Detached(commit))?;
        // It may be where an earlier phase was.
        if room.head()? != *commit {
            room.restore(commit)?;
        }
        Ok(room)
    }
}

/// Runs the commands that set up a worktree, one after the other, each of which must end well.
pub(super) async fn set_up(
    runner: &CommandRunner<'_>,
    commands: &[CommandLine],
) -> Result<(), EngineError> {
    for command in commands {
        let ended = match runner.run(command, Purpose::Test).await? {
            Ran::Done(checked) => checked.end,
            Ran::Interrupted => return Err(EngineError::Interrupted),
        };
        if let Ended::Failed(reason) = ended {
            // The next attempt sets it up anew.
            return Err(EngineError::WorktreeSetup { command: command.to_string(), reason });
        }
    }
    Ok(())
}
