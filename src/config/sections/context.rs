//! `[context]`: what goes into prompts beside the change's own files.

use super::super::schema::{Key, Kind, Shape};
use super::super::value::Table;
use crate::models::settings::Context;

pub(super) const SECTION: Key = Key::new(
    "context",
    Kind::Table(Shape::Keys(KEYS)),
    "What goes into prompts beside the change's own files. What is left out is said in the prompt.",
);

const KEYS: &[Key] = &[
    Key::new(
        "thoughts",
        Kind::Flag,
        "Whether an agent's thoughts go into the next round of the same phase.",
    )
    .default("true")
    .harmless(),
    Key::new("max_diff", Kind::Size, "The most of a change's diff.")
        .default("\"256 KB\"")
        .harmless(),
    Key::new("max_evidence", Kind::Size, "The most of what the commands in `[verify]` print.")
        .default("\"64 KB\"")
        .harmless(),
];

/// Reads the section. All that has a default is there by now; what is not was wrong, and has been told.
pub(in super::super) fn read(settings: &Table) -> Context {
    let table = settings.table("context");
    let size = |key| table.and_then(|table| table.count(key)).unwrap_or_default();
    Context {
        thoughts: table.and_then(|table| table.flag("thoughts")).unwrap_or_default(),
        max_diff: size("max_diff"),
        max_evidence: size("max_evidence"),
    }
}
