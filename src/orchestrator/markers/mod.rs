//! Reads the markers of an agent's final message: strict to pass, quick to fail.
//!
//! `tags` finds tags however they are spelled, and `view` takes closed thoughts out. `scene` says where each tag of the rest
//! stands: `places` asks Markdown, `html` knows what raw HTML hides, `around` which comments and elements are open, and `words`
//! finds verdicts that are named without a marker. `read` judges each marker, `line` says which stand alone, `blocked` finds
//! the questions for a person, and `verdict` decides from all of them.

mod around;
mod blocked;
mod html;
mod line;
mod places;
mod read;
mod scene;
mod tags;
mod verdict;
mod view;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr_iter;

use crate::models::marker::{Ignored, Marker, MarkerError, Reason, ReviewResult};

/// An answer, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<'t> {
    /// The markers that count, in order.
    pub markers: Vec<Marker>,
    text: &'t str,
    thoughts: Vec<Range<usize>>,
    seen: Vec<Seen>,
}

/// A verdict, a task status or a question for a person, well-formed or not.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    /// Where it stands, as far as it is shown.
    span: Range<usize>,
    subject: Subject,
    /// Why it does not count.
    reason: Option<Reason>,
    /// It says, or may say, something else than PASS.
    contradicts: bool,
}

/// What a marker speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    Review,
    /// A verdict that is named without a marker.
    Word,
    /// A task, by its id where that can be read.
    Task(Option<String>),
    /// A question for a person.
    Blocked,
}

/// A marker as it was written, and why it counts or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The marker, on one line.
    pub text: String,
    /// Its line.
    pub line: usize,
    /// Whether it counts.
    pub counts: bool,
    /// Whether no PASS can count beside it.
    pub contradicts: bool,
    /// Why, in words that stand behind "is".
    pub why: &'static str,
}

impl<'t> Answer<'t> {
    /// Reads an answer.
    pub fn read(text: &'t str) -> Self {
        read::read(text)
    }

    /// Returns every verdict, task status and question for a person that was seen, in order, with why it counts or does
    /// not.
    pub fn explained(&self) -> Vec<Explained> {
        let mut lines = Lines::of(self.text);
        let explained = |seen: &Seen| Explained {
            text: one_line(&self.text[seen.span.clone()]),
            line: lines.at(seen.span.start),
            counts: seen.reason.is_none(),
            contradicts: seen.contradicts
                || (seen.subject == Subject::Blocked && seen.reason.is_none()),
            why: seen.reason.map_or_else(|| self.why_it_counts(seen.span.start), Reason::words),
        };
        self.seen.iter().map(explained).collect()
    }

    fn why_it_counts(&self, at: usize) -> &'static str {
        use crate::template::{TaskStatus, Verdict};
        let place = self.markers.binary_search_by_key(&at, Marker::at);
        match place.ok().map(|place| &self.markers[place]) {
            Some(
                Marker::Review { verdict: Verdict::Pass, .. }
                | Marker::Task { status: TaskStatus::Completed, .. },
            ) => "alone on its line, in plain text",
            Some(Marker::Review { .. }) => {
                "a verdict other than PASS, which counts wherever it stands"
            }
            Some(Marker::Task { .. }) => "FAILED, which counts however it is written",
            Some(Marker::Blocked { .. }) => {
                "a question for a person, which counts however it is written and beats every verdict"
            }
            Some(Marker::Thought { .. }) | None => "a marker",
        }
    }

    /// Returns the markers that do not count, in order.
    pub fn ignored(&self) -> Vec<Ignored> {
        self.listed(|_| true)
    }

    fn listed(&self, is_listed: impl Fn(&Seen) -> bool) -> Vec<Ignored> {
        let mut lines = Lines::of(self.text);
        let ignored = |seen: &Seen| {
            let text = one_line(&self.text[seen.span.clone()]);
            let (line, contradicts) = (lines.at(seen.span.start), seen.contradicts);
            seen.reason.map(|reason| Ignored { text, line, reason, contradicts })
        };
        self.seen.iter().filter(|seen| is_listed(seen)).filter_map(ignored).collect()
    }

    /// Returns the line of a place; finding markers does not wait for lines to be counted.
    pub fn line(&self, at: usize) -> usize {
        1 + memchr_iter(b'\n', &self.text.as_bytes()[..at.min(self.text.len())]).count()
    }

    /// Returns the answer without its thoughts.
    pub fn without_thoughts(&self) -> Cow<'t, str> {
        if self.thoughts.is_empty() {
            return Cow::Borrowed(self.text);
        }
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for thought in &self.thoughts {
            text.push_str(&self.text[copied..thought.start]);
            copied = thought.end;
        }
        text.push_str(&self.text[copied..]);
        Cow::Owned(text)
    }
}

/// Counts lines for places that come in order.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: usize,
}

impl<'t> Lines<'t> {
    const fn of(text: &'t str) -> Self {
        Self { text: text.as_bytes(), at: 0, line: 1 }
    }

    fn at(&mut self, at: usize) -> usize {
        self.line += memchr_iter(b'\n', &self.text[self.at..at]).count();
        self.at = at;
        self.line
    }
}

/// Shows a marker on one line, however it was written.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Puts an answer together that comes in pieces; how it is cut makes no difference.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    bytes: Vec<u8>,
}

impl Pieces {
    /// Takes the next piece, which may end in the middle of a character.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    /// Returns the whole, ready to be read; bytes that are not UTF-8 become U+FFFD.
    pub fn finish(self) -> String {
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// Returns the verdict of an answer: the worst, if there are several. PASS must stand alone on a line, in plain text,
/// with nothing in the answer that says something else.
///
/// ```
/// use agentd::orchestrator::{ReviewResult, parse_review_marker};
///
/// assert_eq!(parse_review_marker("Fine.\n\n**<review>PASS</review>**"), Ok(ReviewResult::Pass));
/// let both = "<review>PASS</review>\n\nBut one thing: <review>NEEDS_REVISION</review>";
/// assert_eq!(parse_review_marker(both), Ok(ReviewResult::NeedsRevision));
/// assert!(parse_review_marker("`<review>PASS</review>`").is_err());
/// assert!(parse_review_marker("I cannot say <review>PASS</review> yet.").is_err());
/// ```
pub fn parse_review_marker(output: &str) -> Result<ReviewResult, MarkerError> {
    Answer::read(output).verdict(None)
}
