//! The workspaces of a change: the desk, whose results go to the change's branch, and rooms for those who only look at code.
//! No agent ever sees the room of the checks.

use log::warn;

use super::check_report::{Ended, Purpose};
use super::driver::Driver;
use super::error::EngineError;
use super::git::{At, Branch, Commit, Owner, Workspace};
use super::project_command::{CommandRunner, Ran};
use super::setup::Setup;
use crate::models::change::ChangeId;
use crate::models::command::CommandLine;

/// A workspace in which code is only looked at. Who works side by side has each their own, so that it is known who wrote
/// what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Of the phase or the step that is under way.
    Reading,
    /// Of researchers.
    Research,
    /// Of the project's checks.
    Checks,
}

impl Room {
    /// Every room.
    pub const ALL: [Self; 3] = [Self::Reading, Self::Research, Self::Checks];

    /// Returns the name of a change's room among workspaces.
    pub fn name(self, id: &ChangeId) -> String {
        // No id has a full stop, so that it is no other change's.
        match self {
            Self::Reading => format!("{id}.reading"),
            Self::Research => format!("{id}.research"),
            Self::Checks => format!("{id}.checks"),
        }
    }
}

impl Driver<'_> {
    /// Opens the desk, or makes it from where the change's code is.
    pub(super) fn desk(&self) -> Result<Workspace, EngineError> {
        let (id, setup) = (&self.change.id, self.setup);
        let from = self.code_commit()?;
        let branch = Setup::branch(id);
        let branch = Branch { name: &branch, owner: Owner::Anybody };
        let attributes = self.change.history.base.as_ref().unwrap_or(&from);
        let at = At { commit: &from, branch: Some(branch), attributes };
        Ok(Workspace::open(&setup.repository, &setup.desk(id), at)?)
    }

    /// Sets a workspace up with the commands that the configuration gives, unless that was done to its end.
    pub(super) async fn set_up(&self, workspace: &Workspace) -> Result<(), EngineError> {
        set_up(&self.runner(workspace), workspace, &self.setup.worktree.setup).await
    }

    /// Removes the workspaces of a change that has ended. A desk with files that no commit holds stays.
    pub(super) fn remove_workspaces(&self) -> Result<(), EngineError> {
        let (id, setup) = (&self.change.id, self.setup);
        for room in Room::ALL {
            if let Some(found) = Workspace::find(&setup.repository, &setup.room(id, room))? {
                found.remove()?;
            }
        }
        let path = setup.desk(id);
        let Some(desk) = Workspace::find(&setup.repository, &path)? else { return Ok(()) };
        if desk.changes_since(&self.code_commit()?)?.is_empty() {
            return Ok(desk.remove()?);
        }
        warn!("the workspace `{}` stays: it holds files that no commit holds", path.display());
        Ok(())
    }

    /// Opens a room at a commit, or makes it.
    pub(super) fn room(&self, room: Room, commit: &Commit) -> Result<Workspace, EngineError> {
        let path = self.setup.room(&self.change.id, room);
        let attributes = self.change.history.base.as_ref().unwrap_or(commit);
        let at = At { commit, branch: None, attributes };
        let room = Workspace::open(&self.setup.repository, &path, at)?;
        // It may be where an earlier step was.
        if room.head()?.as_ref() != Some(commit) {
            room.restore(commit)?;
        }
        Ok(room)
    }
}

/// Sets a workspace up, unless that was done to its end: each command must end well, and leave nothing but ignored files,
/// since it is nobody's work.
pub(super) async fn set_up(
    runner: &CommandRunner<'_>,
    workspace: &Workspace,
    commands: &[CommandLine],
) -> Result<(), EngineError> {
    if workspace.is_set_up() {
        return Ok(());
    }
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
    if let (Some(commit), false) = (workspace.head()?, commands.is_empty()) {
        let left = workspace.changes_since(&commit)?;
        if !left.is_empty() {
            let files: Vec<_> = left.iter().map(|path| path.display().to_string()).collect();
            let command = commands.iter().map(ToString::to_string).collect::<Vec<_>>().join(" && ");
            let reason = format!("it leaves files that git does not ignore: {}", files.join(", "));
            return Err(EngineError::WorktreeSetup { command, reason });
        }
    }
    Ok(workspace.mark_set_up()?)
}
