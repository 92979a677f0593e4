//! The keys of a configuration, listed for its documentation.

use super::schema::{Key, Kind, Names, Shape};
use super::sections::ROOT;

/// A key as its documentation shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentedKey {
    /// All keys that lead to it: `agents.NAME.timeout`.
    pub path: String,
    /// What its value must be.
    pub value: String,
    /// What holds when it is not given, as TOML; none if that depends on other keys.
    pub default: Option<&'static str>,
    /// What it is for.
    pub about: &'static str,
}

/// Lists every key, in the order of the schema.
pub fn keys() -> Vec<DocumentedKey> {
    let mut listed = Vec::new();
    below("", &ROOT, &mut listed);
    listed
}

fn below(path: &str, shape: &Shape, listed: &mut Vec<DocumentedKey>) {
    match shape {
        Shape::Keys(keys) => keys.iter().for_each(|key| list(&joined(path, key.name), key, listed)),
        Shape::Named(names, Kind::Table(shape)) => {
            below(&joined(path, placeholder(*names)), shape, listed);
        }
        Shape::Named(..) => {}
    }
}

fn list(path: &str, key: &Key, listed: &mut Vec<DocumentedKey>) {
    let value = match &key.kind {
        Kind::Table(Shape::Named(names, of)) if !matches!(of, Kind::Table(_)) => {
            format!("{} under the name of {}", of.noun(), names.noun())
        }
        Kind::Table(shape) => return below(path, shape, listed),
        kind @ (Kind::Duration | Kind::DurationOrOff | Kind::Size | Kind::Pointer) => {
            format!("{}: {}", kind.noun(), kind.example())
        }
        kind => kind.noun(),
    };
    listed.push(DocumentedKey {
        path: path.to_owned(),
        value,
        default: key.default,
        about: key.about,
    });
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

const fn placeholder(names: Names) -> &'static str {
    match names {
        Names::Agent => "NAME",
        Names::Variable => "VARIABLE",
        Names::Model => "\"MODEL\"",
    }
}
