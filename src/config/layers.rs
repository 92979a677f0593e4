//! Lays the sources of a configuration over each other: defaults, the user's file, the project's file, variables,
//! options.

use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::DeValue;

use super::check::{Checker, KeyPath};
use super::error::Fault;
use super::schema::{Kind, Shape};
use super::sections::ROOT;
use super::source::{Layer, Origin, Source};
use super::value::Table;

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
        let source = Arc::new(single.source.clone());
        let checker = Checker::new(&source, faults);
        merged.merge(overriding(checker, &single.path, &KeyPath::default(), &ROOT));
    }
    Merged { settings: merged, project, beneath }
}

/// Makes a table that holds a single value, however deep.
fn overriding(
    mut checker: Checker<'_>,
    keys: &[String],
    above: &KeyPath,
    shape: &'static Shape,
) -> Table {
    let text = &Arc::clone(checker.source).text;
    let whole = 0..text.len();
    let mut table = Table::new(Origin::Default);
    let Some((key, rest)) = keys.split_first() else { return table };
    let path = above.join(key);
    match shape.kind(key) {
        Some(Kind::Table(shape)) => {
            table.tables.insert(key.clone(), overriding(checker, rest, &path, shape));
        }
        Some(kind) if rest.is_empty() => {
            let value = Spanned::new(whole.clone(), plain(text, kind));
            checker.entry(&path, whole, &value, kind, &mut table);
        }
        Some(_) | None => checker.unknown(&path, whole, shape),
    }
    table
}

/// Takes a text as it is where text is asked for; else as TOML, so that `600` is a number.
fn plain<'t>(text: &'t str, kind: &Kind) -> DeValue<'t> {
    let literal = DeValue::String(text.into());
    match kind {
        Kind::Text
        | Kind::FreeText
        | Kind::Word(_)
        | Kind::AgentName
        | Kind::FlowName
        | Kind::Pointer => literal,
        Kind::Flag
        | Kind::Count(..)
        | Kind::Number
        | Kind::Texts
        | Kind::Command
        | Kind::Commands
        | Kind::Duration
        | Kind::DurationOrOff
        | Kind::Size
        | Kind::Table(_) => DeValue::parse(text).map_or(literal, Spanned::into_inner),
    }
}
