//! `[context]`: what goes into prompts beside the change's own files.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::SIZE;

pub(super) const SECTION: Key = key(
    "context",
    Kind::Map(KEYS),
    "What goes into prompts beside the change's own files. The prompt names what is left out.",
);

const KEYS: &[Key] = &[
    key(
        "thoughts",
        Kind::Flag,
        "Whether an agent's thoughts are included in the next round of the same phase.",
    )
    .default("true")
    .harmless(),
    key("max_diff", SIZE, "The size limit of a change's diff.").default("\"256 KB\"").harmless(),
    key("max_evidence", SIZE, "The size limit of the output of the commands in `[verify]`.")
        .default("\"64 KB\"")
        .harmless(),
];
