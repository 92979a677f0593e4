//! Reads the fields of YAML that has been parsed: maps with known keys, lists and text. What is wrong is reported under
//! the codes of whoever asks.

use super::code::DiagnosticCode;
use super::diagnostic::{Diagnostic, Place};
use super::source::FileId;
use super::yaml::{Entry, Node, Value};
use crate::template::Span;
use crate::template::nearest::nearest;

/// The codes under which slips are reported.
pub(crate) struct FieldCodes<C> {
    /// A key does not exist.
    pub(crate) unknown: C,
    /// A key that must be there is not.
    pub(crate) missing: C,
    /// A value is not what its key asks for.
    pub(crate) wrong: C,
}

/// Reads fields and collects what is wrong with them.
pub(crate) struct FieldReader<'r, C> {
    /// Where the YAML begins in its file.
    pub(crate) offset: usize,
    /// The file.
    pub(crate) file: FileId,
    /// Where faults go.
    pub(crate) found: &'r mut Vec<Diagnostic<C>>,
    /// How they are called.
    pub(crate) codes: FieldCodes<C>,
}

impl<C: DiagnosticCode> FieldReader<'_, C> {
    /// Takes text that is not empty.
    pub(crate) fn text(&mut self, node: Node, what: &str) -> String {
        match node.value {
            Value::Text(text) if !text.trim().is_empty() => text,
            Value::Text(_) => {
                let help = Some("write what it is".to_owned());
                self.report(self.codes.wrong, node.span, format!("`{what}` is empty"), help);
                String::new()
            }
            other => {
                self.wrong_type(what, "text", &other, node.span);
                String::new()
            }
        }
    }

    pub(crate) fn list(&mut self, node: Node, what: &str) -> Vec<Node> {
        match node.value {
            Value::List(items) => items,
            other => {
                self.wrong_type(what, "a list", &other, node.span);
                Vec::new()
            }
        }
    }

    pub(crate) fn map(&mut self, node: Node, what: &str) -> Option<Vec<Entry>> {
        match node.value {
            Value::Map(entries) => Some(entries),
            other => {
                self.wrong_type(what, "a map", &other, node.span);
                None
            }
        }
    }

    /// Reports keys that are not known, and required ones that are missing and were not misspelt.
    pub(crate) fn keys(
        &mut self,
        entries: &[Entry],
        known: &[&str],
        required: &[&str],
        whole: Span,
        of: &str,
    ) {
        let mut meant = Vec::new();
        for entry in entries.iter().filter(|entry| !known.contains(&entry.key.as_str())) {
            let near = nearest(&entry.key, known.iter().copied());
            meant.extend(near);
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys are {}", known.join(", ")),
            };
            let message = format!("there is no key `{}` here", entry.key.escape_debug());
            self.report(self.codes.unknown, entry.span, message, Some(help));
        }
        let is_there =
            |key: &str| meant.contains(&key) || entries.iter().any(|entry| entry.key == key);
        for key in required.iter().filter(|key| !is_there(key)) {
            let message = format!("{of} has no `{key}`");
            self.report(self.codes.missing, whole, message, Some(format!("add `{key}:`")));
        }
    }

    pub(crate) fn wrong_type(&mut self, what: &str, wanted: &str, value: &Value, span: Span) {
        let message = format!("`{what}` is {}, not {wanted}", value.kind());
        self.report(self.codes.wrong, span, message, Some(format!("write {wanted}")));
    }

    pub(crate) fn report(&mut self, code: C, span: Span, message: String, help: Option<String>) {
        let place = Place { file: self.file, span: self.moved(span) };
        let mut diagnostic = Diagnostic::new(code, place, message);
        diagnostic.help = help;
        self.found.push(diagnostic);
    }

    /// Moves a span of the YAML to where it stands in the file.
    pub(crate) const fn moved(&self, span: Span) -> Span {
        Span::new(self.offset + span.start, self.offset + span.end)
    }
}
