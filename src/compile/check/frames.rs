//! The frames of a template: closed and well nested, round whatever brings text of any size; and no value within a tag.
//!
//! That nothing can close a frame from within is the work of the guard, when a prompt is rendered. What is checked here
//! is that there is a frame.

use super::super::code::Code;
use super::super::diagnostic::{Diagnostic, Place, quoted};
use super::Template;
use crate::template::{Ending, FrameFaultKind, Frames, Node, Span, Tags, frames};

/// A text with its markers, and how its places are found.
pub(super) struct Framed<'f, 't> {
    pub(super) text: &'f str,
    pub(super) nodes: &'f [(Node<'t>, Span)],
    pub(super) place: &'f dyn Fn(Span) -> Place,
}

/// Checks a linked template; `needs_frame` says which of its markers bring text of any size. Where a fragment is
/// missing, its tags are too, and nothing can be said.
pub(super) fn check(
    template: &Template<'_>,
    needs_frame: impl Fn(&Node<'_>) -> bool,
    found: &mut Vec<Diagnostic>,
) {
    if template.linked.complete {
        let place = |span| template.place(span);
        let framed = Framed { text: template.text, nodes: &template.parsed.nodes, place: &place };
        framed.check(|node, _| needs_frame(node), found);
    }
}

impl Framed<'_, '_> {
    pub(super) fn check(
        &self,
        needs_frame: impl Fn(&Node<'_>, Span) -> bool,
        found: &mut Vec<Diagnostic>,
    ) {
        // A marker that is wrong in itself is reported as that alone.
        let wrong: Vec<Place> = found.iter().map(|other| other.place).collect();
        let frames = frames(self.text);
        self.open_ends(&frames, found);
        let tags = Tags::PROTOCOL.with(frames.names.iter().copied());
        for (node, span) in self.nodes {
            if !matches!(node, Node::Hole(_) | Node::Include { .. }) {
                continue;
            }
            let place = (self.place)(*span);
            if wrong.iter().any(|other| is_within(*other, place)) {
                continue;
            }
            let marker = quoted(span.of(self.text));
            if is_in_tag(&self.text[..span.start], &tags) {
                found.push(
                    Diagnostic::new(Code::ValueInTag, place, format!("{marker} is inside a tag"))
                        .help("close the tag before it: otherwise the value could be read as part of the tag"),
                );
            } else if needs_frame(node, *span) && !frames.enclose(*span) {
                found.push(
                    Diagnostic::new(
                        Code::UnframedValue,
                        place,
                        format!("{marker} is outside a frame"),
                    )
                    .help("put it between a line `<name>` and a line `</name>` that describe it; a tag of the document is not a frame"),
                );
            }
        }
    }

    fn open_ends(&self, frames: &Frames<'_>, found: &mut Vec<Diagnostic>) {
        for fault in &frames.faults {
            let (place, name) = ((self.place)(fault.span), fault.name);
            found.push(match fault.kind {
                FrameFaultKind::Unclosed => {
                    let message = format!("the frame `<{name}>` is not closed");
                    Diagnostic::new(Code::UnclosedFrame, place, message).help(format!(
                        "write a line `</{name}>` where it ends, before the end of the enclosing frame"
                    ))
                }
                FrameFaultKind::Unopened => {
                    let message = format!("the frame `</{name}>` is closed but was never opened");
                    Diagnostic::new(Code::UnopenedFrame, place, message).help(format!(
                        "write a line `<{name}>` where it starts, or remove this line"
                    ))
                }
            });
        }
    }
}

/// Returns whether a diagnostic's place lies within another.
fn is_within(inner: Place, outer: Place) -> bool {
    inner.file == outer.file
        && outer.span.start <= inner.span.start
        && inner.span.end <= outer.span.end
}

/// No tag of a template is longer; further back is not looked.
const LONGEST_TAG: usize = 1 << 12;

/// Returns whether the end of a text is within a tag: after a `<` with which whatever follows could make one, or among the
/// attributes of one of ours.
fn is_in_tag(before: &str, tags: &Tags<'_>) -> bool {
    let before = &before[before.floor_char_boundary(before.len().saturating_sub(LONGEST_TAG))..];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let open = before[line..].rfind('<').map(|at| line + at);
    if open
        .is_some_and(|at| !before[at..].contains('>') && tags.begin(before, at + 1, Ending::Open))
    {
        return true;
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    let before = before.trim_end_matches(is_part);
    before.trim_end_matches(|c: char| c == '/' || c.is_whitespace()).ends_with('<')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_an_open_tag_is_within_it() {
        let tags = Tags::PROTOCOL;
        for before in ["<", "x </", "< \n", "<re", "<task_status id=\"", "a < / "] {
            assert!(is_in_tag(before, &tags), "{before:?}");
        }
        for before in ["", "<b>", "a < b and ", "x -> ", "<notes>\n", "<task_status id=\"1\">"] {
            assert!(!is_in_tag(before, &tags), "{before:?}");
        }
    }
}
