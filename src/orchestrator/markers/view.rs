//! An answer without its thoughts, as Markdown reads it, and the way back from there to the answer itself.

use std::borrow::Cow;
use std::ops::Range;

use super::tags::{Form, Kind, Name, Tag};

/// Stands in the place of a thought, so that Markdown sees that something stands there.
const STAND_IN: char = '\u{fffc}';

/// The answer with a sign in the place of every closed thought.
pub(super) struct View<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) cuts: Vec<Cut>,
}

/// A thought that was taken out.
pub(super) struct Cut {
    /// Where its sign stands in the view.
    pub(super) at: usize,
    /// The thought, in the answer.
    pub(super) thought: Range<usize>,
    /// Where its closing tag begins there.
    pub(super) close: usize,
}

impl Cut {
    /// Returns where the view goes on behind the sign.
    pub(super) const fn resume(&self) -> usize {
        self.at + STAND_IN.len_utf8()
    }
}

/// A thought from its opening tag to its closing one.
pub(super) struct Closed {
    span: Range<usize>,
    close: usize,
}

impl<'t> View<'t> {
    /// Takes the thoughts out, which are in order and apart from each other.
    pub(super) fn without(text: &'t str, thoughts: Vec<Closed>) -> Self {
        if thoughts.is_empty() {
            return Self { text: Cow::Borrowed(text), cuts: Vec::new() };
        }
        let mut out = String::with_capacity(text.len());
        let mut cuts = Vec::with_capacity(thoughts.len());
        let mut copied = 0;
        for Closed { span: thought, close } in thoughts {
            out.push_str(&text[copied..thought.start]);
            copied = thought.end;
            cuts.push(Cut { at: out.len(), thought, close });
            out.push(STAND_IN);
        }
        out.push_str(&text[copied..]);
        Self { text: Cow::Owned(out), cuts }
    }

    /// Returns the place in the answer of a place in the view.
    pub(super) fn original(&self, at: usize) -> usize {
        let before = self.cuts.partition_point(|cut| cut.resume() <= at);
        match before.checked_sub(1).map(|last| &self.cuts[last]) {
            Some(cut) => cut.thought.end + (at - cut.resume()),
            None => at,
        }
    }

    /// Returns the line that `at` is on.
    pub(super) fn line(&self, at: usize) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |before| before + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |offset| at + offset);
        start..end
    }

    /// Returns whether a fence follows a thought on its line: without the thought it would open code.
    pub(super) fn has_fence_behind(&self, cut: &Cut) -> bool {
        let behind = self.text[cut.resume()..].trim_start_matches([' ', '\t']);
        behind.starts_with("```") || behind.starts_with("~~~")
    }

    /// Returns the text of a range without the signs that stand for thoughts.
    pub(super) fn plain(&self, range: Range<usize>) -> String {
        let mut plain = String::with_capacity(range.len());
        let mut copied = range.start;
        let first = self.cuts.partition_point(|cut| cut.at < range.start);
        for cut in self.cuts[first..].iter().take_while(|cut| cut.at < range.end) {
            plain.push_str(&self.text[copied..cut.at]);
            copied = cut.resume();
        }
        plain.push_str(&self.text[copied..range.end]);
        plain
    }
}

/// Makes line feeds of lone carriage returns, byte for byte.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_lone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
    let mut lone = memchr::memchr_iter(b'\r', bytes).filter(is_lone).peekable();
    if lone.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for at in lone {
        out.push_str(&text[copied..at]);
        out.push('\n');
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Pairs the tags of thoughts, nested ones too, and returns the outermost pairs. Tags that `is_text` names are none.
pub(super) fn closed_thoughts(tags: &[Tag], is_text: impl Fn(usize) -> bool) -> Vec<Closed> {
    let mut open = Vec::new();
    let mut pairs = Vec::new();
    for tag in tags.iter().filter(|tag| tag.name == Name::Thought && !is_text(tag.at)) {
        match tag.kind {
            Kind::Open if tag.form != Form::Broken => open.push(tag.at),
            // One that is not written as a tag stays open: what follows neither counts nor is excused.
            Kind::Open | Kind::Empty => {}
            Kind::Close => {
                if tag.form != Form::Broken
                    && let Some(start) = open.pop()
                {
                    pairs.push(Closed { span: start..tag.end, close: tag.at });
                }
            }
        }
    }
    pairs.sort_unstable_by_key(|pair| pair.span.start);
    let mut end = 0;
    pairs.retain(|pair| {
        let is_outermost = pair.span.start >= end;
        end = end.max(pair.span.end);
        is_outermost
    });
    pairs
}
