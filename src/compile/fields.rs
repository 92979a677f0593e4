//! Reads the fields of YAML or TOML that has been parsed: maps with known keys, lists, text and words of closed sets. What is
//! wrong is reported under the codes of whoever asks, and reading goes on.

use super::code::DiagnosticCode;
use super::diagnostic::{Diagnostic, Place, quoted};
use super::source::FileId;
use crate::template::Span;
use crate::template::nearest::{self, nearest};
use crate::text::field::{Field, Need};
use crate::text::node::{Entry, Node, SyntaxError, Value};

/// How a format, and what is wrong with its fields, is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<C> {
    /// What the format calls keys with values.
    pub(crate) map: &'static str,
    /// The text cannot be read at all.
    pub(crate) syntax: C,
    /// A key does not exist.
    pub(crate) unknown: C,
    /// A key that must be there is not.
    pub(crate) missing: C,
    /// A value is not what its key asks for.
    pub(crate) wrong: C,
}

/// Reads fields and collects what is wrong with them.
pub(crate) struct FieldReader<'r, C> {
    /// Where the text begins in its file.
    pub(crate) offset: usize,
    /// The file.
    pub(crate) file: FileId,
    /// Where faults go.
    pub(crate) found: &'r mut Vec<Diagnostic<C>>,
    /// How things are called.
    pub(crate) terms: Terms<C>,
}

impl<'n, C: DiagnosticCode> FieldReader<'_, C> {
    /// Takes text that is not blank.
    pub(crate) fn text(&mut self, node: &'n Node, what: &str) -> Option<&'n str> {
        match &node.value {
            Value::Text(text) if !text.trim().is_empty() => Some(text),
            _ => self.wrong_type(node, what, "text"),
        }
    }

    pub(crate) fn flag(&mut self, node: &Node, what: &str) -> Option<bool> {
        match node.value {
            Value::Bool(value) => Some(value),
            _ => self.wrong_type(node, what, "true or false"),
        }
    }

    pub(crate) fn list(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.value {
            Value::List(items) => items,
            _ => self.wrong_type(node, what, "a list").unwrap_or_default(),
        }
    }

    /// Takes a list of texts, each with its place.
    pub(crate) fn texts(&mut self, node: &'n Node, what: &str) -> Vec<(&'n str, Span)> {
        let items = self.list(node, what).iter();
        items.filter_map(|item| Some((self.text(item, what)?, item.span))).collect()
    }

    pub(crate) fn map(&mut self, node: &'n Node, what: &str) -> Option<&'n [Entry]> {
        match &node.value {
            Value::Map(entries) => Some(entries),
            _ => self.wrong_type(node, what, self.terms.map),
        }
    }

    /// Takes one word of a closed set.
    pub(crate) fn word<T>(
        &mut self,
        node: &Node,
        what: &str,
        words: &[&str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.text(node, what)?;
        self.known((text, node.span), what, words, find)
    }

    /// Takes a list of words of a closed set, each once.
    pub(crate) fn words<T: PartialEq>(
        &mut self,
        node: &Node,
        what: &str,
        words: &[&str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let mut known = Vec::new();
        for (text, span) in self.texts(node, what) {
            let Some(word) = self.known((text, span), what, words, &find) else { continue };
            if known.contains(&word) {
                let message = format!("`{text}` is repeated in `{what}`");
                self.report(self.terms.wrong, span, message, "remove it");
            } else {
                known.push(word);
            }
        }
        known
    }

    fn known<T>(
        &mut self,
        (text, span): (&str, Span),
        what: &str,
        words: &[&str],
        find: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let found = find(text);
        if found.is_none() {
            let message = format!("{} is not a value of `{what}`", quoted(text));
            self.report(self.terms.wrong, span, message, meant(text, words));
        }
        found
    }

    /// Takes a map of these fields, which messages call `what`. Keys that are not known are reported, and required ones that
    /// are missing and were not misspelt.
    pub(crate) fn fields<K>(
        &mut self,
        node: &'n Node,
        what: &str,
        fields: &[Field<K>],
    ) -> Option<&'n [Entry]> {
        let entries = self.map(node, what)?;
        // A map has no end of its own that could be shown; its first key stands for it.
        let whole = entries.first().map_or(node.span, |entry| entry.span);
        self.keys(entries, fields, what, whole);
        Some(entries)
    }

    /// Does the same for entries; what is missing is missing at `whole`.
    pub(crate) fn keys<K>(
        &mut self,
        entries: &[Entry],
        fields: &[Field<K>],
        what: &str,
        whole: Span,
    ) {
        let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
        let mut seen: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        for entry in entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            seen.extend(nearest(&entry.key, known.iter().copied()));
            let message = format!("there is no key {} here", quoted(&entry.key));
            self.report(self.terms.unknown, entry.span, message, meant(&entry.key, &known));
        }
        let is_missing =
            |field: &&Field<K>| field.need == Need::Required && !seen.contains(&field.name);
        for Field { name, about, .. } in fields.iter().filter(is_missing) {
            let message = format!("{what} has no `{name}`");
            self.report(self.terms.missing, whole, message, format!("add `{name}`: {about}"));
        }
    }

    /// Reports why the text cannot be read.
    pub(crate) fn syntax(&mut self, error: SyntaxError) {
        let SyntaxError { message, help, span } = error;
        let place = self.place(span);
        let mut diagnostic = Diagnostic::new(self.terms.syntax, place, message);
        diagnostic.help = help.map(str::to_owned);
        self.found.push(diagnostic);
    }

    pub(crate) fn wrong_type<T>(&mut self, node: &Node, what: &str, wanted: &str) -> Option<T> {
        let is = node.value.kind(self.terms.map);
        let message = format!("`{what}` is {is}, not {wanted}");
        self.report(self.terms.wrong, node.span, message, format!("write {wanted}"));
        None
    }

    pub(crate) fn report(
        &mut self,
        code: C,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = self.place(span);
        self.found.push(Diagnostic::new(code, place, message).help(help));
    }

    /// Returns where a span of the text stands in the file.
    pub(crate) const fn place(&self, span: Span) -> Place {
        let span = Span::new(self.offset + span.start, self.offset + span.end);
        Place { file: self.file, span }
    }
}

/// Finds the value under a key.
pub(crate) fn get<'n>(entries: &'n [Entry], key: &str) -> Option<&'n Node> {
    entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
}

/// Returns which word was meant, or which words there are.
pub(crate) fn meant(text: &str, words: &[&str]) -> String {
    nearest::meant(text, words.iter().copied())
        .unwrap_or_else(|| format!("expected one of {}", words.join(", ")))
}
