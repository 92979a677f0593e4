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
    "Which agent takes which role in `--flow team`. Where nothing is said and the default is not installed, another one that is takes it.",
);

const KEYS: &[Key] = &[
    worker("product-manager", "The agent that finds out what is wanted.").default("\"claude\""),
    worker("architect", "The agent that decides how the change is built.").default("\"claude\""),
    worker("planner", "The agent that cuts the work into plans.").default("\"claude\""),
    worker("designer", "The agent that decides how the change looks.").default("\"claude\""),
    worker("coder", "The agent that writes and fixes the code.").default("\"claude\""),
    judge("reviewer", "The agent that judges the work and sums it up.").default("\"codex\""),
    worker("code-researcher", "The agent that looks things up in the code.").default("\"claude\""),
    worker("web-researcher", "The agent that looks things up elsewhere.").default("\"claude\""),
];

/// Reads the section; an agent that is not there is a fault.
pub(in super::super) fn read(settings: &Table, faults: &mut Vec<Fault>) -> BTreeMap<Role, String> {
    let roles = Role::ALL.iter().map(|role| (*role, role.word()));
    agents_of("roles", roles, settings, faults)
}
