//! Lays the sources of a configuration over each other: defaults, the user's file, the project's file, variables,
//! options.

use std::path::Path;
use std::sync::Arc;

use super::check::Checker;
use super::error::Fault;
use super::sections::ROOT;
use super::sorts::parsed;
use super::source::{Layer, Origin, Source};
use super::value::Table;
use crate::template::Span;
use crate::text::node::{Entry, Node, Value};

/// Everything that a configuration is made from.
#[derive(Clone, Debug)]
pub struct Inputs<'a> {
    /// The files, each in its layer.
    pub files: Vec<Source>,
    /// Single values, the weaker ones first.
    pub overrides: Vec<Override>,
    /// The project's root: a command that is a relative path starts here.
    pub root: &'a Path,
    /// The program that runs now, which is the offline agent too.
    pub executable: &'a Path,
}

/// A single value from a variable or an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The keys that lead to it: `phases`, `plan`.
    pub path: Vec<String>,
    /// Where it comes from, with the value as its text.
    pub source: Source,
}

impl Override {
    /// Takes a value from a variable of the environment.
    pub fn variable(name: &str, path: &[&str], value: &str) -> Self {
        Self::new(Layer::Environment, name, path, value)
    }

    /// Takes a value from an option of the command line.
    pub fn flag(name: &str, path: &[&str], value: &str) -> Self {
        Self::new(Layer::Flag, name, path, value)
    }

    fn new(layer: Layer, name: &str, path: &[&str], value: &str) -> Self {
        let source = Source { layer, name: name.to_owned(), text: value.to_owned() };
        Self { path: path.iter().copied().map(str::to_owned).collect(), source }
    }
}

/// What the sources say.
pub(super) struct Merged {
    /// All of them together.
    pub(super) settings: Table,
    /// The project's file alone, whatever lies over it.
    pub(super) project: Table,
    /// What lies under the project's file.
    pub(super) beneath: Table,
}

/// Checks every source and merges them.
pub(super) fn merge(inputs: &Inputs<'_>, faults: &mut Vec<Fault>) -> Merged {
    let mut merged = Table::new(Origin::Default);
    let mut project = Table::new(Origin::Default);
    let mut beneath = Table::new(Origin::Default);
    for source in &inputs.files {
        let source = Arc::new(source.clone());
        let table = Checker::new(&source, faults).file(&ROOT);
        if source.layer == Layer::Project {
            project.merge(table.clone());
        } else {
            beneath.merge(table.clone());
        }
        merged.merge(table);
    }
    for single in &inputs.overrides {
        merged.merge(overriding(&Arc::new(single.source.clone()), &single.path, faults));
    }
    Merged { settings: merged, project, beneath }
}

/// Makes a table that holds a single value, however deep: the text as it is, or else as TOML, so that `600` is a number.
fn overriding(source: &Arc<Source>, keys: &[String], faults: &mut Vec<Fault>) -> Table {
    let span = Span::new(0, source.text.len());
    let read = |value: Value, faults: &mut Vec<Fault>| {
        let below = |node, key: &String| {
            let key = key.clone();
            Node { value: Value::Map(vec![Entry { key, span, node }]), span }
        };
        match keys.iter().rev().fold(Node { value, span }, below).value {
            Value::Map(entries) => Checker::new(source, faults).entries(&entries, &ROOT),
            _ => Table::new(Origin::Default),
        }
    };
    let mut found = Vec::new();
    let literal = read(Value::Text(source.text.clone()), &mut found);
    match parsed(&source.text) {
        Some(node) if !found.is_empty() => read(node.value, faults),
        Some(_) | None => {
            faults.append(&mut found);
            literal
        }
    }
}
