//! Holds TOML to the schema: what is right becomes settings, what is wrong becomes faults. Every value is looked
//! at, whatever was wrong before it.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::Fault;
use super::read::read;
use super::schema::{Kind, Shape, listed};
use super::source::{Origin, Place, Source};
use super::value::{Table, quoted};
use crate::template::nearest::nearest;
use crate::template::{LineIndex, Span};

/// Checks one source.
pub(super) struct Checker<'a> {
    pub(super) source: &'a Arc<Source>,
    lines: LineIndex<'a>,
    faults: &'a mut Vec<Fault>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(source: &'a Arc<Source>, faults: &'a mut Vec<Fault>) -> Self {
        Self { source, lines: LineIndex::new(&source.text), faults }
    }

    /// Checks a file.
    pub(super) fn file(&mut self, shape: &'static Shape) -> Table {
        let source = Arc::clone(self.source);
        let (document, errors) = DeTable::parse_recoverable(&source.text);
        let origin = self.origin(0..0);
        if errors.is_empty() {
            return self.table(&KeyPath::default(), document.get_ref(), shape, origin);
        }
        // What follows a slip of syntax is often read wrongly: only the slips are told.
        for error in errors {
            let end = source.text.len();
            let span = error.span().unwrap_or(end..end);
            self.fault(&KeyPath::default(), span, error.message(), None);
        }
        Table::new(origin)
    }

    /// Checks what stands under a key, and puts it into `table`.
    pub(super) fn entry(
        &mut self,
        path: &KeyPath,
        key: Range<usize>,
        value: &Spanned<DeValue<'_>>,
        kind: &'static Kind,
        table: &mut Table,
    ) {
        let name = path.last().to_owned();
        if let (Kind::Table(shape), DeValue::Table(found)) = (kind, value.get_ref()) {
            let below = self.table(path, found, shape, self.origin(key));
            table.tables.insert(name, below);
            return;
        }
        match read(kind, value.get_ref()) {
            Ok(read) => table.set(name, read, self.origin(value.span())),
            Err(wrong) => {
                let message = format!("`{path}` {}", wrong.message(kind));
                self.fault(path, value.span(), message, Some(wrong.help(kind)));
            }
        }
    }

    /// Tells of a key that is not known.
    pub(super) fn unknown(&mut self, path: &KeyPath, key: Range<usize>, shape: &Shape) {
        let name = path.last().escape_debug();
        let (message, help) = match shape {
            Shape::Keys(keys) => {
                let message = match path.parent() {
                    Some(parent) => format!("unknown key `{name}` in `{parent}`"),
                    None => format!("unknown section `{name}`"),
                };
                let names = keys.iter().map(|key| key.name);
                let help = match nearest(path.last(), names.clone()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("here may stand {}", listed(names)),
                };
                (message, help)
            }
            Shape::Named(names, _) => {
                (format!("`{name}` is no name for {}", names.noun()), names.help().to_owned())
            }
        };
        self.fault(path, key, message, Some(help));
    }

    fn table(
        &mut self,
        path: &KeyPath,
        found: &DeTable<'_>,
        shape: &'static Shape,
        origin: Origin,
    ) -> Table {
        let mut table = Table::new(origin);
        for (key, value) in found {
            let path = path.join(key.get_ref());
            match shape.kind(key.get_ref()) {
                Some(kind) => self.entry(&path, key.span(), value, kind, &mut table),
                None => self.unknown(&path, key.span(), shape),
            }
        }
        table
    }

    fn fault(
        &mut self,
        path: &KeyPath,
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        let place = self.place(span);
        self.faults.push(Fault { place, key: path.to_string(), message: message.into(), help });
    }

    fn origin(&self, span: Range<usize>) -> Origin {
        Origin::Given(self.place(span))
    }

    fn place(&self, span: Range<usize>) -> Place {
        let line = self.lines.line(span.start);
        Place { source: Arc::clone(self.source), span: Span::new(span.start, span.end), line }
    }
}

/// The keys that lead to a value: `agents.claude.timeout`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyPath(Vec<String>);

impl KeyPath {
    pub(super) fn join(&self, key: &str) -> Self {
        Self(self.0.iter().map(String::as_str).chain([key]).map(str::to_owned).collect())
    }

    pub(super) fn last(&self) -> &str {
        self.0.last().map_or("", String::as_str)
    }

    fn parent(&self) -> Option<Self> {
        match self.0.as_slice() {
            [] | [_] => None,
            [parent @ .., _] => Some(Self(parent.to_vec())),
        }
    }
}

/// Shows the path as TOML writes it.
impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = |key: &str| {
            !key.is_empty()
                && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        for (at, key) in self.0.iter().enumerate() {
            f.write_str(if at > 0 { "." } else { "" })?;
            f.write_str(&if bare(key) { key.into() } else { quoted(key) })?;
        }
        Ok(())
    }
}
