//! `[phases]`: which agent does which phase.

use std::collections::BTreeMap;

use super::super::error::{Fault, unknown_agent};
use super::super::schema::{Key, Kind, key};
use super::super::sorts::AGENT_NAME;
use super::super::source::Origin;
use super::super::value::Table;
use super::tell;
use crate::template::Phase;

pub(super) const SECTION: Key = key(
    "phases",
    Kind::Map(KEYS),
    "Which agent does which phase. If nothing is set and the default is not installed, another installed agent is used.",
);

const KEYS: &[Key] = &[
    worker("plan", "The agent that plans.").default("\"claude\""),
    judge("challenge", "The agent that looks for faults in a plan.").default("\"codex\""),
    worker("implement", "The agent that does the tasks.").default("\"claude\""),
    judge("review", "The agent that judges the code.").default("\"codex\""),
    worker("archive", "The agent that writes the changelog and the lasting specs.")
        .default("\"claude\""),
];

/// Describes who does something that others judge.
pub(super) const fn worker(name: &'static str, about: &'static str) -> Key {
    key(name, AGENT_NAME, about).harmless()
}

/// Describes who judges. The offline agent passes by rote, so that a project that names it needs trust.
pub(super) const fn judge(name: &'static str, about: &'static str) -> Key {
    key(name, AGENT_NAME, about).harmless_but_for("offline")
}

/// Reads the section; an agent that is not there is a fault.
pub(in super::super) fn read(settings: &Table, faults: &mut Vec<Fault>) -> BTreeMap<Phase, String> {
    let phases = Phase::ALL.iter().map(|phase| (*phase, phase.word()));
    agents_of("phases", phases, settings, faults)
}

/// Reads a section that names the agent of each task.
pub(super) fn agents_of<T: Ord>(
    section: &str,
    tasks: impl Iterator<Item = (T, &'static str)>,
    settings: &Table,
    faults: &mut Vec<Fault>,
) -> BTreeMap<T, String> {
    let mut agents = BTreeMap::new();
    for (task, word) in tasks {
        let path = [section, word];
        let Some(name) = settings.table(section).and_then(|table| table.text(word)) else {
            continue;
        };
        let known = || settings.table("agents").into_iter().flat_map(Table::names);
        let key = path.join(".");
        let origin = settings.origin(&path);
        // One option or variable may name the agent of everything: it is one fault.
        let is_told = |fault: &Fault| {
            fault.concerns(&key) || matches!(&origin, Origin::Given(place) if *place == fault.place)
        };
        if !known().any(|agent| agent == name) && !faults.iter().any(is_told) {
            let message = format!("`{key}` is `{name}`, but there is no such agent");
            let help = unknown_agent(name, known());
            tell(faults, &origin, key, message, help);
        }
        agents.insert(task, name.to_owned());
    }
    agents
}
