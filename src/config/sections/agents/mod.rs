//! `[agents.NAME]`: the agents that can be run.

mod complete;
mod keys;
mod together;

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::error::Fault;
use super::super::schema::{Key, Kind, key};
use super::super::sorts::AGENTS;
use super::super::value::Table;
use crate::models::agent::{AgentSettings, Delivers, Permissions, Protocol};
use crate::models::units;
use crate::template::Agent;

pub(in super::super) use complete::complete;

pub(super) const SECTION: Key =
    key("agents", Kind::Named(&AGENTS, &Kind::Map(keys::KEYS)), "The available agents.");

/// Reads the section, once it is complete. What is right each by itself but not together is a fault.
pub(in super::super) fn read(
    settings: &Table,
    faults: &mut Vec<Fault>,
) -> BTreeMap<String, AgentSettings> {
    let mut agents = BTreeMap::new();
    let told = faults.iter().map(|fault| fault.key.clone()).collect();
    for (name, table) in settings.table("agents").into_iter().flat_map(|agents| &agents.tables) {
        together::check(&format!("agents.{name}"), table, &told, faults);
        agents.insert(name.clone(), agent(name, table));
    }
    agents
}

/// Reads one agent. All that has a default is there by now; what is not was wrong, and has been told.
fn agent(name: &str, table: &Table) -> AgentSettings {
    let time = |key| units::duration(table.text(key)?);
    AgentSettings {
        name: name.to_owned(),
        protocol: protocol(table),
        family: family(table),
        command: table.get("command").unwrap_or_default(),
        model: table.get("model"),
        args: table.get("args").unwrap_or_default(),
        env: table.read("env"),
        env_clear: table.get("env_clear").unwrap_or_default(),
        env_pass: table.get("env_pass").unwrap_or_default(),
        timeout: time("timeout").unwrap_or(Duration::MAX),
        idle_timeout: time("idle_timeout"),
        permissions: table.get("permissions").unwrap_or(Permissions::Read),
        runs_commands: false,
        isolated: table.get("isolated").unwrap_or_default(),
        max_prompt: table.get("max_prompt"),
        retries: table.get("retries").unwrap_or_default(),
        delivers: match table.text("cli") {
            Some(_) => Delivers::Files,
            None => table.get("delivers").unwrap_or(Delivers::Nothing),
        },
    }
}

fn protocol(table: &Table) -> Protocol {
    match table.text("cli") {
        Some("claude") => Protocol::Claude,
        Some("gemini") => Protocol::Gemini,
        Some("codex") => Protocol::Codex,
        Some("copilot") => Protocol::Copilot,
        Some("offline") => Protocol::Offline,
        Some(_) | None => Protocol::Described(table.as_read()),
    }
}

fn family(table: &Table) -> Agent {
    let word = table.text("family").map(str::to_ascii_uppercase);
    word.and_then(|word| Agent::from_word(&word)).unwrap_or(Agent::Base)
}
