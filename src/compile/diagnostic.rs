//! A diagnostic is data: what is wrong, where, and what to do. Showing it is the business of `report`.

use super::code::{Code, DiagnosticCode};
use super::source::{FileId, Sources};
use crate::template::Span;
use crate::text::excerpt::excerpt;

/// A place in one of the sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The bytes in it.
    pub span: Span,
}

/// Something that is wrong with a template, or with another text that is held to rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<C = Code> {
    /// What it is about.
    pub code: C,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// Where.
    pub place: Place,
    /// Other places that have to do with it, each with a few words.
    pub labels: Vec<(Place, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl<C: DiagnosticCode> Diagnostic<C> {
    pub(crate) fn new(code: C, place: Place, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place, labels: Vec::new(), help: None }
    }

    pub(crate) fn label(mut self, place: Place, text: impl Into<String>) -> Self {
        self.labels.push((place, text.into()));
        self
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Orders by place; what stands in one place stays in the order in which it was found.
    pub(crate) fn sort_key<'s>(&'s self, sources: &'s Sources) -> impl Ord + 's {
        (sources.get(self.place.file).path.as_str(), self.place.span, self.code)
    }
}

/// Quotes a piece of a template in a message: on one line, and not at any length.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", excerpt(text))
}
