//! `[workspace]`: how a change's workspace is made.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::COMMANDS;

pub(super) const SECTION: Key = key(
    "workspace",
    Kind::Map(KEYS),
    "How the workspace is prepared in which a change's code is written.",
);

const KEYS: &[Key] = &[key(
    "setup",
    COMMANDS,
    "Commands that are run in a new workspace, such as `npm ci`: a string by `sh -c`, a list of words directly.",
)
.default("[]")];
