//! What can go wrong when fragments are put in place.

use super::super::code::Code;
use super::super::diagnostic::{Diagnostic, Place, quoted};
use super::{FileId, Frame, LARGEST, MOST_FRAGMENTS};
use crate::template::dialect::Braces;
use crate::template::nearest::nearest;
use crate::template::{Dialect, FaultKind, Node, Parsed, Span};

/// A fragment that does not exist.
pub(super) fn unknown<'k>(
    name: &str,
    place: Place,
    known: impl Iterator<Item = &'k str>,
) -> Diagnostic {
    let message = format!("there is no shared fragment `{name}`");
    let diagnostic = Diagnostic::new(Code::UnknownFragment, place, message);
    match nearest(name, known) {
        Some(near) => diagnostic.help(format!("did you mean `[[shared:{near}]]`?")),
        None => diagnostic.help(format!("write it to `shared/{name}.md`, or remove the marker")),
    }
}

/// Reports what is live in a fragment of a system template, whose values do not reach into it.
pub(super) fn live_markers(
    text: &str,
    file: FileId,
    parsed: &Parsed<'_>,
    stack: &[Frame<'_>],
    dialect: &Dialect<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let [users @ .., _] = stack else { return };
    if dialect.braces != Braces::Upper || users.is_empty() {
        return;
    }
    let is_hole = |node: &Node<'_>| matches!(node, Node::Hole(_));
    let holes = parsed.nodes.iter().filter(|(node, _)| is_hole(node)).map(|(_, span)| *span);
    let in_braces = |span: Span| text[span.start..].starts_with('{');
    let is_live = |kind, span| kind == FaultKind::Foreign || in_braces(span);
    let faults = parsed.faults.iter().filter(|fault| is_live(fault.kind, fault.span));
    for span in holes.chain(faults.map(|fault| fault.span)) {
        let marker = span.of(text);
        let opener = &marker[..2];
        let message =
            format!("{} is live in a fragment that a system template includes", quoted(marker));
        let diagnostic = Diagnostic::new(Code::LiveFragment, Place { file, span }, message);
        found.push(users.iter().rev().fold(diagnostic, |d, user| d.label(user.place(), "included here")).help(
            format!(
                "a fragment of a system template contains only text and `[[shared:…]]`: move the marker into the template, or write `{opener}{opener}` for a literal `{opener}`"
            ),
        ));
    }
}

/// A circle of fragments, described the same way wherever it was entered.
pub(super) fn cycle(frames: &[Frame<'_>]) -> Diagnostic {
    let first = (0..frames.len()).min_by_key(|number| frames[*number].name).unwrap_or(0);
    let round: Vec<_> =
        (0..frames.len()).map(|step| &frames[(first + step) % frames.len()]).collect();
    let last = round[round.len() - 1];
    if let [alone] = round.as_slice() {
        let message = format!("the shared fragment `{}` includes itself", alone.name);
        return Diagnostic::new(Code::FragmentCycle, alone.place(), message)
            .help("remove this marker");
    }
    let names: Vec<_> = round.iter().chain(&round[..1]).map(|frame| frame.name).collect();
    let message = format!("shared fragments include each other: {}", names.join(" -> "));
    let diagnostic = Diagnostic::new(Code::FragmentCycle, last.place(), message);
    round
        .windows(2)
        .fold(diagnostic, |diagnostic, pair| {
            let text = format!("`{}` includes `{}` here", pair[0].name, pair[1].name);
            diagnostic.label(pair[0].place(), text)
        })
        .help("remove one of these markers")
}

/// A template that grows beyond all bounds.
pub(super) fn too_large(place: Place) -> Diagnostic {
    Diagnostic::new(
        Code::LinkedTooLarge,
        place,
        format!(
            "with its fragments, this template has more than {LARGEST} bytes or {MOST_FRAGMENTS} fragments"
        ),
    )
    .help("fragments that include others several times grow with every level: include each once")
}

/// A marker that nobody wrote: it begins in one file and ends in another.
pub(super) fn joined((begins, goes_on): (Place, Place)) -> Diagnostic {
    Diagnostic::new(
        Code::JoinedMarker,
        begins,
        "the edge of a fragment and the text beside it form a marker",
    )
    .label(goes_on, "it continues here")
    .help("put a blank or a line break between the two")
}
