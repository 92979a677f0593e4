//! Raw HTML in Markdown: what is inside its tags is not shown, and what it hides is hidden.

use std::ops::Range;

use crate::models::marker::Reason;

/// How far the raw HTML of an answer has been read.
#[derive(Debug, Default)]
pub(super) struct Html {
    /// Something hides what follows: an attribute says so, or a value is not closed.
    pub(super) is_hiding: bool,
    /// A fence that is open in a block: its sign and its length.
    fence: Option<(u8, usize)>,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Tag,
    Quoted(u8),
}

/// Attributes with which an element is not shown.
const HIDING: [&str; 4] = [" hidden", "display:none", "display: none", "visibility:hidden"];

impl Html {
    /// Begins a block.
    pub(super) const fn begin(&mut self) {
        self.fence = None;
        self.state = State::Text;
    }

    /// Ends a block. Where it ends within a value, a browser takes what follows for the value.
    pub(super) const fn end(&mut self) {
        self.is_hiding |= matches!(self.state, State::Quoted(_));
    }

    /// Looks for attributes that hide.
    pub(super) fn look(&mut self, tag: &str) {
        let tag = tag.to_ascii_lowercase();
        self.is_hiding |= HIDING.iter().any(|hiding| tag.contains(hiding));
    }

    /// Returns whether a line of a block is fenced. For CommonMark that is no code; for a person who reads it, it is.
    pub(super) fn fence(&mut self, line: &str) -> Option<Reason> {
        let rest = line.trim();
        let sign = rest.bytes().next().filter(|sign| matches!(sign, b'`' | b'~'));
        let length = sign.map_or(0, |sign| rest.bytes().take_while(|byte| *byte == sign).count());
        match (self.fence, sign) {
            (None, Some(sign)) if length >= 3 => self.fence = Some((sign, length)),
            (Some((own, least)), Some(sign))
                if sign == own && length >= least && rest.len() == length =>
            {
                self.fence = None;
                return Some(Reason::Element);
            }
            (None | Some(_), _) => {}
        }
        self.fence.map(|_| Reason::Element)
    }

    /// Divides a line of a block into what is shown and what is inside of tags.
    pub(super) fn tags(
        &mut self,
        text: &str,
        line: Range<usize>,
        mut part: impl FnMut(Range<usize>, bool),
    ) {
        self.look(&text[line.clone()]);
        let bytes = text.as_bytes();
        let mut start = line.start;
        for at in line.clone() {
            let next = match (self.state, bytes[at]) {
                (State::Text | State::Tag, b'<')
                    if bytes
                        .get(at + 1)
                        .is_some_and(|next| next.is_ascii_alphabetic() || *next == b'/') =>
                {
                    State::Tag
                }
                (State::Tag, b'>') => State::Text,
                (State::Tag, quote @ (b'"' | b'\'')) if bytes[at - 1] == b'=' => {
                    State::Quoted(quote)
                }
                (State::Quoted(quote), byte) if byte == quote => State::Tag,
                (state, _) => state,
            };
            // A sign that begins a tag is shown with what stands before it.
            if next != self.state || bytes[at] == b'<' {
                let end = at + 1;
                part(
                    start..end,
                    self.state != State::Text && bytes[at] != b'<'
                        || matches!(self.state, State::Quoted(_)),
                );
                start = end;
                self.state = next;
            }
        }
        part(start..line.end, self.state != State::Text);
    }
}
