//! A template with its fragments in place, as the checks look at it: whatever they find, they find the file and line.

use super::super::code::Code;
use super::super::diagnostic::{Diagnostic, Place};
use super::super::link::Linked;
use super::super::source::{FileId, Sources};
use crate::template::{Dialect, Node, Parsed, Span, parse};
use crate::text::outline::{Outline, mask, outline};

/// A template while it is checked.
pub(super) struct Template<'t> {
    pub(super) sources: &'t Sources,
    pub(super) file: FileId,
    pub(super) linked: &'t Linked,
    pub(super) text: &'t str,
    pub(super) parsed: Parsed<'t>,
    pub(super) outline: Outline,
}

impl<'t> Template<'t> {
    pub(super) fn new(
        sources: &'t Sources,
        file: FileId,
        linked: &'t Linked,
        dialect: &Dialect<'_>,
    ) -> Self {
        let text = linked.text.as_str();
        // A fence that a fragment leaves open is the fragment's fault, and must not hide what follows it here.
        let fragments = linked.fragments().into_iter();
        let open = fragments.flat_map(|fragment| unclosed(sources, fragment));
        let open: Vec<Span> = open.flat_map(|place| linked.spans_of(place)).collect();
        let outline = outline(&mask(text, &open));
        Self { sources, file, linked, text, parsed: parse(text, dialect), outline }
    }

    pub(super) fn place(&self, span: Span) -> Place {
        self.linked.place(span)
    }

    /// Returns whether a span stands in the template's own file rather than in a fragment.
    pub(super) fn is_own(&self, span: Span) -> bool {
        self.place(span).file == self.file
    }

    /// The place for what concerns the template as a whole.
    pub(super) fn whole(&self) -> Place {
        self.sources.first_line(self.file)
    }

    /// Returns what is said outside code blocks, in lower case; the names in markers say nothing to an agent.
    pub(super) fn prose(&self) -> String {
        let is_marker = |node: &Node<'_>| matches!(node, Node::Hole(_) | Node::Include { .. });
        let markers = self.parsed.nodes.iter().filter(|(node, _)| is_marker(node));
        let markers: Vec<Span> = markers.map(|(_, span)| *span).collect();
        self.outline.prose(&mask(self.text, &markers))
    }

    /// Reports code fences that are never closed; those of its fragments are reported with the fragments.
    pub(super) fn unclosed_fences(&self, found: &mut Vec<Diagnostic>) {
        found.extend(self.outline.unclosed.iter().map(|span| unclosed_fence(self.place(*span))));
    }
}

/// Reports the code fences of a file on its own that are never closed.
pub(super) fn unclosed_fences_of_file(
    sources: &Sources,
    file: FileId,
    found: &mut Vec<Diagnostic>,
) {
    found.extend(unclosed(sources, file).into_iter().map(unclosed_fence));
}

fn unclosed(sources: &Sources, file: FileId) -> Vec<Place> {
    let text = &sources.get(file).text;
    // Most fragments have no fences, and every template that includes one asks.
    if !["```", "~~~"].iter().any(|fence| text.contains(fence)) {
        return Vec::new();
    }
    let spans = outline(text).unclosed;
    spans.into_iter().map(|span| Place { file, span }).collect()
}

fn unclosed_fence(place: Place) -> Diagnostic {
    Diagnostic::new(Code::UnclosedFence, place, "this code fence is never closed")
        .help("close it with a line of the same characters")
}
