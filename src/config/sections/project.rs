//! `[project]`: how changes of this project are done.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::FLOW_NAME;

pub(super) const SECTION: Key =
    key("project", Kind::Map(KEYS), "How changes of this project are made.");

const KEYS: &[Key] = &[
    // A flow of the project's own needs trust for its files, whoever names it.
    key(
        "flow",
        FLOW_NAME,
        "The flow of a change unless another is named: `sdd`, `team`, `quick`, or one in agentd/flows.",
    )
    .default("\"sdd\"")
    .harmless(),
];
