//! `[worktree]`: how a change's worktree is made.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::COMMANDS;

pub(super) const SECTION: Key = key(
    "worktree",
    Kind::Map(KEYS),
    "How the worktree is made in which a change's code is written.",
);

const KEYS: &[Key] = &[key(
    "setup",
    COMMANDS,
    "Commands that are run in a new worktree, such as `npm ci`: a text by `sh -c`, a list of words as it is.",
)
.default("[]")];
