//! `[agents.NAME]`: the agents that can be run.

mod complete;
mod keys;
mod together;

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::error::Fault;
use super::super::schema::{Key, Kind, Names, Shape};
use super::super::value::Table;
use crate::models::agent::{
    AgentSettings, Delivers, Format, Lines, Permissions, Protocol, Shape as Described,
    UsagePointers,
};
use crate::template::Agent;

pub(in super::super) use complete::complete;
pub(in super::super) use keys::DESCRIBING;

pub(super) const SECTION: Key = Key::new(
    "agents",
    Kind::Table(Shape::Named(Names::Agent, &Kind::Table(Shape::Keys(keys::KEYS)))),
    "The agents that can be run.",
);

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
    let texts = |key| table.texts(key).unwrap_or_default().to_vec();
    let variables = table.table("env").into_iter().flat_map(Table::names);
    let variable = |name: &str| Some((name.to_owned(), table.table("env")?.text(name)?.to_owned()));
    AgentSettings {
        name: name.to_owned(),
        protocol: protocol(table),
        family: family(table),
        command: texts("command"),
        model: table.text("model").map(str::to_owned),
        args: texts("args"),
        env: variables.filter_map(variable).collect(),
        env_clear: table.flag("env_clear").unwrap_or_default(),
        env_pass: texts("env_pass"),
        timeout: table.duration("timeout").unwrap_or(Duration::MAX),
        idle_timeout: table.duration("idle_timeout"),
        permissions: permissions(table),
        isolated: table.flag("isolated").unwrap_or_default(),
        max_prompt: table.count("max_prompt"),
        retries: table.count("retries").and_then(|count| count.try_into().ok()).unwrap_or_default(),
        delivers: delivers(table),
    }
}

fn protocol(table: &Table) -> Protocol {
    match table.text("cli") {
        Some("claude") => Protocol::Claude,
        Some("gemini") => Protocol::Gemini,
        Some("codex") => Protocol::Codex,
        Some("copilot") => Protocol::Copilot,
        Some("offline") => Protocol::Offline,
        Some(_) | None => Protocol::Described(described(table)),
    }
}

fn described(table: &Table) -> Described {
    let usage = |key| table.table("usage")?.text(key).map(str::to_owned);
    Described {
        output: match table.text("output") {
            Some("json") => Format::Json,
            Some("jsonl") => Format::JsonLines,
            Some(_) | None => Format::Text,
        },
        text: table.text("text").map(str::to_owned),
        error: table.text("error").map(str::to_owned),
        usage: UsagePointers {
            input: usage("input"),
            cache_read: usage("cache_read"),
            cache_write: usage("cache_write"),
            output: usage("output"),
            reasoning: usage("reasoning"),
            cost_usd: usage("cost_usd"),
        },
        lines: match table.text("lines") {
            Some("joined") => Lines::Joined,
            Some(_) | None => Lines::Last,
        },
    }
}

fn family(table: &Table) -> Agent {
    let word = table.text("family").map(str::to_ascii_uppercase);
    word.and_then(|word| Agent::from_word(&word)).unwrap_or(Agent::Base)
}

fn permissions(table: &Table) -> Permissions {
    match table.text("permissions") {
        Some("shell") => Permissions::Shell,
        Some("write") => Permissions::Write,
        Some(_) | None => Permissions::Read,
    }
}

fn delivers(table: &Table) -> Delivers {
    match (table.text("cli"), table.text("delivers")) {
        (Some(_), _) | (None, Some("files")) => Delivers::Files,
        (None, Some("text")) => Delivers::Text,
        (None, Some(_) | None) => Delivers::Nothing,
    }
}
