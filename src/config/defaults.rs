//! Sets what has not been said to what the schema says.

use toml::de::DeValue;

use super::read::read;
use super::schema::{Key, Kind, Shape};
use super::value::{Table, Value};

/// Fills a table, and every table below it.
pub(super) fn fill(table: &mut Table, shape: &Shape) {
    match shape {
        Shape::Keys(keys) => keys.iter().for_each(|key| fill_key(table, key)),
        Shape::Named(_, Kind::Table(shape)) => {
            table.tables.values_mut().for_each(|below| fill(below, shape));
        }
        Shape::Named(..) => {}
    }
}

fn fill_key(table: &mut Table, key: &Key) {
    if let Kind::Table(shape) = &key.kind {
        if table.tables.contains_key(key.name) || has_defaults(shape) {
            fill(table.table_mut(key.name), shape);
        }
    } else if let Some(value) = default(key) {
        table.set_default(key.name, value);
    }
}

fn has_defaults(shape: &Shape) -> bool {
    match shape {
        Shape::Keys(keys) => keys.iter().any(|key| key.default.is_some()),
        Shape::Named(..) => false,
    }
}

/// Gives the default of a key. That each default is of its key's kind is tested.
pub(super) fn default(key: &Key) -> Option<Value> {
    let value = DeValue::parse(key.default?).ok()?;
    read(&key.kind, value.get_ref()).ok()
}

#[cfg(test)]
mod tests {
    use super::super::sections::ROOT;
    use super::*;

    #[test]
    fn every_default_is_of_its_keys_kind() {
        fn check(shape: &Shape) -> usize {
            match shape {
                Shape::Keys(keys) => keys.iter().map(check_key).sum(),
                Shape::Named(_, Kind::Table(shape)) => check(shape),
                Shape::Named(..) => 0,
            }
        }
        fn check_key(key: &Key) -> usize {
            match &key.kind {
                Kind::Table(shape) => check(shape),
                _ if key.default.is_some() => {
                    assert!(default(key).is_some(), "{}", key.name);
                    1
                }
                _ => 0,
            }
        }
        assert!(check(&ROOT) >= 10);
    }
}
