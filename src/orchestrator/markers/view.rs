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
}

impl Cut {
    /// Returns where the view goes on behind the sign.
    pub(super) const fn resume(&self) -> usize {
        self.at + STAND_IN.len_utf8()
    }
}

impl<'t> View<'t> {
    /// Takes the thoughts out, which are in order and apart from each other.
    pub(super) fn without(text: &'t str, thoughts: Vec<Range<usize>>) -> Self {
        if thoughts.is_empty() {
            return Self { text: Cow::Borrowed(text), cuts: Vec::new() };
        }
        let mut out = String::with_capacity(text.len());
        let mut cuts = Vec::with_capacity(thoughts.len());
        let mut copied = 0;
        for thought in thoughts {
            out.push_str(&text[copied..thought.start]);
            copied = thought.end;
            cuts.push(Cut { at: out.len(), thought });
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
        for cut in self.cuts[first..].iter().take_while(|cut| cut.at <= range.end) {
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

/// What a tag of a thought between ticks is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ticked {
    Mention,
    Tag,
}

/// Pairs the tags of thoughts, nested ones too, and returns the outermost pairs.
pub(super) fn closed_thoughts(text: &str, tags: &[Tag], ticked: Ticked) -> Vec<Range<usize>> {
    let mut open = Vec::new();
    let mut pairs: Vec<Range<usize>> = Vec::new();
    // One that is broken, or is not in code after all, is left open: what follows neither counts nor is excused.
    let is_tag = |tag: &Tag| ticked == Ticked::Tag || !is_mention(text, tag);
    let is_thought =
        |tag: &&Tag| tag.name == Name::Thought && tag.form != Form::Broken && is_tag(tag);
    for tag in tags.iter().filter(is_thought) {
        match tag.kind {
            Kind::Open => open.push(tag.at),
            Kind::Empty => {}
            Kind::Close => {
                if let Some(start) = open.pop() {
                    // What it holds is a part of it.
                    while pairs.pop_if(|pair| pair.start >= start).is_some() {}
                    pairs.push(start..tag.end);
                }
            }
        }
    }
    pairs
}

/// Returns whether a tag stands between ticks: then it is spoken of, in a thought too.
pub(super) fn is_mention(text: &str, tag: &Tag) -> bool {
    let (before, behind) = (&text[..tag.at], &text[tag.end..]);
    let ticks = before.len() - before.trim_end_matches('`').len();
    ticks > 0 && ticks == behind.len() - behind.trim_start_matches('`').len()
}

/// Returns whether a place is in one of the thoughts, which are in order and apart from each other.
pub(super) fn is_in(thoughts: &[Range<usize>], at: usize) -> bool {
    let before = thoughts.partition_point(|thought| thought.start <= at);
    before.checked_sub(1).is_some_and(|last| at < thoughts[last].end)
}
