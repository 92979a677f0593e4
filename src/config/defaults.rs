//! Sets what has not been said to what the schema says.

use serde_json::Value;

use super::schema::{Key, Kind};
use super::sorts::parsed;
use super::value::Table;
use crate::schema::{Accepted, Check, Path};

/// Fills a table, and every table below it.
pub(super) fn fill(table: &mut Table, kind: &Kind) {
    for key in kind.fields() {
        if has_defaults(&key.kind) || table.tables.contains_key(key.name) {
            fill(table.table_mut(key.name), &key.kind);
        } else if let Some(value) = default(key) {
            table.set_default(key.name, value);
        }
    }
    if let Kind::Named(_, of @ Kind::Map(_)) = kind {
        table.tables.values_mut().for_each(|below| fill(below, of));
    }
}

fn has_defaults(kind: &Kind) -> bool {
    kind.fields().iter().any(|key| key.more.default.is_some())
}

/// Returns the default of a key. That each default is of its key's kind is tested.
pub(super) fn default(key: &Key) -> Option<Value> {
    let node = parsed(key.more.default?)?;
    match Check::new(&mut |_, _, _| {}).value(&Path::default(), &node, &key.kind)? {
        Accepted::Value(value) => Some(value),
        Accepted::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sections::ROOT;
    use super::*;

    #[test]
    fn every_default_is_of_its_keys_kind() {
        fn check(kind: &Kind) -> usize {
            match kind {
                Kind::Map(keys) => keys.iter().map(check_key).sum(),
                Kind::Named(_, of) => check(of),
                _ => 0,
            }
        }
        fn check_key(key: &Key) -> usize {
            if key.more.default.is_none() {
                return check(&key.kind);
            }
            assert!(default(key).is_some(), "{}", key.name);
            1
        }
        assert!(check(&ROOT) >= 10);
    }
}
