//! `[context]`: what goes into prompts beside the change's own files.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::SIZE;

pub(super) const SECTION: Key = key(
    "context",
    Kind::Map(KEYS),
    "What goes into prompts beside the change's own files. What is left out is said in the prompt.",
);

const KEYS: &[Key] = &[
    key(
        "thoughts",
        Kind::Flag,
        "Whether an agent's thoughts go into the next round of the same phase.",
    )
    .default("true")
    .harmless(),
    key("max_diff", SIZE, "The most of a change's diff.").default("\"256 KB\"").harmless(),
    key("max_evidence", SIZE, "The most of what the commands in `[verify]` print.")
        .default("\"64 KB\"")
        .harmless(),
];
