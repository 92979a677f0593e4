//! `[team]`: how a team brings a change on.

use super::super::schema::{Key, Kind, Shape};
use super::super::value::Table;
use crate::models::settings::{Handover, Team};

/// The most lanes at once.
const MOST_LANES: u64 = 32;

/// The largest number of reviews.
const MOST_ROUNDS: u64 = 100;

pub(super) const SECTION: Key = Key::new(
    "team",
    Kind::Table(Shape::Keys(KEYS)),
    "How a team brings a change on in `--flow team`.",
);

const KEYS: &[Key] = &[
    Key::new(
        "product_manager",
        Kind::Flag,
        "Whether a product manager finds out what is wanted before the architect begins.",
    )
    .default("false")
    .harmless(),
    Key::new(
        "single_coder",
        Kind::Flag,
        "Whether one coder carries out every plan with one prompt, instead of one coder for each.",
    )
    .default("false")
    .harmless(),
    Key::new("max_parallel", Kind::Count(1, MOST_LANES), "How many coders work at once.")
        .default("4")
        .free_to_lower(),
    Key::new(
        "review_rounds",
        Kind::Count(1, MOST_ROUNDS),
        "How often the work is reviewed and mended before a person is asked.",
    )
    .default("3")
    .free_to_lower(),
    Key::new(
        "delivery",
        Kind::Word(&["file", "stdin", "tmux"]),
        "How a prompt reaches an agent: `file` names the prompt's file, `stdin` sends the prompt itself, `tmux` types that name into the agent's own screen.",
    )
    .default("\"file\"")
    .harmless(),
];

/// Reads the section. All that has a default is there by now; what is not was wrong, and has been told.
pub(in super::super) fn read(settings: &Table) -> Team {
    let table = settings.table("team");
    let flag = |key| table.and_then(|table| table.flag(key)).unwrap_or_default();
    let count = |key| table.and_then(|table| table.count(key)?.try_into().ok()).unwrap_or(1);
    let delivery = match table.and_then(|table| table.text("delivery")) {
        Some("stdin") => Handover::Stdin,
        Some("tmux") => Handover::Tmux,
        Some(_) | None => Handover::File,
    };
    Team {
        product_manager: flag("product_manager"),
        single_coder: flag("single_coder"),
        max_parallel: count("max_parallel"),
        review_rounds: count("review_rounds"),
        delivery,
    }
}
