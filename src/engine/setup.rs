//! What a driver works with: the project, its repository, the agents and the settings, all decided before it begins.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::desks::Room;
use super::git::{Commit, GitError, Repository};
use super::history::History;
use super::machine;
use super::project::Project;
use super::team::TeamLimits;
use crate::models::agent::AgentSettings;
use crate::models::change::ChangeId;
use crate::models::settings::{Context, Limits, Team, Verify, Worktree};
use crate::models::usage::Price;
use crate::template::{Phase, Role};

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
    /// The agent of each phase.
    pub agents: BTreeMap<Phase, AgentSettings>,
    /// The agent of each role, where a team brings changes on.
    pub roles: BTreeMap<Role, AgentSettings>,
    /// How a team brings changes on.
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
    /// Gives the limits on rounds as the machine knows them.
    pub const fn rounds(&self) -> machine::Limits {
        machine::Limits { plan: self.limits.plan_rounds, implement: self.limits.implement_rounds }
    }

    /// Gives the limit on reviews as the machine of the team knows it.
    pub const fn team_limits(&self) -> TeamLimits {
        TeamLimits { reviews: self.team.review_rounds }
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
