//! `[prices."MODEL"]`: what models cost, where an agent does not say it.

use std::collections::BTreeMap;

use super::super::error::Fault;
use super::super::schema::{Key, Kind, key};
use super::super::sorts::{MODELS, NUMBER};
use super::super::value::Table;
use super::tell;
use crate::models::usage::Price;
use crate::schema::Path;

pub(super) const SECTION: Key = key(
    "prices",
    Kind::Named(&MODELS, &Kind::Map(KEYS)),
    "What models cost in US dollars per million tokens, if an agent does not report it.",
);

const KEYS: &[Key] = &[
    key("input", NUMBER, "Uncached input tokens.").example("1.25"),
    key("output", NUMBER, "Output tokens.").example("10.0"),
    key("cache_read", NUMBER, "Tokens read from a cache; the price of input by default.")
        .example("0.125"),
    key("cache_write", NUMBER, "Tokens written to a cache; the price of input by default.")
        .example("1.25"),
];

/// Reads the section; a price needs both input and output.
pub(in super::super) fn read(settings: &Table, faults: &mut Vec<Fault>) -> BTreeMap<String, Price> {
    let mut prices = BTreeMap::new();
    for (model, table) in settings.table("prices").into_iter().flat_map(|prices| &prices.tables) {
        let key = Path::default().join("prices").join(model).to_string();
        let missing = ["input", "output"].into_iter().find(|key| !table.values.contains_key(*key));
        if let Some(missing) = missing.filter(|_| !faults.iter().any(|it| it.concerns(&key))) {
            let message = format!("`{key}` has no `{missing}`");
            let help = "a price has `input` and `output`, in US dollars per million tokens";
            tell(faults, &table.origin, key, message, help.to_owned());
        }
        prices.insert(model.clone(), table.as_read());
    }
    prices
}
