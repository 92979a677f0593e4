//! Holds TOML to the schema: what is right becomes settings, what is wrong becomes faults. Every value is looked
//! at, whatever was wrong before it.

use std::sync::Arc;

use super::error::Fault;
use super::schema::{Kind, Setting};
use super::sorts::MAP;
use super::source::{Origin, Place, Source};
use super::value::Table;
use crate::schema::{Accepted, AcceptedEntry, Check, Path, Problem, Wrong, listed};
use crate::template::nearest::meant;
use crate::template::{LineIndex, Span};
use crate::text::node::{Entry, SyntaxError};
use crate::text::toml;

/// Checks one source.
pub(super) struct Checker<'a> {
    source: &'a Arc<Source>,
    lines: LineIndex<'a>,
    faults: &'a mut Vec<Fault>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(source: &'a Arc<Source>, faults: &'a mut Vec<Fault>) -> Self {
        Self { source, lines: LineIndex::new(&source.text), faults }
    }

    /// Checks a file.
    pub(super) fn file(&mut self, kind: &Kind) -> Table {
        match toml::parse(&self.source.text) {
            Ok(entries) => self.entries(&entries, kind),
            // What follows a slip of syntax is often read wrongly: only the slips are reported.
            Err(slips) => {
                for SyntaxError { message, help, span } in slips {
                    let (place, help) = (self.place(span), help.map(str::to_owned));
                    self.faults.push(Fault { place, key: String::new(), message, help });
                }
                Table::new(self.origin(Span::default()))
            }
        }
    }

    /// Checks entries of the outermost table.
    pub(super) fn entries(&mut self, entries: &[Entry], kind: &Kind) -> Table {
        let mut found = Vec::new();
        let mut report = |path: &Path, span, problem: Problem<'_, Setting>| {
            let (message, help) = told(path, &problem);
            found.push((path.to_string(), span, message, help));
        };
        let whole = Span::default();
        let accepted = Check::new(&mut report).map(&Path::default(), entries, whole, kind);
        for (key, span, message, help) in found {
            let place = self.place(span);
            self.faults.push(Fault { place, key, message, help: Some(help) });
        }
        self.table(accepted, whole)
    }

    fn table(&self, accepted: Vec<AcceptedEntry>, at: Span) -> Table {
        let mut table = Table::new(self.origin(at));
        for AcceptedEntry { key, key_span, span, value } in accepted {
            match value {
                Accepted::Value(value) => table.set(key, value, self.origin(span)),
                Accepted::Map(below) => {
                    table.tables.insert(key, self.table(below, key_span));
                }
            }
        }
        table
    }

    fn origin(&self, span: Span) -> Origin {
        Origin::Given(self.place(span))
    }

    fn place(&self, span: Span) -> Place {
        let line = self.lines.line(span.start);
        Place { source: Arc::clone(self.source), span, line }
    }
}

/// Returns what is wrong, and what to do about it.
fn told(path: &Path, problem: &Problem<'_, Setting>) -> (String, String) {
    let name = path.last().escape_debug();
    match problem {
        Problem::Missing(field) => {
            (format!("`{path}` is missing"), format!("write {}", example(&field.kind)))
        }
        Problem::Unknown(Kind::Named(names, _)) => {
            (format!("`{name}` is not a name for {}", names.noun), names.help.to_owned())
        }
        Problem::Unknown(kind) => {
            let message = match path.parent() {
                Some(parent) => format!("unknown key `{name}` in `{parent}`"),
                None => format!("unknown section `{name}`"),
            };
            let names = kind.fields().iter().map(|field| field.name);
            let near = meant(path.last(), names.clone());
            (message, near.unwrap_or_else(|| format!("the keys here are {}", listed(names))))
        }
        Problem::Wrong(found, kind, wrong) => {
            let must_be = format!("but must be {}", noun(kind));
            let message = match wrong {
                Wrong::Type => format!("is {}, {must_be}", found.value.kind(MAP)),
                Wrong::Item(item) => format!("holds {item}, {must_be}"),
                Wrong::Value(shown) => format!("is `{}`, {must_be}", shown.escape_debug()),
                Wrong::TooFew(items) | Wrong::TooMany(items) => {
                    format!("has {items} items, {must_be}")
                }
                Wrong::Said(reasons) => reasons.join(", "),
            };
            let near = match (wrong, kind) {
                (Wrong::Value(shown), Kind::Word(words)) => meant(shown, words.iter().copied()),
                _ => None,
            };
            let help = match wrong {
                Wrong::Said(_) => "remove it: no program accepts one".to_owned(),
                _ => near.unwrap_or_else(|| format!("write {}", example(kind))),
            };
            (format!("`{path}` {message}"), help)
        }
    }
}

/// Returns what a value must be, after "must be".
pub(super) fn noun(kind: &Kind) -> String {
    match kind {
        Kind::Map(_) | Kind::Named(..) => MAP.to_owned(),
        kind => kind.words(),
    }
}

/// Shows how a value is written, as TOML.
fn example(kind: &Kind) -> String {
    match kind {
        Kind::Of(sort) => sort.example.to_owned(),
        Kind::Word(words) => format!("{:?}", words.first().copied().unwrap_or_default()),
        Kind::Flag => "true".to_owned(),
        Kind::Number { .. } => "2".to_owned(),
        Kind::List { .. } => "[…]".to_owned(),
        Kind::Map(_) | Kind::Named(..) => "{ key = … }".to_owned(),
    }
}
