//! `[limits]`: what a change may cost before a person is asked.

use super::super::schema::{Key, Kind, key};
use super::super::sorts::{NUMBER, SIZE};

/// The largest number of rounds.
const MOST_ROUNDS: u64 = 100;

/// The largest number of tokens: more than any change has ever taken, and no more than every reader of numbers takes.
const MOST_TOKENS: u64 = 1_000_000_000_000;

pub(super) const SECTION: Key =
    key("limits", Kind::Map(KEYS), "What a change may use before a person is asked.");

const KEYS: &[Key] = &[
    key(
        "plan_rounds",
        Kind::Number { least: 1, most: MOST_ROUNDS },
        "How often a plan is made and challenged before a person is asked.",
    )
    .default("3")
    .free_to_lower(),
    key(
        "implement_rounds",
        Kind::Number { least: 1, most: MOST_ROUNDS },
        "How often a change is implemented and reviewed before a person is asked.",
    )
    .default("3")
    .free_to_lower(),
    key(
        "max_cost_usd",
        NUMBER,
        "The maximum cost of a change, in US dollars; no limit by default.",
    )
    .example("5.0")
    .free_to_lower(),
    key(
        "max_tokens",
        Kind::Number { least: 1, most: MOST_TOKENS },
        "The maximum number of tokens of a change; no limit by default.",
    )
    .example("2000000")
    .free_to_lower(),
    key("max_file", SIZE, "The largest file that is taken from an agent's workspace.")
        .default("\"100 MB\"")
        .free_to_lower(),
];
