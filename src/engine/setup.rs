//! What a driver works with: the project, its repository, the agents and the settings, all decided before it begins.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::desks::Room;
use super::git::{Commit, GitError, Repository};
use super::history::History;
use super::project::Project;
use crate::flow::{ConfiguredLimit, Limit};
use crate::models::agent::AgentSettings;
use crate::models::change::ChangeId;
use crate::models::settings::{Context, Limits, Team, Verify, Worktree};
use crate::models::usage::Price;
use crate::template::OwnTemplate;

/// What a driver works with.
#[derive(Debug)]
pub struct Setup {
    /// The user's project.
    pub project: Project,
    /// Its repository.
    pub repository: Repository,
    /// The folder of this project's worktrees, outside of it.
    pub worktrees: PathBuf,
    /// The agentd binary, which guards every agent and every check.
    pub guard: PathBuf,
    /// The environment that agents and checks get, but for what agents must not see.
    pub environment: Vec<(OsString, OsString)>,
    /// The agent of each slot: a phase, a role, or a name that a flow gives.
    pub agents: BTreeMap<String, AgentSettings>,
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
    /// How worktrees are made.
    pub worktree: Worktree,
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

    /// Gives the branch of a change.
    pub fn branch(id: &ChangeId) -> String {
        format!("agentd/{id}")
    }

    /// Gives the worktree in which a change's code is written.
    pub fn desk(&self, id: &ChangeId) -> PathBuf {
        self.worktrees.join(id.as_str())
    }

    /// Gives a worktree in which a change's code is only looked at.
    pub fn room(&self, id: &ChangeId, room: Room) -> PathBuf {
        self.worktrees.join(room.name(id))
    }

    /// Refuses what would come to light only when code is due: a repository without a commit, or in which the change's
    /// branch cannot be made.
    pub fn refuse_without_way(&self, id: &ChangeId) -> Result<(), GitError> {
        self.repository.head()?;
        self.repository.refuse_hindered(&Self::branch(id))
    }

    /// Gives the commit that a change's code is at: its last round's, else where it began, else the user's own.
    pub(super) fn code_commit(&self, history: &History) -> Result<Commit, GitError> {
        history.code().map_or_else(|| self.repository.head(), |commit| Ok(commit.clone()))
    }
}
