//! `[team]`: how a team brings a change on.

use super::super::schema::{Key, Kind, key};
use crate::models::settings::Handover;

/// The most lanes at once.
const MOST_LANES: u64 = 32;

/// The largest number of reviews.
const MOST_ROUNDS: u64 = 100;

pub(super) const SECTION: Key =
    key("team", Kind::Map(KEYS), "How a team brings a change on in `--flow team`.");

const KEYS: &[Key] = &[
    key(
        "product_manager",
        Kind::Flag,
        "Whether a product manager finds out what is wanted before the architect begins.",
    )
    .default("false")
    .harmless(),
    key(
        "single_coder",
        Kind::Flag,
        "Whether one coder carries out every plan with one prompt, instead of one coder for each.",
    )
    .default("false")
    .harmless(),
    key("max_parallel", Kind::Number { least: 1, most: MOST_LANES }, "How many coders work at once.")
        .default("4")
        .free_to_lower(),
    key(
        "review_rounds",
        Kind::Number { least: 1, most: MOST_ROUNDS },
        "How often the work is reviewed and mended before a person is asked.",
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
