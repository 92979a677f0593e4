//! [`Config`]: the settings in force, as the rest of the program uses them.

use std::collections::BTreeMap;

use super::check::KeyPath;
use super::choice::{CANDIDATES, ChoiceError, Chosen, choose};
use super::defaults::fill;
use super::error::{ConfigError, Fault};
use super::layers::{Inputs, Merged, merge};
use super::sections::{
    ROOT, agents, context, limits, phases, prices, project, roles, team, verify, worktree,
};
use super::source::Origin;
use super::trust::Guarded;
use super::value::{Setting, Table};
use crate::models::agent::AgentSettings;
use crate::models::settings::{Context, Limits, Team, Verify, Worktree};
use crate::models::usage::Price;
use crate::template::{Phase, Role};

/// The settings in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of the flow that a change follows unless another is named.
    pub flow: String,
    /// The agents by their names; the built-in ones are always among them.
    pub agents: BTreeMap<String, AgentSettings>,
    /// The agent that does each phase.
    pub phases: BTreeMap<Phase, String>,
    /// The agent that takes each role of a team.
    pub roles: BTreeMap<Role, String>,
    /// How a team brings a change on.
    pub team: Team,
    /// What models cost.
    pub prices: BTreeMap<String, Price>,
    /// How a change is verified.
    pub verify: Verify,
    /// What a change may cost before a person is asked.
    pub limits: Limits,
    /// What goes into prompts beside the change's own files.
    pub context: Context,
    /// How a change's worktree is made.
    pub worktree: Worktree,
    settings: Table,
    guarded: Guarded,
}

/// One setting in force, as it is listed for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its key: `agents.claude.timeout`.
    pub key: String,
    /// The last part of its key, without quotes: `timeout`.
    pub name: String,
    /// Its value, as TOML.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

impl Config {
    /// Puts a configuration together, or tells everything that is wrong.
    pub fn new(inputs: &Inputs<'_>) -> Result<Self, ConfigError> {
        let mut faults = Vec::new();
        let Merged { mut settings, project: of_project, beneath } = merge(inputs, &mut faults);
        agents::complete(&mut settings, inputs);
        fill(&mut settings, &ROOT);
        let config = Self {
            flow: project::flow(&settings),
            agents: agents::read(&settings, &mut faults),
            phases: phases::read(&settings, &mut faults),
            roles: roles::read(&settings, &mut faults),
            team: team::read(&settings),
            prices: prices::read(&settings, &mut faults),
            verify: verify::read(&settings),
            limits: limits::read(&settings),
            context: context::read(&settings),
            worktree: worktree::read(&settings),
            settings,
            guarded: Guarded::in_file(&of_project, &beneath),
        };
        if faults.is_empty() { Ok(config) } else { Err(ConfigError::Faults(sorted(faults))) }
    }

    /// Finds an agent by its name.
    pub fn agent(&self, name: &str) -> Result<&AgentSettings, ConfigError> {
        self.agents.get(name).ok_or_else(|| ConfigError::UnknownAgent {
            name: name.to_owned(),
            known: self.agents.keys().cloned().collect(),
        })
    }

    /// Gives the agent that does a phase.
    pub fn for_phase(&self, phase: Phase) -> Result<&AgentSettings, ConfigError> {
        self.agent(self.phases.get(&phase).map_or("", String::as_str))
    }

    /// Chooses the agent that does a phase: the one that was named, or, where nobody named one and the default is
    /// not installed, another that is.
    pub fn choose(
        &self,
        phase: Phase,
        installed: impl Fn(&AgentSettings) -> bool,
    ) -> Result<Chosen<'_>, ChoiceError> {
        let preferred = self.for_phase(phase)?;
        self.choose_for(preferred, &["phases", phase.word()], installed)
    }

    /// Gives the agent that takes a role.
    pub fn for_role(&self, role: Role) -> Result<&AgentSettings, ConfigError> {
        self.agent(self.roles.get(&role).map_or("", String::as_str))
    }

    /// Chooses the agent that takes a role, as [`Self::choose`] does for a phase.
    pub fn choose_role(
        &self,
        role: Role,
        installed: impl Fn(&AgentSettings) -> bool,
    ) -> Result<Chosen<'_>, ChoiceError> {
        let preferred = self.for_role(role)?;
        self.choose_for(preferred, &["roles", role.word()], installed)
    }

    fn choose_for<'c>(
        &'c self,
        preferred: &'c AgentSettings,
        path: &[&str],
        installed: impl Fn(&AgentSettings) -> bool,
    ) -> Result<Chosen<'c>, ChoiceError> {
        let candidates = CANDIDATES.iter().filter_map(|name| self.agents.get(*name));
        choose(preferred, &self.origin(path), installed, candidates)
    }

    /// Gives what the project's own file sets that needs the user's trust.
    pub fn guarded(&self) -> Guarded {
        self.guarded.clone()
    }

    /// Says where the setting under a path of keys comes from.
    pub fn origin(&self, path: &[&str]) -> Origin {
        self.settings.origin(path)
    }

    /// Lists every setting in force, sorted by its key.
    pub fn listing(&self) -> Vec<Listed> {
        let mut listed = Vec::new();
        list(&self.settings, &KeyPath::default(), &mut listed);
        listed
    }
}

impl Listed {
    pub(super) fn new(path: &KeyPath, setting: &Setting) -> Self {
        Self {
            key: path.to_string(),
            name: path.last().to_owned(),
            value: setting.value.to_string(),
            origin: setting.origin.clone(),
        }
    }
}

fn list(table: &Table, path: &KeyPath, listed: &mut Vec<Listed>) {
    for (key, setting) in &table.values {
        listed.push(Listed::new(&path.join(key), setting));
    }
    for (key, below) in &table.tables {
        list(below, &path.join(key), listed);
    }
}

/// Sorts by layer and place, so that a file is told of from top to bottom.
fn sorted(mut faults: Vec<Fault>) -> Vec<Fault> {
    faults.sort_by_key(|fault| (fault.place.source.layer, fault.place.span));
    faults
}
