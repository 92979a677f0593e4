//! What is open round a place: a comment, or an element that quotes or hides what it holds.

use std::ops::Range;

use memchr::memmem;

use super::tags::{ELEMENTS, Kind, Name, Tag};
use crate::models::marker::Reason;

/// What the tags so far have left open.
pub(super) struct Around {
    comment_end: usize,
    /// What is open is no comment, but a declaration or the like, in which a comment may begin.
    is_declaration: bool,
    open: [usize; ELEMENTS.len()],
}

impl Around {
    /// Creates the state before the first tag.
    pub(super) const fn new() -> Self {
        Self { comment_end: 0, is_declaration: false, open: [0; ELEMENTS.len()] }
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
    pub(super) fn pass(&mut self, text: &str, tag: &Tag) {
        let begins_comment = text[tag.at..].starts_with("<!--");
        if self.is_in_comment(tag.at) && !(self.is_declaration && begins_comment) {
            return;
        }
        match (tag.name, tag.kind) {
            (Name::Comment, _) => {
                self.comment_end = self.comment_end.max(comment_end(text, tag.at));
                self.is_declaration = !begins_comment;
            }
            // A slash at its end does not close an element of HTML.
            (Name::Element(element), Kind::Open | Kind::Empty) => self.open[element] += 1,
            (Name::Element(element), Kind::Close) => {
                self.open[element] = self.open[element].saturating_sub(1);
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

/// Finds the end of a comment, a declaration, a processing instruction or a CDATA section.
fn comment_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let (skip, end) = if rest.starts_with("<!--") {
        // `<!-->` is a whole comment.
        (2, "-->")
    } else if rest.starts_with("<![") {
        (3, "]]>")
    } else if rest.starts_with("<?") {
        (2, "?>")
    } else {
        (2, ">")
    };
    let found = memmem::find(&rest.as_bytes()[skip..], end.as_bytes());
    found.map_or(text.len(), |offset| at + skip + offset + end.len())
}
