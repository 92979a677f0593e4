//! The workspaces of a change: the desk, whose results go to the change's branch, and rooms for those who only look at code.
//! No agent ever sees the room of the checks.

use log::warn;

use super::check_report::{Purpose, last_lines};
use super::confinement::Command;
use super::driver::Driver;
use super::error::EngineError;
use super::git::{At, Branch, Commit, Owner, Workspace};
use super::ignored::left_in;
use super::project_command::{CommandRunner, Ran};
use super::research::Inquiry;
use super::setup::Setup;
use crate::files::OrFailed as _;
use crate::files::own;
use crate::models::change::ChangeId;
use crate::models::command::CommandLine;

/// A workspace in which code is only looked at. Who works side by side has each their own, so that nobody is in another's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room<'r> {
    /// Of the phase or the step that is under way.
    Reading,
    /// Of the researcher of a topic.
    Research(&'r Inquiry),
    /// Of the project's checks.
    Checks,
}

impl Room<'_> {
    /// Returns the name of a change's room among workspaces.
    pub fn name(self, id: &ChangeId) -> String {
        // No id has a full stop, so that it is no other change's.
        match self {
            Self::Reading => format!("{id}.reading"),
            Self::Research(inquiry) => format!("{id}.research-{}", inquiry.name()),
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
        let mut result = set_up(
            &self.runner(workspace, Command::Setup)?,
            workspace,
            &self.setup.workspace.setup,
        )
        .await;
        if let Err(EngineError::WorkspaceSetup { lines, .. }) = &mut result {
            *lines = self.without_secrets(lines);
        }
        result
    }

    /// Removes the workspaces of a change that has ended. A desk with files that no commit holds stays.
    pub(super) fn remove_workspaces(&self) -> Result<(), EngineError> {
        let (id, setup) = (&self.change.id, self.setup);
        let path = setup.desk(id);
        let desk = Workspace::find(&setup.repository, &path)?;
        // Before the rooms go: the files that checks make are told from those that an agent left.
        let left = desk.as_ref().map(|desk| left_in(setup, id, desk)).transpose()?;
        let topics = self.change.history.research.keys();
        let topics: Vec<_> = topics.filter_map(|name| Inquiry::from_name(name)).collect();
        let mut done = self.rooms(&topics)?;
        for room in [Room::Reading, Room::Checks] {
            done.extend(Workspace::find(&setup.repository, &setup.room(id, room))?);
        }
        if let Some(desk) = desk {
            let is_empty = left.is_none_or(|left| left.is_empty());
            if is_empty && desk.changes_since(&self.code_commit()?)?.is_empty() {
                done.push(desk);
            } else {
                let path = path.display();
                warn!("the workspace `{path}` stays: it contains files that no commit contains");
            }
        }
        for folder in [setup.outboxes(id), setup.caches(id)] {
            own::clear(&folder).or_failed("remove", &folder)?;
        }
        Ok(Workspace::remove_all(done)?)
    }

    /// Finds the rooms of topics, as far as they are there.
    pub(super) fn rooms<'t>(
        &self,
        topics: impl IntoIterator<Item = &'t Inquiry>,
    ) -> Result<Vec<Workspace>, EngineError> {
        let (id, setup) = (&self.change.id, self.setup);
        let find = |topic| {
            Workspace::find(&setup.repository, &setup.room(id, Room::Research(topic))).transpose()
        };
        Ok(topics.into_iter().filter_map(find).collect::<Result<_, _>>()?)
    }

    /// Opens a room for a commit, or makes it. It may be where an earlier step was, until it is restored.
    pub(super) fn room(&self, room: Room<'_>, commit: &Commit) -> Result<Workspace, EngineError> {
        let path = self.setup.room(&self.change.id, room);
        let attributes = self.change.history.base.as_ref().unwrap_or(commit);
        let at = At { commit, branch: None, attributes };
        let opened = Workspace::open(&self.setup.repository, &path, at)?;
        if room == Room::Checks && opened.head()?.as_ref() != Some(commit) {
            // Another commit may need other dependencies.
            opened.unmark_set_up()?;
        }
        Ok(opened)
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
        let checked = match runner.run(command, Purpose::Test).await? {
            Ran::Done(checked) => checked,
            Ran::Interrupted => return Err(EngineError::Interrupted),
        };
        if let Some(reason) = &checked.failure {
            // The next attempt sets it up anew.
            let (command, reason) = (command.to_string(), reason.clone());
            let lines = last_lines(&checked);
            return Err(EngineError::WorkspaceSetup { command, reason, lines });
        }
    }
    if let (Some(commit), false) = (workspace.head()?, commands.is_empty()) {
        let left = workspace.changes_since(&commit)?;
        if !left.is_empty() {
            let files: Vec<_> = left.iter().map(|path| path.display().to_string()).collect();
            let command = commands.iter().map(ToString::to_string).collect::<Vec<_>>().join(" && ");
            let reason = format!("it creates files that git does not ignore: {}", files.join(", "));
            let lines = String::new();
            return Err(EngineError::WorkspaceSetup { command, reason, lines });
        }
    }
    Ok(workspace.mark_set_up()?)
}
