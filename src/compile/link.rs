//! Puts shared fragments in place. Linking is textual: the result is again a source of the template's own
//! dialect, in which every byte remembers the file it came from.

use std::collections::{BTreeMap, BTreeSet};

use super::code::Code;
use super::diagnostic::{Diagnostic, Place};
use super::source::{FileId, Folder, Sources};
use crate::template::dialect::Braces;
use crate::template::nearest::nearest;
use crate::template::{Dialect, FaultKind, Node, Parsed, Span, parse};

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
}

/// Links templates against the fragments of one compilation.
pub(crate) struct Linker<'s> {
    sources: &'s Sources,
    fragments: BTreeMap<&'s str, FileId>,
    used: BTreeSet<FileId>,
    expansions: usize,
}

/// A template or fragment that is being expanded, and the place in it that led to the next one.
struct Frame<'s> {
    name: &'s str,
    file: FileId,
    leads_on: Span,
}

impl<'s> Linker<'s> {
    pub(crate) fn new(sources: &'s Sources) -> Self {
        let fragments = sources
            .iter()
            .filter(|(_, file)| file.folder == Folder::Shared)
            .filter_map(|(id, file)| Some((file.name.strip_suffix(".md")?, id)))
            .collect();
        Self { sources, fragments, used: BTreeSet::new(), expansions: 0 }
    }

    /// Says whether a fragment was included by anything linked so far.
    pub(crate) fn is_used(&self, fragment: FileId) -> bool {
        self.used.contains(&fragment)
    }

    /// Links one file.
    pub(crate) fn link(
        &mut self,
        file: FileId,
        dialect: &Dialect<'_>,
        found: &mut Vec<Diagnostic>,
    ) -> Linked {
        let mut linked = Linked { complete: true, ..Linked::default() };
        self.expansions = 0;
        let source = self.sources.get(file);
        let name = source.name.strip_suffix(".md").unwrap_or(&source.name);
        let root = Frame { name, file, leads_on: Span::default() };
        self.expand(&mut vec![root], source.text.len(), dialect, &mut linked, found);
        linked
    }

    /// Appends the text of the innermost frame up to `end`, with the fragments in it.
    fn expand(
        &mut self,
        stack: &mut Vec<Frame<'s>>,
        end: usize,
        dialect: &Dialect<'_>,
        linked: &mut Linked,
        found: &mut Vec<Diagnostic>,
    ) {
        let Some(&Frame { file, .. }) = stack.last() else {
            return;
        };
        let text = &self.sources.get(file).text[..end];
        let parsed = parse(text, dialect);
        if let [.., user, _] = stack.as_slice() {
            let user = Place { file: user.file, span: user.leads_on };
            live_markers(text, file, &parsed, user, dialect, found);
        }
        let mut copied = 0;
        for (node, span) in &parsed.nodes {
            let Node::Fragment(name) = node else { continue };
            linked.copy(file, Span::new(copied, span.start), text);
            copied = span.end;
            if let Some(frame) = stack.last_mut() {
                frame.leads_on = *span;
            }
            let Some((&name, &fragment)) = self.fragments.get_key_value(name) else {
                found.push(self.unknown(name, Place { file, span: *span }));
                linked.complete = false;
                continue;
            };
            self.used.insert(fragment);
            self.expansions += 1;
            if let Some(start) = stack.iter().position(|frame| frame.file == fragment) {
                found.push(cycle(&stack[start..]));
                linked.complete = false;
                continue;
            }
            let fragment_text = &self.sources.get(fragment).text;
            if self.expansions > MOST_FRAGMENTS || linked.text.len() + fragment_text.len() > LARGEST
            {
                found.push(too_large(Place { file: stack[0].file, span: stack[0].leads_on }));
                linked.complete = false;
                break;
            }
            stack.push(Frame { name, file: fragment, leads_on: Span::default() });
            self.expand(stack, without_last_break(fragment_text), dialect, linked, found);
            stack.pop();
        }
        linked.copy(file, Span::new(copied, text.len()), text);
    }

    fn unknown(&self, name: &str, place: Place) -> Diagnostic {
        let diagnostic = Diagnostic::new(
            Code::UnknownFragment,
            place,
            format!("there is no shared fragment `{name}`"),
        );
        match nearest(name, self.fragments.keys().copied()) {
            Some(near) => diagnostic.help(format!("did you mean `[[shared:{near}]]`?")),
            None => {
                diagnostic.help(format!("write it to `shared/{name}.md`, or remove the marker"))
            }
        }
    }
}

impl Linked {
    fn copy(&mut self, file: FileId, from: Span, text: &str) {
        if from.start < from.end || self.pieces.is_empty() {
            self.pieces.push(Piece { at: self.text.len(), file, from });
            self.text.push_str(from.of(text));
        }
    }
}

/// A fragment stands in the middle of other text, so the line break that ends its file is not part of it.
fn without_last_break(text: &str) -> usize {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.strip_suffix('\r').unwrap_or(text).len()
}

/// Reports what is live in a fragment of a template whose values would have to reach into it.
fn live_markers(
    text: &str,
    file: FileId,
    parsed: &Parsed<'_>,
    user: Place,
    dialect: &Dialect<'_>,
    found: &mut Vec<Diagnostic>,
) {
    if dialect.braces != Braces::Upper {
        return;
    }
    let holes = parsed
        .nodes
        .iter()
        .filter(|(node, _)| matches!(node, Node::Hole(_)))
        .map(|(_, span)| *span);
    let in_braces = |span: Span| text[span.start..].starts_with('{');
    let faults = parsed
        .faults
        .iter()
        .filter(|fault| fault.kind == FaultKind::Foreign || in_braces(fault.span));
    for span in holes.chain(faults.map(|fault| fault.span)) {
        let marker = span.of(text);
        let opener = &marker[..2];
        found.push(
            Diagnostic::new(
                Code::LiveFragment,
                Place { file, span },
                format!("`{marker}` is live in a fragment that a system template includes"),
            )
            .label(user, "included here")
            .help(format!(
                "a fragment of a system template holds only text and `[[shared:…]]`: move the marker into the template, or write `{opener}{opener}` for a literal `{opener}`"
            )),
        );
    }
}

/// Describes a circle of fragments, the same way wherever it was entered.
fn cycle(frames: &[Frame<'_>]) -> Diagnostic {
    let first = (0..frames.len()).min_by_key(|number| frames[*number].name).unwrap_or(0);
    let round: Vec<_> =
        (0..frames.len()).map(|step| &frames[(first + step) % frames.len()]).collect();
    let names: Vec<_> = round.iter().chain(&round[..1]).map(|frame| frame.name).collect();
    let place = |frame: &Frame<'_>| Place { file: frame.file, span: frame.leads_on };
    let message = format!("shared fragments include each other: {}", names.join(" -> "));
    let last = round[round.len() - 1];
    round[..round.len() - 1]
        .iter()
        .fold(Diagnostic::new(Code::FragmentCycle, place(last), message), |diagnostic, frame| {
            diagnostic.label(place(frame), "which is included here")
        })
        .help("remove one of these markers")
}

fn too_large(place: Place) -> Diagnostic {
    Diagnostic::new(
        Code::LinkedTooLarge,
        place,
        format!(
            "with its fragments linked in, this template has over {LARGEST} bytes or {MOST_FRAGMENTS} fragments"
        ),
    )
    .help("fragments that include others several times grow with every level: include each once")
}
