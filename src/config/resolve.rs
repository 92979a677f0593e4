//! [`Config`]: the settings in force, as the rest of the program uses them.

use std::collections::BTreeMap;

use super::choice::{CANDIDATES, ChoiceError, Chosen, choose};
use super::defaults::fill;
use super::error::{ConfigError, Fault};
use super::layers::{Inputs, Merged, merge};
use super::sections::{ROOT, agents, phases, prices, roles};
use super::source::{Layer, Origin};
use super::trust::Guarded;
use super::value::{Setting, Table, shown};
use crate::models::agent::AgentSettings;
use crate::models::sandbox::SandboxSettings;
use crate::models::settings::{Context, Limits, SameVendor, Team, Verify, WorkspaceSettings};
use crate::models::usage::Price;
use crate::schema::Path;
use crate::template::{Phase, Role};

/// The settings in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// The name of the flow that a change follows unless another is named.
    pub flow: String,
    /// What happens where a judge is of the same vendor as whoever made what it judges.
    pub same_vendor: SameVendor,
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
    /// How a change's workspace is made.
    pub workspace: WorkspaceSettings,
    /// What confines agents, checks and setup.
    pub sandbox: SandboxSettings,
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
        let project = settings.table("project");
        let config = Self {
            flow: project.and_then(|it| it.get("flow")).unwrap_or_default(),
            same_vendor: project.and_then(|it| it.get("same_vendor")).unwrap_or_default(),
            agents: agents::read(&settings, &mut faults),
            phases: phases::read(&settings, &mut faults),
            roles: roles::read(&settings, &mut faults),
            team: settings.read("team"),
            prices: prices::read(&settings, &mut faults),
            verify: settings.read("verify"),
            limits: settings.read("limits"),
            context: settings.read("context"),
            workspace: settings.read("workspace"),
            sandbox: settings.read("sandbox"),
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

    /// Returns the agent that does a phase.
    pub fn for_phase(&self, phase: Phase) -> Result<&AgentSettings, ConfigError> {
        self.agent(self.phases.get(&phase).map_or("", String::as_str))
    }

    /// Returns the agent that takes a role.
    pub fn for_role(&self, role: Role) -> Result<&AgentSettings, ConfigError> {
        self.agent(self.roles.get(&role).map_or("", String::as_str))
    }

    /// Chooses the agent that does a phase: the one that was named, or, where nobody named one, the default or another that
    /// is installed. For a judge, an agent of another vendor than the author's is preferred.
    pub fn choose(
        &self,
        phase: Phase,
        author: Option<&AgentSettings>,
        installed: impl Fn(&AgentSettings) -> bool,
    ) -> Result<Chosen<'_>, ChoiceError> {
        let origin = self.origin(&["phases", phase.word()]);
        choose(self.for_phase(phase)?, origin, author, installed, self.candidates())
    }

    /// Chooses the agent that takes a role, as [`Self::choose`] does for a phase.
    pub fn choose_role(
        &self,
        role: Role,
        author: Option<&AgentSettings>,
        installed: impl Fn(&AgentSettings) -> bool,
    ) -> Result<Chosen<'_>, ChoiceError> {
        let origin = self.origin(&["roles", role.word()]);
        choose(self.for_role(role)?, origin, author, installed, self.candidates())
    }

    fn candidates(&self) -> impl Iterator<Item = &AgentSettings> {
        CANDIDATES.iter().filter_map(|name| self.agents.get(*name))
    }

    /// Lets agents run commands in steps that write code, unless somebody set their permissions.
    pub fn permit_commands(&mut self) {
        let settings = &self.settings;
        for (name, agent) in &mut self.agents {
            let origin = settings.origin(&["agents", name, "permissions"]);
            agent.runs_commands = origin.layer() == Layer::Default;
        }
    }

    /// Returns what the project's own file sets that needs the user's trust.
    pub fn guarded(&self) -> Guarded {
        self.guarded.clone()
    }

    /// Returns where the setting under a path of keys comes from.
    pub fn origin(&self, path: &[&str]) -> Origin {
        self.settings.origin(path)
    }

    /// Lists every setting in force, sorted by its key.
    pub fn listing(&self) -> Vec<Listed> {
        let mut listed = Vec::new();
        list(&self.settings, &Path::default(), &mut listed);
        listed
    }
}

impl Listed {
    pub(super) fn new(path: &Path, setting: &Setting) -> Self {
        Self {
            key: path.to_string(),
            name: path.last().to_owned(),
            value: shown(&setting.value),
            origin: setting.origin.clone(),
        }
    }
}

fn list(table: &Table, path: &Path, listed: &mut Vec<Listed>) {
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
