//! `[project]`: how changes of this project are done.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::FLOW_NAME;
use crate::models::settings::SameVendor;

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
    key(
        "same_vendor",
        Kind::Word(SameVendor::WORDS),
        "What happens where one vendor's agents would make and judge the same work, though the flow asks for two: `warn` says so, `refuse` does not begin.",
    )
    .default("\"warn\"")
    .harmless_but_for("warn"),
];
