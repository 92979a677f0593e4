//! The keys of a configuration, listed for its documentation.

use super::check::noun;
use super::schema::{Key, Kind};
use super::sections::ROOT;
use super::sorts::{DURATION, DURATION_OR_OFF, POINTER, SIZE};

/// What is written in a way of its own, which is shown.
const NOTATIONS: [Kind; 4] = [DURATION, DURATION_OR_OFF, SIZE, POINTER];

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

fn below(path: &str, kind: &Kind, listed: &mut Vec<DocumentedKey>) {
    match kind {
        Kind::Named(names, of) => below(&joined(path, names.placeholder), of, listed),
        kind => kind.fields().iter().for_each(|key| list(&joined(path, key.name), key, listed)),
    }
}

fn list(path: &str, key: &Key, listed: &mut Vec<DocumentedKey>) {
    let value = match &key.kind {
        Kind::Map(_) | Kind::Named(_, Kind::Map(_)) => return below(path, &key.kind, listed),
        Kind::Named(..) => key.kind.words(),
        kind @ Kind::Of(sort) if NOTATIONS.iter().any(|known| known.words() == kind.words()) => {
            format!("{}: {}", sort.noun, sort.example)
        }
        kind => noun(kind),
    };
    let (path, default) = (path.to_owned(), key.more.default);
    listed.push(DocumentedKey { path, value, default, about: key.about });
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
