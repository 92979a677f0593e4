//! What is open round a place: a comment, or an element that quotes or hides what it holds.
//!
//! What hides is believed at once, and what shows again only where it is certain. So a comment that Markdown does not read
//! as one hides a verdict, but not the tag of an element that opens in it.

use std::ops::Range;

use memchr::memmem;

use super::places::Place;
use super::tags::{ELEMENTS, Form, Kind, Name, Tag};
use crate::models::marker::Reason;

/// What the tags so far have left open.
pub(super) struct Around {
    /// Where the last of the comments ends, with those that may be none.
    comment_end: usize,
    /// Where the last comment ends that certainly is one: no tag in it is a tag.
    certain_end: usize,
    ends: Ends,
    open: [usize; ELEMENTS.len()],
}

impl Around {
    /// Creates the state before the first tag.
    pub(super) fn new() -> Self {
        let (ends, open) = (Ends::default(), [0; ELEMENTS.len()]);
        Self { comment_end: 0, certain_end: 0, ends, open }
    }

    /// Returns why a marker at a place is not the answer's own statement; none where nothing is open.
    pub(super) fn reason(&self, at: usize) -> Option<Reason> {
        let is_in_element = self.open.iter().any(|open| *open > 0);
        self.is_in_comment(at)
            .then_some(Reason::Comment)
            .or(is_in_element.then_some(Reason::Element))
    }

    pub(super) const fn is_in_comment(&self, at: usize) -> bool {
        at < self.comment_end
    }

    /// Goes past a tag that is not in code.
    pub(super) fn pass(&mut self, text: &str, tag: &Tag, place: Place) {
        if tag.at < self.certain_end {
            return;
        }
        let is_shown = place.reason != Some(Reason::Invisible);
        match (tag.name, tag.kind) {
            (Name::Comment, _) => {
                let end = self.ends.of(text, tag.at);
                self.comment_end = self.comment_end.max(end);
                let is_comment = text[tag.at..].starts_with("<!--");
                if is_comment && is_shown && end <= place.html_end {
                    self.certain_end = end;
                }
            }
            // A slash at its end does not close an element of HTML.
            (Name::Element(element), Kind::Open | Kind::Empty) => self.open[element] += 1,
            (Name::Element(element), Kind::Close) => {
                if is_shown && !self.is_in_comment(tag.at) && closes(text, tag, ELEMENTS[element]) {
                    self.open[element] = self.open[element].saturating_sub(1);
                }
            }
            (Name::Review | Name::TaskStatus | Name::Blocked | Name::Thought, _) => {}
        }
    }

    /// Returns whether a tag in a span, of all the tags in order, closes an element that is open here.
    pub(super) fn ends_within(&self, span: &Range<usize>, tags: &[Tag]) -> bool {
        let first = tags.partition_point(|tag| tag.at <= span.start);
        tags[first..].iter().take_while(|tag| tag.at < span.end).any(|tag| match tag.name {
            Name::Element(element) => tag.kind == Kind::Close && self.open[element] > 0,
            Name::Review | Name::TaskStatus | Name::Blocked | Name::Thought | Name::Comment => {
                false
            }
        })
    }
}

/// Returns whether a closing tag is one for HTML too: `</pre >` is, `</ pre>` and one without an end are not.
fn closes(text: &str, tag: &Tag, name: &str) -> bool {
    let inner = text[tag.at..tag.end].strip_prefix("</").and_then(|tag| tag.strip_suffix('>'));
    tag.form != Form::Broken
        && inner.is_some_and(|inner| inner.trim_ascii_end().eq_ignore_ascii_case(name))
}

/// The signs that end a comment, a CDATA section, a processing instruction and a declaration.
const SIGNS: [&str; 4] = ["-->", "]]>", "?>", ">"];

/// Finds where comments end, for places in order. Each sign that was found is kept until it has been passed, so that
/// many comments with one end take linear time.
#[derive(Default)]
struct Ends {
    found: [Option<usize>; SIGNS.len()],
}

impl Ends {
    /// Returns the end of a comment, a declaration, a processing instruction or a CDATA section.
    fn of(&mut self, text: &str, at: usize) -> usize {
        let rest = &text[at..];
        let (skip, kind) = if rest.starts_with("<!--") {
            // `<!-->` is a whole comment.
            (2, 0)
        } else if rest.starts_with("<![") {
            (3, 1)
        } else if rest.starts_with("<?") {
            (2, 2)
        } else {
            (2, 3)
        };
        let (from, sign) = (at + skip, SIGNS[kind]);
        let known = self.found[kind].filter(|found| *found >= from);
        let found = known.unwrap_or_else(|| {
            let found = memmem::find(&text.as_bytes()[from..], sign.as_bytes());
            found.map_or(text.len(), |offset| from + offset)
        });
        self.found[kind] = Some(found);
        text.len().min(found + sign.len())
    }
}
