//! `[roles]`: which agent takes which role of the team.

use std::collections::BTreeMap;

use super::super::error::Fault;
use super::super::schema::{Key, Kind, key};
use super::super::value::Table;
use super::phases::{agents_of, judge, worker};
use crate::template::Role;

pub(super) const SECTION: Key = key(
    "roles",
    Kind::Map(KEYS),
    "Which agent takes which role in `--flow team`. If nothing is set and the default is not installed, another installed agent is used.",
);

const KEYS: &[Key] = &[
    worker("product-manager", "The agent that clarifies the request.").default("\"claude\""),
    worker("architect", "The agent that decides how the change is built.").default("\"claude\""),
    worker("planner", "The agent that splits the work into plans.").default("\"claude\""),
    worker("designer", "The agent that decides how the change looks.").default("\"claude\""),
    worker("coder", "The agent that writes and fixes the code.").default("\"claude\""),
    judge("reviewer", "The agent that reviews and summarises the work.").default("\"codex\""),
    worker("code-researcher", "The agent that answers questions about the code.")
        .default("\"claude\""),
    worker("web-researcher", "The agent that answers questions about anything else.")
        .default("\"claude\""),
];

/// Reads the section; an agent that is not there is a fault.
pub(in super::super) fn read(settings: &Table, faults: &mut Vec<Fault>) -> BTreeMap<Role, String> {
    let roles = Role::ALL.iter().map(|role| (*role, role.word()));
    agents_of("roles", roles, settings, faults)
}
