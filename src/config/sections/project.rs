//! `[project]`: how changes of this project are done.

use super::super::schema::{Key, Kind, Shape};
use super::super::value::Table;

pub(super) const SECTION: Key =
    Key::new("project", Kind::Table(Shape::Keys(KEYS)), "How changes of this project are done.");

const KEYS: &[Key] = &[
    // A flow of the project's own needs trust for its files, whoever names it.
    Key::new(
        "flow",
        Kind::FlowName,
        "The flow that a change follows unless another is named: `sdd`, `team`, `quick`, or one in agentd/flows.",
    )
    .default("\"sdd\"")
    .harmless(),
];

/// Returns the name of the flow. All that has a default is there by now; what is not was wrong, and has been reported.
pub(in super::super) fn flow(settings: &Table) -> String {
    let name = settings.table("project").and_then(|table| table.text("flow"));
    name.unwrap_or_default().to_owned()
}
