//! `[verify]`: the commands that show whether a change is done.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::{COMMANDS, DURATION};
use crate::models::settings::RedBaseline;

pub(super) const SECTION: Key = key(
    "verify",
    Kind::Map(KEYS),
    "The commands that show whether a change is done. agentd runs them on the committed code, before the first \
     call, after each round of code and again before archive; a change with a failing command is not archived, whatever a reviewer says.",
);

const KEYS: &[Key] = &[
    key(
        "commands",
        COMMANDS,
        "The commands: a string is run by `sh -c`, a list of words directly.",
    )
    .default("[]"),
    key("security", COMMANDS, "Commands that look for security weaknesses, run like the others.")
        .default("[]"),
    key("timeout", DURATION, "How long each command may take.")
        .default("\"30m\"")
        .harmless(),
    key(
        "baseline",
        Kind::Word(RedBaseline::WORDS),
        "What to do if a command fails before the change: `stop` asks you, `fix` requires the change to make it pass, `tolerate` allows it to fail and asks you before the archive.",
    )
    .default("\"stop\"")
    .harmless_but_for("tolerate"),
];
