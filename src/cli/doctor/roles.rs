//! The roles of a team: which agent takes each, where that is said, and what stands against it.

use super::agents::AgentState;
use crate::config::Config;
use crate::orchestrator::fitness::unfit_for_role;
use crate::template::Role;

/// What was found out about a role.
pub(super) struct RoleState {
    pub(super) role: Role,
    pub(super) agent: String,
    /// Where it is said that this agent takes it.
    pub(super) origin: String,
    pub(super) trouble: Option<String>,
}

/// Looks at every role.
pub(super) fn examine(config: &Config, agents: &[AgentState]) -> Vec<RoleState> {
    let roles = Role::ALL.iter().filter_map(|role| {
        // Every role has an agent by default, and one that is not there is a fault of the configuration.
        let settings = config.for_role(*role).ok()?;
        let found = agents.iter().find(|agent| agent.name == settings.name);
        let unusable = found.filter(|agent| !agent.is_usable()).and_then(AgentState::trouble);
        Some(RoleState {
            role: *role,
            agent: settings.name.clone(),
            origin: config.origin(&["roles", role.word()]).to_string(),
            trouble: unfit_for_role(settings).map(str::to_owned).or(unusable),
        })
    });
    roles.collect()
}
