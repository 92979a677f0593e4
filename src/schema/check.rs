//! Holds values to their kinds. Every value is looked at, whatever was wrong before it, and nothing here says in words what
//! is wrong: whoever asks knows how its readers speak.

use serde_json::Value;

use super::kind::{Field, Kind, LONGEST_LIST, Need};
use super::path::Path;
use crate::template::Span;
use crate::text::node::{self, Entry, Node};

/// What is wrong.
#[derive(Debug)]
pub(crate) enum Problem<'p, M: 'static> {
    /// There is no such key in a map of this kind.
    Unknown(&'p Kind<M>),
    /// The field is not there.
    Missing(&'p Field<M>),
    /// A value is not of its kind.
    Wrong(&'p Node, &'p Kind<M>, Wrong),
}

/// Why a value is not of its kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It is of another type.
    Type,
    /// It is a list that holds something of another type.
    Item(&'static str),
    /// It is of the right type, but says nothing that is known.
    Value(String),
    /// It is a list with too few items.
    TooFew(usize),
    /// It is a list with too many items.
    TooMany(usize),
    /// It is none for these reasons.
    Said(Vec<String>),
}

/// What is right of a value. What is wrong has been left out.
#[derive(Debug)]
pub(crate) enum Accepted {
    /// A value, as its kind reads it.
    Value(Value),
    /// The entries of a map.
    Map(Vec<AcceptedEntry>),
}

/// What is right of an entry of a map.
#[derive(Debug)]
pub(crate) struct AcceptedEntry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) span: Span,
    pub(crate) value: Accepted,
}

/// Checks values, and reports what is wrong with its way and its place.
pub(crate) struct Check<'r, M: 'static> {
    report: &'r mut dyn FnMut(&Path, Span, Problem<'_, M>),
}

impl<'r, M: 'static> Check<'r, M> {
    /// Checks for whoever takes the problems.
    pub(crate) fn new(report: &'r mut dyn FnMut(&Path, Span, Problem<'_, M>)) -> Self {
        Self { report }
    }

    /// Checks a value.
    pub(crate) fn value(&mut self, path: &Path, node: &Node, kind: &Kind<M>) -> Option<Accepted> {
        let read = match (kind, &node.value) {
            (Kind::Map(_) | Kind::Named(..), node::Value::Map(entries)) => {
                return Some(Accepted::Map(self.map(path, entries, node.span, kind)));
            }
            (Kind::List { of, least }, node::Value::List(items)) => {
                return self.list(path, node, items, (kind, of, *least));
            }
            (Kind::Of(sort), _) => (sort.read)(node),
            (Kind::Word(words), node::Value::Text(word)) => {
                let known = words.contains(&word.as_str());
                known.then(|| word.as_str().into()).ok_or_else(|| Wrong::Value(word.clone()))
            }
            (Kind::Flag, node::Value::Bool(flag)) => Ok((*flag).into()),
            (Kind::Number { least, most }, node::Value::Number(number)) => {
                let count = number.parse().ok().filter(|count| (least..=most).contains(&count));
                count.map(Value::from).ok_or_else(|| Wrong::Value(number.clone()))
            }
            (_, _) => Err(Wrong::Type),
        };
        let wrong = |wrong| (self.report)(path, node.span, Problem::Wrong(node, kind, wrong));
        read.map(Accepted::Value).map_err(wrong).ok()
    }

    /// Checks the entries of a map: its fields in their order, if it has any, and then what else stands there.
    pub(crate) fn map(
        &mut self,
        path: &Path,
        entries: &[Entry],
        whole: Span,
        kind: &Kind<M>,
    ) -> Vec<AcceptedEntry> {
        let mut accepted = Vec::new();
        for field in kind.fields() {
            match entries.iter().find(|entry| entry.key == field.name) {
                Some(Entry { node, .. })
                    if field.need == Need::Optional && node.value == node::Value::Null => {}
                Some(entry) => accepted.extend(self.entry(path, entry, &field.kind)),
                None if field.need == Need::Optional => {}
                None => (self.report)(&path.join(field.name), whole, Problem::Missing(field)),
            }
        }
        for entry in entries {
            match kind {
                Kind::Named(names, of) if (names.allow)(&entry.key) => {
                    accepted.extend(self.entry(path, entry, of));
                }
                _ if kind.fields().iter().any(|field| field.name == entry.key) => {}
                _ => (self.report)(&path.join(&entry.key), entry.span, Problem::Unknown(kind)),
            }
        }
        accepted
    }

    fn entry(&mut self, above: &Path, entry: &Entry, kind: &Kind<M>) -> Option<AcceptedEntry> {
        let Entry { key, span, node } = entry;
        let value = self.value(&above.join(key), node, kind)?;
        Some(AcceptedEntry { key: key.clone(), key_span: *span, span: node.span, value })
    }

    fn list(
        &mut self,
        path: &Path,
        node: &Node,
        items: &[Node],
        (kind, of, least): (&Kind<M>, &Kind<M>, usize),
    ) -> Option<Accepted> {
        let mut wrong = |wrong| (self.report)(path, node.span, Problem::Wrong(node, kind, wrong));
        if items.len() < least {
            wrong(Wrong::TooFew(items.len()));
        }
        if items.len() > LONGEST_LIST {
            wrong(Wrong::TooMany(items.len()));
            return None;
        }
        for (index, item) in items.iter().enumerate() {
            self.value(&path.item(index), item, of);
        }
        None
    }
}
