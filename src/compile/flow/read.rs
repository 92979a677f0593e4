//! TOML with places: entries in the order of the file, and values of the kind that a key asks for. What is wrong is reported,
//! and reading goes on.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::FlowCode;
use crate::compile::diagnostic::{Diagnostic, Place, quoted};
use crate::compile::source::FileId;
use crate::template::Span;
use crate::template::nearest::nearest;

/// A key with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'t> {
    pub(super) name: &'t str,
    /// Where the key stands.
    pub(super) key: Span,
    pub(super) value: &'t DeValue<'t>,
    /// Where the value stands.
    pub(super) span: Span,
}

/// Reads values, and collects what is wrong with them.
pub(super) struct Reader<'r> {
    pub(super) file: FileId,
    pub(super) found: &'r mut Vec<Diagnostic<FlowCode>>,
}

/// Lists the entries of a table, in the order of the file.
pub(super) fn entries<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let entry = |(key, value): (&'t Spanned<_>, &'t Spanned<DeValue<'t>>)| {
        let name: &'t std::borrow::Cow<'t, str> = key.get_ref();
        Entry { name, key: span(key.span()), value: value.get_ref(), span: span(value.span()) }
    };
    let mut entries: Vec<_> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.key);
    entries
}

fn span(range: Range<usize>) -> Span {
    Span::new(range.start, range.end)
}

impl<'t> Reader<'_> {
    /// Parses a file; slips of syntax are all that is reported of it.
    pub(super) fn parse(&mut self, text: &'t str) -> Option<Spanned<DeTable<'t>>> {
        let (document, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let at = error.span().map_or(Span::new(text.len(), text.len()), span);
            let message = error.message().trim_end_matches('.');
            let message = format!("this is not TOML: {message}");
            self.report(
                FlowCode::Syntax,
                at,
                message,
                "see https://toml.io for how tables, lists and text are written",
            );
        }
        errors.is_empty().then_some(document)
    }

    pub(super) fn report(
        &mut self,
        code: FlowCode,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = Place { file: self.file, span };
        self.found.push(Diagnostic::new(code, place, message).help(help));
    }

    /// Takes text that is not blank.
    pub(super) fn text(&mut self, entry: Entry<'t>) -> Option<&'t str> {
        match entry.value {
            DeValue::String(text) if !text.trim().is_empty() => Some(text),
            other => self.wrong(entry, other, "text"),
        }
    }

    pub(super) fn flag(&mut self, entry: Entry<'t>) -> Option<bool> {
        match entry.value {
            DeValue::Boolean(flag) => Some(*flag),
            other => self.wrong(entry, other, "true or false"),
        }
    }

    /// Takes a number from 1 on.
    pub(super) fn count(&mut self, entry: Entry<'t>) -> Option<u32> {
        if let DeValue::Integer(number) = entry.value {
            let number = u32::from_str_radix(number.as_str(), number.radix()).unwrap_or(0);
            if number > 0 {
                return Some(number);
            }
            let message = format!("`{}` is no number of rounds", entry.name);
            self.report(FlowCode::WrongValue, entry.span, message, "write a number from 1 on");
            return None;
        }
        self.wrong(entry, entry.value, "a number")
    }

    pub(super) fn table(&mut self, entry: Entry<'t>) -> Option<Vec<Entry<'t>>> {
        match entry.value {
            DeValue::Table(table) => Some(entries(table)),
            other => self.wrong(entry, other, "a table"),
        }
    }

    /// Takes a list of texts, each with its place.
    pub(super) fn list(&mut self, entry: Entry<'t>) -> Vec<(&'t str, Span)> {
        let DeValue::Array(items) = entry.value else {
            let _: Option<()> = self.wrong(entry, entry.value, "a list");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            let item = Entry { value: item.get_ref(), span: span(item.span()), ..entry };
            texts.extend(self.text(item).map(|text| (text, item.span)));
        }
        texts
    }

    /// Takes one word of a closed set.
    pub(super) fn word<T>(
        &mut self,
        entry: Entry<'t>,
        words: &[&'static str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(entry)?;
        self.known(entry.name, (text, entry.span), words, find)
    }

    /// Takes a list of words of a closed set, each once.
    pub(super) fn words<T: PartialEq>(
        &mut self,
        entry: Entry<'t>,
        words: &[&'static str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let mut known = Vec::new();
        for (text, span) in self.list(entry) {
            let Some(word) = self.known(entry.name, (text, span), words, &find) else { continue };
            if known.contains(&word) {
                let message = format!("`{text}` stands twice in `{}`", entry.name);
                self.report(FlowCode::WrongValue, span, message, "remove it");
            } else {
                known.push(word);
            }
        }
        known
    }

    fn known<T>(
        &mut self,
        key: &str,
        (text, span): (&str, Span),
        words: &[&'static str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let found = find(text);
        if found.is_none() {
            let message = format!("{} is no value of `{key}`", quoted(text));
            self.report(FlowCode::WrongValue, span, message, meant(text, words));
        }
        found
    }

    /// Reports the entries whose names are not known, and returns the others.
    pub(super) fn only(
        &mut self,
        entries: Vec<Entry<'t>>,
        known: &[&'static str],
    ) -> Vec<Entry<'t>> {
        let (kept, unknown): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| known.contains(&entry.name));
        for entry in unknown {
            let message = format!("there is no key {} here", quoted(entry.name));
            self.report(FlowCode::UnknownKey, entry.key, message, meant(entry.name, known));
        }
        kept
    }

    fn wrong<T>(&mut self, entry: Entry<'_>, value: &DeValue<'_>, wanted: &str) -> Option<T> {
        let is = match value {
            DeValue::String(text) if text.trim().is_empty() => "empty",
            DeValue::String(_) => "text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        let message = format!("`{}` is {is}, not {wanted}", entry.name);
        self.report(FlowCode::WrongValue, entry.span, message, format!("write {wanted}"));
        None
    }
}

/// Says which word was meant, or which words there are.
pub(super) fn meant(text: &str, words: &[&str]) -> String {
    match nearest(text, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("here may stand {}", words.join(", ")),
    }
}
