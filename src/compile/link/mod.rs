//! Puts shared fragments in place. Linking is textual: the result is again a source of the template's own
//! dialect, in which every byte remembers the file it came from.

mod faults;

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Diagnostic, Place};
use super::source::{FileId, Folder, SourceFile, Sources};
use crate::template::lexer::{TokenKind, is_name, lex};
use crate::template::{Dialect, Node, Span, parse};

/// No template is ever this large; fragments that include others many times over get there quickly.
const LARGEST: usize = 1 << 20;

/// Nor does any use this many fragments, which may be empty and so add nothing to the size.
const MOST_FRAGMENTS: usize = 1_000;

/// A template's text with its fragments in place.
#[derive(Clone, Debug, Default)]
pub struct Linked {
    /// The text.
    pub text: String,
    /// Whether every fragment was found; if not, nothing can be said of what is absent.
    pub complete: bool,
    pieces: Vec<Piece>,
    inclusions: Vec<Inclusion>,
}

/// A fragment that was put in place of a marker.
#[derive(Clone, Debug)]
struct Inclusion {
    name: String,
    file: FileId,
    marker: Place,
}

/// A run of bytes that came from one place.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: usize,
    file: FileId,
    from: Span,
}

impl Linked {
    /// Finds where a span of the linked text came from; one that crosses files is cut at the first's end.
    pub fn place(&self, span: Span) -> Place {
        let number = self.pieces.partition_point(|piece| piece.at <= span.start).saturating_sub(1);
        let piece = self.pieces[number];
        let start = (piece.from.start + span.start - piece.at).min(piece.from.end);
        let end = (start + span.end - span.start).min(piece.from.end);
        Place { file: piece.file, span: Span::new(start, end) }
    }

    /// Returns whether a fragment was put in place, by the template itself or by another fragment.
    pub(crate) fn includes(&self, name: &str) -> bool {
        self.inclusions.iter().any(|inclusion| inclusion.name == name)
    }

    /// Lists the files of the fragments that were put in place, each once.
    pub(crate) fn fragments(&self) -> BTreeSet<FileId> {
        self.inclusions.iter().map(|inclusion| inclusion.file).collect()
    }

    /// Lists the markers that first brought in a fragment: the one that names it, then the one that led there.
    pub(crate) fn way_to(&self, fragment: FileId) -> Vec<Place> {
        let mut way = Vec::new();
        let mut file = fragment;
        while let Some(first) = self.inclusions.iter().find(|inclusion| inclusion.file == file) {
            way.push(first.marker);
            file = first.marker.file;
        }
        way
    }

    /// Finds every span of the linked text that came from a place.
    pub(crate) fn spans_of(&self, place: Place) -> impl Iterator<Item = Span> {
        let holds = move |piece: &&Piece| {
            piece.file == place.file
                && (piece.from.start..piece.from.end).contains(&place.span.start)
        };
        self.pieces.iter().filter(holds).map(move |piece| {
            let start = piece.at + place.span.start - piece.from.start;
            Span::new(start, start + place.span.end.min(piece.from.end) - place.span.start)
        })
    }

    fn copy(&mut self, file: FileId, from: Span, text: &str) {
        if from.start < from.end || self.pieces.is_empty() {
            self.pieces.push(Piece { at: self.text.len(), file, from });
            self.text.push_str(from.of(text));
        }
    }

    /// Finds markers whose halves came from different files: nobody wrote them.
    fn joined(&self, dialect: &Dialect<'_>) -> Vec<(Place, Place)> {
        let borders: Vec<usize> = self.pieces.iter().skip(1).map(|piece| piece.at).collect();
        let crossing = |span: Span| {
            let next = borders.partition_point(|at| *at <= span.start);
            borders.get(next).copied().filter(|at| *at < span.end)
        };
        let tokens = lex(&self.text, dialect);
        let markers = tokens.iter().filter(|token| token.kind != TokenKind::Text);
        markers
            .filter_map(|token| {
                let border = crossing(token.span)?;
                Some((self.place(token.span), self.place(Span::new(border, token.span.end))))
            })
            .collect()
    }
}

/// Links templates against the fragments of one compilation.
pub(crate) struct Linker<'s> {
    sources: &'s Sources,
    fragments: BTreeMap<&'s str, FileId>,
    used: BTreeSet<FileId>,
    overflowed: bool,
}

impl<'s> Linker<'s> {
    pub(crate) fn new(sources: &'s Sources) -> Self {
        let fragments = sources
            .iter()
            .filter(|(_, file)| file.folder == Folder::Shared)
            .filter_map(|(id, file)| Some((file.name.strip_suffix(".md")?, id)))
            .filter(|(name, _)| is_name(name))
            .collect();
        Self { sources, fragments, used: BTreeSet::new(), overflowed: false }
    }

    /// Lists the fragments that nothing linked so far includes.
    pub(crate) fn unused(&self) -> impl Iterator<Item = FileId> {
        self.fragments.values().copied().filter(|fragment| !self.used.contains(fragment))
    }

    /// Links one file.
    pub(crate) fn link(
        &mut self,
        file: FileId,
        dialect: &Dialect<'_>,
        found: &mut Vec<Diagnostic>,
    ) -> Linked {
        let source = self.sources.get(file);
        let name = source.name.strip_suffix(".md").unwrap_or(&source.name);
        let mut expansion = Expansion {
            linker: self,
            dialect,
            linked: Linked { complete: true, ..Linked::default() },
            stack: vec![Frame { name, file, leads_on: Span::default() }],
            fragments: 0,
            found,
        };
        expansion.expand(file, source.text.len());
        let linked = expansion.linked;
        found.extend(linked.joined(dialect).into_iter().map(faults::joined));
        linked
    }
}

/// A template or fragment that is being expanded, and the place in it that led to the next one.
#[derive(Clone, Copy)]
struct Frame<'s> {
    name: &'s str,
    file: FileId,
    leads_on: Span,
}

impl Frame<'_> {
    fn place(&self) -> Place {
        Place { file: self.file, span: self.leads_on }
    }
}

/// The linking of one file.
struct Expansion<'e, 's> {
    linker: &'e mut Linker<'s>,
    dialect: &'e Dialect<'e>,
    linked: Linked,
    stack: Vec<Frame<'s>>,
    fragments: usize,
    found: &'e mut Vec<Diagnostic>,
}

impl Expansion<'_, '_> {
    /// Appends the text of a file up to `end`, with the fragments in it.
    fn expand(&mut self, file: FileId, end: usize) {
        let text = &self.linker.sources.get(file).text[..end];
        let parsed = parse(text, self.dialect);
        faults::live_markers(text, file, &parsed, &self.stack, self.dialect, self.found);
        // A broken directive may have been meant to bring in a fragment.
        let is_bracket = |span: Span| text[span.start..].starts_with('[');
        self.linked.complete &= !parsed.faults.iter().any(|fault| is_bracket(fault.span));
        let mut copied = 0;
        for (node, span) in &parsed.nodes {
            let Node::Fragment(name) = node else { continue };
            self.linked.copy(file, Span::new(copied, span.start), text);
            copied = span.end;
            if let Some(frame) = self.stack.last_mut() {
                frame.leads_on = *span;
            }
            let before = self.found.len();
            self.fragment(name, Place { file, span: *span });
            self.linked.complete &= self.found.len() == before;
        }
        self.linked.copy(file, Span::new(copied, text.len()), text);
    }

    /// Appends a fragment, or reports why it cannot be.
    fn fragment(&mut self, name: &str, place: Place) {
        let Some((&name, &file)) = self.linker.fragments.get_key_value(name) else {
            let known = self.linker.fragments.keys().copied();
            self.found.push(faults::unknown(name, place, known));
            return;
        };
        self.linker.used.insert(file);
        if let Some(start) = self.stack.iter().position(|frame| frame.file == file) {
            self.found.push(faults::cycle(&self.stack[start..]));
            return;
        }
        let SourceFile { text, utf8, .. } = self.linker.sources.get(file);
        // What a fragment holds that cannot be read, nobody knows; that it cannot is said of its file.
        self.linked.complete &= *utf8 && !text.trim().is_empty();
        self.fragments += 1;
        if self.fragments > MOST_FRAGMENTS || self.linked.text.len() + text.len() > LARGEST {
            self.linked.complete = false;
            if !std::mem::replace(&mut self.linker.overflowed, true) {
                self.found.push(faults::too_large(self.stack[0].place()));
            }
            return;
        }
        self.linked.inclusions.push(Inclusion { name: name.to_owned(), file, marker: place });
        self.stack.push(Frame { name, file, leads_on: Span::default() });
        self.expand(file, without_last_break(text));
        self.stack.pop();
    }
}

/// A fragment stands in the middle of other text, so the line break that ends its file is not part of it.
fn without_last_break(text: &str) -> usize {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text).len()
}
