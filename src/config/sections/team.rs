//! `[team]`: how a team brings a change on.

use super::super::schema::{Key, Kind, key};
use crate::models::settings::Handover;

/// The most lanes at once.
const MOST_LANES: u64 = 32;

/// The largest number of reviews.
const MOST_ROUNDS: u64 = 100;

pub(super) const SECTION: Key =
    key("team", Kind::Map(KEYS), "How a team works on a change in `--flow team`.");

const KEYS: &[Key] = &[
    key(
        "product_manager",
        Kind::Flag,
        "Whether a product manager clarifies the request before the architect starts.",
    )
    .default("false")
    .harmless(),
    key(
        "single_coder",
        Kind::Flag,
        "Whether one coder carries out all plans with one prompt, instead of one coder per plan.",
    )
    .default("false")
    .harmless(),
    key("max_parallel", Kind::Number { least: 1, most: MOST_LANES }, "How many coders work in parallel.")
        .default("4")
        .free_to_lower(),
    key(
        "review_rounds",
        Kind::Number { least: 1, most: MOST_ROUNDS },
        "How often the work is reviewed and fixed before a person is asked.",
    )
    .default("3")
    .free_to_lower(),
    key(
        "delivery",
        Kind::Word(Handover::WORDS),
        "How a prompt reaches an agent: `file` names the prompt's file, `stdin` sends the prompt itself, `tmux` types that name into the agent's own screen.",
    )
    .default("\"file\"")
    .harmless(),
];
