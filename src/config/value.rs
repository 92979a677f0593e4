//! Settings that have been checked, each with its origin, and how one layer of them lies over another.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::source::Origin;
use crate::schema::quoted;

/// A value and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) value: Value,
    pub(super) origin: Origin,
}

/// Settings and tables of settings by their keys. By the schema a key is always the one or always the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    pub(super) origin: Origin,
    pub(super) values: BTreeMap<String, Setting>,
    pub(super) tables: BTreeMap<String, Self>,
}

impl Table {
    pub(super) fn new(origin: Origin) -> Self {
        Self { origin, values: BTreeMap::new(), tables: BTreeMap::new() }
    }

    pub(super) fn set(&mut self, key: impl Into<String>, value: Value, origin: Origin) {
        self.values.insert(key.into(), Setting { value, origin });
    }

    /// Sets what has not been said.
    pub(super) fn set_default(&mut self, key: &str, value: impl Into<Value>) {
        if !self.values.contains_key(key) {
            self.set(key, value.into(), Origin::Default);
        }
    }

    /// Returns the table under a key, made if need be.
    pub(super) fn table_mut(&mut self, key: &str) -> &mut Self {
        self.tables.entry(key.to_owned()).or_insert_with(|| Self::new(Origin::Default))
    }

    pub(super) fn table(&self, key: &str) -> Option<&Self> {
        self.tables.get(key)
    }

    /// Lists the keys of values and of tables.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.values.keys().chain(self.tables.keys()).map(String::as_str)
    }

    /// Lays `over` over this table: tables are merged key by key, values are replaced.
    pub(super) fn merge(&mut self, over: Self) {
        self.origin = over.origin;
        self.values.extend(over.values);
        for (key, above) in over.tables {
            match self.tables.get_mut(&key) {
                Some(below) => below.merge(above),
                None => drop(self.tables.insert(key, above)),
            }
        }
    }

    /// Returns where the value or table under a path comes from.
    pub(super) fn origin(&self, path: &[&str]) -> Origin {
        let found = match path {
            [] => Some(&self.origin),
            [key] => match self.values.get(*key) {
                Some(setting) => Some(&setting.origin),
                None => self.tables.get(*key).map(|table| &table.origin),
            },
            [key, rest @ ..] => {
                return self.tables.get(*key).map_or(Origin::Default, |t| t.origin(rest));
            }
        };
        found.cloned().unwrap_or(Origin::Default)
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key)?.value.as_str()
    }

    /// Returns what a key says, as what it means.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        T::deserialize(&self.values.get(key)?.value).ok()
    }

    /// Returns what the table under a key says, as what it means. All that has a default is there by now; what is not was
    /// wrong, and has been reported.
    pub(super) fn read<T: DeserializeOwned + Default>(&self, key: &str) -> T {
        self.table(key).map(Self::as_read).unwrap_or_default()
    }

    /// Returns what the whole table says, in the same way.
    pub(super) fn as_read<T: DeserializeOwned + Default>(&self) -> T {
        T::deserialize(self.json()).unwrap_or_default()
    }

    fn json(&self) -> Value {
        let values = self.values.iter().map(|(key, setting)| (key.clone(), setting.value.clone()));
        values.chain(self.tables.iter().map(|(key, table)| (key.clone(), table.json()))).collect()
    }
}

/// Shows a value as TOML, on one line, that reads back as the same value.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}
