//! `[verify]`: the commands that show whether a change is done.

use std::time::Duration;

use super::super::schema::{Key, Kind, Shape};
use super::super::value::Table;
use crate::models::settings::Verify;

pub(super) const SECTION: Key = Key::new(
    "verify",
    Kind::Table(Shape::Keys(KEYS)),
    "The commands that show whether a change is done. agentd runs them in the change's worktree after each round of \
     implement and again before archive; one that fails keeps the change out of the archive, whatever a reviewer says.",
);

const KEYS: &[Key] = &[
    Key::new(
        "commands",
        Kind::Commands,
        "The commands: a text is run by `sh -c`, a list of words as it is.",
    )
    .default("[]"),
    Key::new("security", Kind::Commands, "Commands that look for weaknesses, run like the others.")
        .default("[]"),
    Key::new("timeout", Kind::Duration, "How long each command may take.")
        .default("\"30m\"")
        .harmless(),
];

/// Reads the section. All that has a default is there by now; what is not was wrong, and has been told.
pub(in super::super) fn read(settings: &Table) -> Verify {
    let table = settings.table("verify");
    let commands = |key| table.and_then(|table| table.commands(key)).unwrap_or_default().to_vec();
    Verify {
        commands: commands("commands"),
        security: commands("security"),
        timeout: table.and_then(|table| table.duration("timeout")).unwrap_or(Duration::MAX),
    }
}
