//! What a driver works with: the project, its repository, the agents and the settings, all decided before it begins.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use log::warn;

use super::confinement::Command;
use super::desks::Room;
use super::error::EngineError;
use super::git::{Commit, GitError, Repository};
use super::history::History;
use super::project::Project;
use super::project_command::CommandRunner;
use crate::flow::{ConfiguredLimit, Limit};
use crate::models::agent::AgentSettings;
use crate::models::change::ChangeId;
use crate::models::sandbox::Sandbox;
use crate::models::settings::{Context, Limits, Team, Verify, WorkspaceSettings};
use crate::models::usage::Price;
use crate::process::Cancel;
use crate::template::OwnTemplate;

/// What the name of the folder of a change's outboxes ends with.
pub(super) const OUTBOXES: &str = ".outbox";

/// What a driver works with.
#[derive(Debug)]
pub struct Setup {
    /// The user's project.
    pub project: Project,
    /// Its repository.
    pub repository: Repository,
    /// The folder of this project's workspaces, outside of it.
    pub workspaces: PathBuf,
    /// The agentd binary, which guards every agent and every check.
    pub guard: PathBuf,
    /// The environment that agents and checks get, but for what agents must not see.
    pub environment: Vec<(OsString, OsString)>,
    /// The agent of each slot: a phase, a role, or a name that a flow gives.
    pub agents: BTreeMap<String, AgentSettings>,
    /// Why each of them is that one, for people.
    pub reasons: BTreeMap<String, String>,
    /// The templates of the project's own flow, if the change follows one.
    pub templates: Arc<[OwnTemplate]>,
    /// How a team of roles works.
    pub team: Team,
    /// What models cost.
    pub prices: BTreeMap<String, Price>,
    /// The project's checks.
    pub verify: Verify,
    /// What a change may cost.
    pub limits: Limits,
    /// What goes into prompts.
    pub context: Context,
    /// How workspaces are made.
    pub workspace: WorkspaceSettings,
    /// What confines agents, checks and setup, unless nothing does.
    pub sandbox: Option<Arc<Sandbox>>,
}

impl Setup {
    /// Returns how many rounds a limit of a flow allows.
    pub const fn rounds(&self, limit: Limit) -> u32 {
        match limit {
            Limit::Fixed(rounds) => rounds,
            Limit::Configured(ConfiguredLimit::Plan) => self.limits.plan_rounds,
            Limit::Configured(ConfiguredLimit::Implement) => self.limits.implement_rounds,
            Limit::Configured(ConfiguredLimit::Review) => self.team.review_rounds,
        }
    }

    /// Returns the branch of a change.
    pub fn branch(id: &ChangeId) -> String {
        format!("agentd/{id}")
    }

    /// Returns the workspace in which a change's code is written.
    pub fn desk(&self, id: &ChangeId) -> PathBuf {
        self.workspaces.join(id.as_str())
    }

    /// Returns the folder of the outboxes of a change's agents.
    pub fn outboxes(&self, id: &ChangeId) -> PathBuf {
        // No id has a full stop, so that it is no other change's.
        self.workspaces.join(format!("{id}{OUTBOXES}"))
    }

    /// Returns a workspace in which a change's code is only looked at.
    pub fn room(&self, id: &ChangeId, room: Room<'_>) -> PathBuf {
        self.workspaces.join(room.name(id))
    }

    /// Refuses what would come to light only when code is due: a repository without a commit, without some of its files, or in
    /// which the change's branch cannot be made. Names the submodules that no workspace will hold.
    pub fn refuse_without_way(&self, id: &ChangeId) -> Result<(), GitError> {
        let head = self.repository.head()?;
        self.repository.refuse_incomplete(&head)?;
        for path in self.repository.absent_submodules(&head)? {
            warn!(
                "submodule `{0}` is not checked out: agents and checks see an empty folder; `git submodule update --init {0}` fetches it",
                path.display()
            );
        }
        self.repository.refuse_hindered(&Self::branch(id))
    }

    /// Returns what runs a command of the project for a change, whose state is in this folder.
    pub(super) fn runner<'s>(
        &'s self,
        (id, state): (&ChangeId, &'s Path),
        workspace: &'s Path,
        command: Command,
        cancel: &Cancel,
    ) -> Result<CommandRunner<'s>, EngineError> {
        Ok(CommandRunner {
            guard: &self.guard,
            workspace,
            change: state,
            environment: self.environment_in(id, workspace),
            grant: self.grant(id, workspace, command)?,
            timeout: self.verify.timeout,
            cancel: cancel.clone(),
        })
    }

    /// Returns the commit that a change's code is at: its last round's, else where it began, else the user's own.
    pub(super) fn code_commit(&self, history: &History) -> Result<Commit, GitError> {
        history.code().map_or_else(|| self.repository.head(), |commit| Ok(commit.clone()))
    }
}
