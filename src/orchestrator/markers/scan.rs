//! Finds markers in one pass from left to right: only `<` is looked at, and only where a marker, a thought or a
//! comment begins is it asked whether the place is code.

use memchr::{memchr_iter, memmem};

use super::code::Code;
use super::{Answer, Hidden, one_line};
use crate::models::marker::{Marker, Reason};
use crate::template::{TaskStatus, Verdict};

/// A token longer than this is no token.
const LONGEST_TOKEN: usize = 64;
/// The tag of a task status is at most this long.
const LONGEST_TAG: usize = 128;

/// Reads a whole answer.
pub(super) fn scan(text: &str) -> Answer<'_> {
    let answer = Answer { markers: Vec::new(), text, thoughts: Vec::new(), hidden: Vec::new() };
    let mut scan = Scan { text, code: Code::new(text), answer };
    let mut resume = 0;
    for at in memchr_iter(b'<', text.as_bytes()) {
        if at >= resume {
            resume = scan.at(at);
        }
    }
    scan.answer
}

struct Scan<'t> {
    text: &'t str,
    code: Code<'t>,
    answer: Answer<'t>,
}

impl Scan<'_> {
    /// Looks at one `<` and says from where to look on.
    fn at(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        if rest.starts_with("<review>") {
            return self.marker(at, "<review>".len(), "</review>");
        }
        if let Some(tag) = task_tag(rest) {
            return self.marker(at, tag, "</task_status>");
        }
        if rest.starts_with("<thought>") && self.code.covers(at).is_none() {
            return self.hidden(at, "</thought>", Reason::Thought);
        }
        if rest.starts_with("<!--") && self.code.covers(at).is_none() {
            return self.hidden(at, "-->", Reason::Comment);
        }
        at
    }

    /// Takes a marker whose opening tag has `tag` bytes.
    fn marker(&mut self, at: usize, tag: usize, close: &str) -> usize {
        let inner = at + tag;
        let window = self.text.floor_char_boundary((inner + LONGEST_TOKEN).min(self.text.len()));
        let length = self.text[inner..window]
            .find('<')
            .filter(|length| self.text[inner + length..].starts_with(close));
        let end = length.map_or(inner, |length| inner + length + close.len());
        if let Some(reason) = self.code.covers(at) {
            self.answer.hidden.push(Hidden { span: at..end, reason });
            return end;
        }
        let Some(length) = length else {
            self.answer.hidden.push(Hidden { span: at..end, reason: Reason::Unclosed });
            return end;
        };
        let token = self.text[inner..inner + length].trim();
        self.answer.markers.push(if close == "</review>" {
            match Verdict::from_word(token) {
                Some(verdict) => Marker::Review { verdict, at },
                None => Marker::UnknownReview { token: token.to_owned(), at },
            }
        } else {
            match (task_id(&self.text[at..inner]), TaskStatus::from_word(token)) {
                (Some(id), Some(status)) => Marker::Task { id: id.to_owned(), status, at },
                _ => Marker::UnknownTask { text: one_line(&self.text[at..end]), at },
            }
        });
        end
    }

    /// Passes over a thought or a comment; one that is not closed reaches to the end.
    fn hidden(&mut self, at: usize, close: &str, reason: Reason) -> usize {
        let found = memmem::find(&self.text.as_bytes()[at..], close.as_bytes());
        let end = found.map_or(self.text.len(), |offset| at + offset + close.len());
        if reason == Reason::Thought {
            let inner = at + "<thought>".len();
            let text = self.text[inner..found.map_or(end, |offset| at + offset)].trim().to_owned();
            self.answer.markers.push(Marker::Thought { text, at });
            self.answer.thoughts.push(at..end);
        }
        self.ignore_within(at, end, reason);
        self.code.start_at(end);
        end
    }

    /// Notes the markers inside a thought or a comment.
    fn ignore_within(&mut self, start: usize, end: usize, reason: Reason) {
        let hidden = &self.text[start..end];
        for offset in memchr_iter(b'<', hidden.as_bytes()) {
            let rest = &hidden[offset..];
            let close = if rest.starts_with("<review>") {
                "</review>"
            } else if task_tag(rest).is_some() {
                "</task_status>"
            } else {
                continue;
            };
            let window =
                &rest[..rest.floor_char_boundary((LONGEST_TAG + LONGEST_TOKEN).min(rest.len()))];
            let length = window.find(close).map_or(1, |at| at + close.len());
            let at = start + offset;
            self.answer.hidden.push(Hidden { span: at..at + length, reason });
        }
    }
}

/// Measures the opening tag of a task status.
fn task_tag(rest: &str) -> Option<usize> {
    let attributes = rest.strip_prefix("<task_status")?;
    let window = &attributes.as_bytes()[..attributes.len().min(LONGEST_TAG)];
    let end = window.iter().position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
    let is_tag = window[end] == b'>' && (end == 0 || window[0] == b' ');
    is_tag.then_some("<task_status".len() + end + 1)
}

/// Reads the id out of an opening tag.
fn task_id(tag: &str) -> Option<&str> {
    let value = tag.split_once("id=")?.1;
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let id = value[1..].split_once(quote)?.0;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    (!id.is_empty() && id.len() <= 32 && id.chars().all(is_part)).then_some(id)
}
