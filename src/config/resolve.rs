//! [`Config`]: the settings in force, as the rest of the program uses them.

use std::collections::BTreeMap;

use super::check::KeyPath;
use super::defaults::fill;
use super::error::{ConfigError, Fault};
use super::layers::{Inputs, merge};
use super::sections::{ROOT, agents, phases, prices};
use super::source::Origin;
use super::value::Table;
use crate::models::agent::AgentSettings;
use crate::models::usage::Price;
use crate::template::Phase;

/// The settings in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// The agents by their names; the built-in ones are always among them.
    pub agents: BTreeMap<String, AgentSettings>,
    /// The agent that does each phase.
    pub phases: BTreeMap<Phase, String>,
    /// What models cost.
    pub prices: BTreeMap<String, Price>,
    settings: Table,
}

/// One setting in force, as it is listed for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its key: `agents.claude.timeout`.
    pub key: String,
    /// Its value, as TOML.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

impl Config {
    /// Puts a configuration together, or tells everything that is wrong.
    pub fn new(inputs: &Inputs<'_>) -> Result<Self, ConfigError> {
        let mut faults = Vec::new();
        let mut settings = merge(inputs, &mut faults);
        agents::complete(&mut settings, inputs);
        fill(&mut settings, &ROOT);
        let config = Self {
            agents: agents::read(&settings, &mut faults),
            phases: phases::read(&settings, &mut faults),
            prices: prices::read(&settings, &mut faults),
            settings,
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

fn list(table: &Table, path: &KeyPath, listed: &mut Vec<Listed>) {
    for (key, setting) in &table.values {
        let key = path.join(key).to_string();
        listed.push(Listed {
            key,
            value: setting.value.to_string(),
            origin: setting.origin.clone(),
        });
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
