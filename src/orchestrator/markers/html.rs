//! Raw HTML in Markdown: the values of its attributes are not shown, and what it hides is hidden.

use std::ops::Range;

use crate::models::marker::Reason;

/// How far the raw HTML of an answer has been read.
#[derive(Debug, Default)]
pub(super) struct Html {
    /// Something hides what follows: an attribute says so, or a value is not closed.
    pub(super) is_hiding: bool,
    /// A fence that a block has opened and none has closed: its sign and its length.
    fence: Option<(u8, usize)>,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    Tag,
    /// Behind `=`, where a value may begin.
    Value,
    Quoted(u8),
}

/// Attributes with which an element is not shown.
const HIDING: [&str; 4] = [" hidden", "display:none", "display: none", "visibility:hidden"];

impl Html {
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

    /// Goes through a line of a block, byte by byte, and says what is inside of a quoted value.
    pub(super) fn values(
        &mut self,
        text: &str,
        line: Range<usize>,
        mut part: impl FnMut(Range<usize>, bool),
    ) {
        self.look(&text[line.clone()]);
        let bytes = text.as_bytes();
        for at in line {
            let begins_tag = || {
                let next = bytes.get(at + 1);
                next.is_some_and(|next| next.is_ascii_alphabetic() || *next == b'/')
            };
            let next = match (self.state, bytes[at]) {
                (State::Quoted(quote), byte) if byte == quote => State::Tag,
                (State::Quoted(quote), _) | (State::Value, quote @ (b'"' | b'\'')) => {
                    State::Quoted(quote)
                }
                (State::Text | State::Tag | State::Value, b'<') if begins_tag() => State::Tag,
                (State::Text, _) | (State::Tag | State::Value, b'>') => State::Text,
                (State::Tag | State::Value, b'=') => State::Value,
                (State::Value, byte) if byte.is_ascii_whitespace() => State::Value,
                (State::Tag | State::Value, _) => State::Tag,
            };
            part(at..at + 1, matches!(next, State::Quoted(_)));
            self.state = next;
        }
    }
}
