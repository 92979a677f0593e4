//! `[worktree]`: how a change's worktree is made.

use super::super::schema::{Key, Kind, Shape};
use super::super::value::Table;
use crate::models::settings::Worktree;

pub(super) const SECTION: Key = Key::new(
    "worktree",
    Kind::Table(Shape::Keys(KEYS)),
    "How the worktree is made in which a change's code is written.",
);

const KEYS: &[Key] = &[Key::new(
    "setup",
    Kind::Commands,
    "Commands that are run in a new worktree, such as `npm ci`: a text by `sh -c`, a list of words as it is.",
)
.default("[]")];

/// Reads the section.
pub(in super::super) fn read(settings: &Table) -> Worktree {
    let setup = settings.table("worktree").and_then(|table| table.commands("setup"));
    Worktree { setup: setup.unwrap_or_default().to_vec() }
}
