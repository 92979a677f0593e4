//! `[prices."MODEL"]`: what models cost, where an agent does not say it.

use std::collections::BTreeMap;

use super::super::check::KeyPath;
use super::super::error::Fault;
use super::super::schema::{Key, Kind, Names, Shape};
use super::super::value::Table;
use super::tell;
use crate::models::usage::Price;

pub(super) const SECTION: Key = Key::new(
    "prices",
    Kind::Table(Shape::Named(Names::Model, &Kind::Table(Shape::Keys(KEYS)))),
    "What models cost in US dollars for a million tokens, where an agent does not say it.",
);

const KEYS: &[Key] = &[
    Key::new("input", Kind::Number, "Tokens read anew.").example("1.25"),
    Key::new("output", Kind::Number, "Tokens written.").example("10.0"),
    Key::new(
        "cache_read",
        Kind::Number,
        "Tokens read from a cache; as much as input unless given.",
    )
    .example("0.125"),
    Key::new(
        "cache_write",
        Kind::Number,
        "Tokens written to a cache; as much as input unless given.",
    )
    .example("1.25"),
];

/// Reads the section; a price needs both input and output.
pub(in super::super) fn read(settings: &Table, faults: &mut Vec<Fault>) -> BTreeMap<String, Price> {
    let mut prices = BTreeMap::new();
    for (model, table) in settings.table("prices").into_iter().flat_map(|prices| &prices.tables) {
        let key = KeyPath::default().join("prices").join(model).to_string();
        match (table.number("input"), table.number("output")) {
            (Some(input), Some(output)) => {
                let cache_read = table.number("cache_read");
                let cache_write = table.number("cache_write");
                prices.insert(model.clone(), Price { input, output, cache_read, cache_write });
            }
            (input, _) if !faults.iter().any(|fault| fault.concerns(&key)) => {
                let missing = if input.is_none() { "input" } else { "output" };
                let message = format!("`{key}` has no `{missing}`");
                let help = "a price has `input` and `output`, in US dollars for a million tokens";
                tell(faults, &table.origin, key, message, help.to_owned());
            }
            (_, _) => {}
        }
    }
    prices
}
