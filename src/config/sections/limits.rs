//! `[limits]`: what a change may cost before a person is asked.

use super::super::schema::{Key, Kind, Shape};
use super::super::value::Table;
use crate::models::settings::Limits;

/// The largest number of rounds.
const MOST_ROUNDS: u64 = 100;

/// The largest number of tokens: more than any change has ever taken, and no more than every reader of numbers takes.
const MOST_TOKENS: u64 = 1_000_000_000_000;

pub(super) const SECTION: Key = Key::new(
    "limits",
    Kind::Table(Shape::Keys(KEYS)),
    "What a change may cost before a person is asked.",
);

const KEYS: &[Key] = &[
    Key::new(
        "plan_rounds",
        Kind::Count(1, MOST_ROUNDS),
        "How often a plan is made and challenged before a person is asked.",
    )
    .default("3")
    .free_to_lower(),
    Key::new(
        "implement_rounds",
        Kind::Count(1, MOST_ROUNDS),
        "How often it is implemented and reviewed before a person is asked.",
    )
    .default("3")
    .free_to_lower(),
    Key::new(
        "max_cost_usd",
        Kind::Number,
        "The most that a change may cost, in US dollars; no limit unless given.",
    )
    .example("5.0")
    .free_to_lower(),
    Key::new(
        "max_tokens",
        Kind::Count(1, MOST_TOKENS),
        "The most tokens that a change may take; no limit unless given.",
    )
    .example("2000000")
    .free_to_lower(),
];

/// Reads the section. All that has a default is there by now; what is not was wrong, and has been told.
pub(in super::super) fn read(settings: &Table) -> Limits {
    let table = settings.table("limits");
    let count = |key| table.and_then(|table| table.count(key));
    let rounds = |key| count(key).and_then(|rounds| rounds.try_into().ok()).unwrap_or(1);
    Limits {
        plan_rounds: rounds("plan_rounds"),
        implement_rounds: rounds("implement_rounds"),
        max_cost_usd: table.and_then(|table| table.number("max_cost_usd")),
        max_tokens: count("max_tokens"),
    }
}
