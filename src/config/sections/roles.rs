//! `[roles]`: which agent takes which role of the team.

use std::collections::BTreeMap;

use super::super::error::Fault;
use super::super::schema::{Key, Kind, Shape};
use super::super::value::Table;
use super::phases::agents_of;
use crate::template::Role;

pub(super) const SECTION: Key = Key::new(
    "roles",
    Kind::Table(Shape::Keys(KEYS)),
    "Which agent takes which role in `--flow team`. Where nothing is said and the default is not installed, another one that is takes it.",
)
.harmless();

const KEYS: &[Key] = &[
    Key::new("product-manager", Kind::AgentName, "The agent that finds out what is wanted.")
        .default("\"gemini\""),
    Key::new("architect", Kind::AgentName, "The agent that decides how the change is built.")
        .default("\"gemini\""),
    Key::new("planner", Kind::AgentName, "The agent that cuts the work into plans.")
        .default("\"gemini\""),
    Key::new("designer", Kind::AgentName, "The agent that decides how the change looks.")
        .default("\"claude\""),
    Key::new("coder", Kind::AgentName, "The agent that writes and mends the code.")
        .default("\"claude\""),
    Key::new("reviewer", Kind::AgentName, "The agent that judges the work and sums it up.")
        .default("\"codex\""),
    Key::new("code-researcher", Kind::AgentName, "The agent that looks things up in the code.")
        .default("\"gemini\""),
    Key::new("web-researcher", Kind::AgentName, "The agent that looks things up elsewhere.")
        .default("\"gemini\""),
];

/// Reads the section; an agent that is not there is a fault.
pub(in super::super) fn read(settings: &Table, faults: &mut Vec<Fault>) -> BTreeMap<Role, String> {
    let roles = Role::ALL.iter().map(|role| (*role, role.word()));
    agents_of("roles", roles, settings, faults)
}
