//! Settings that have been checked, each with its origin, and how one layer of them lies over another.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use super::source::Origin;
use super::units;
use crate::models::command::CommandLine;

/// A checked value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Text(String),
    Texts(Vec<String>),
    Commands(Vec<CommandLine>),
    Flag(bool),
    Count(u64),
    Number(f64),
    Duration(Duration),
    /// A value that is switched off.
    Off,
}

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
    pub(super) fn set_default(&mut self, key: &str, value: Value) {
        if !self.values.contains_key(key) {
            self.set(key, value, Origin::Default);
        }
    }

    /// Gives the table under a key, made if need be.
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

    /// Says where the value or table under a path comes from.
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
        let Some(Value::Text(text)) = self.value(key) else { return None };
        Some(text)
    }

    pub(super) fn texts(&self, key: &str) -> Option<&[String]> {
        let Some(Value::Texts(texts)) = self.value(key) else { return None };
        Some(texts)
    }

    pub(super) fn commands(&self, key: &str) -> Option<&[CommandLine]> {
        let Some(Value::Commands(commands)) = self.value(key) else { return None };
        Some(commands)
    }

    pub(super) fn flag(&self, key: &str) -> Option<bool> {
        let Some(Value::Flag(flag)) = self.value(key) else { return None };
        Some(*flag)
    }

    pub(super) fn count(&self, key: &str) -> Option<u64> {
        let Some(Value::Count(count)) = self.value(key) else { return None };
        Some(*count)
    }

    pub(super) fn number(&self, key: &str) -> Option<f64> {
        let Some(Value::Number(number)) = self.value(key) else { return None };
        Some(*number)
    }

    pub(super) fn duration(&self, key: &str) -> Option<Duration> {
        let Some(Value::Duration(duration)) = self.value(key) else { return None };
        Some(*duration)
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.values.get(key).map(|setting| &setting.value)
    }
}

/// Shows the value as TOML, on one line, that reads back as the same value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Texts(texts) => f.write_str(&list(texts)),
            Self::Commands(commands) => {
                let command = |command: &CommandLine| match command {
                    CommandLine::Shell(line) => quoted(line),
                    CommandLine::Words(words) => list(words),
                };
                let commands: Vec<_> = commands.iter().map(command).collect();
                write!(f, "[{}]", commands.join(", "))
            }
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Duration(duration) => f.write_str(&quoted(&units::shown(*duration))),
            Self::Off => f.write_str("\"off\""),
        }
    }
}

fn list(texts: &[String]) -> String {
    let texts: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// Writes text as TOML does, on one line: as JSON does, but that TOML knows one more control character.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
