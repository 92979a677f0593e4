//! Reads the markers of an agent's final message. What stands in code, thoughts or comments does not count;
//! of several verdicts the worst does; what is missing or unclear is an error and never a pass.
//!
//! `code` knows where code is, `scan` finds the markers in one pass from left to right.

mod code;
mod scan;

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr_iter;

use crate::models::marker::{Ignored, Marker, MarkerError, Reason, ReviewResult};
use crate::template::{LineIndex, Phase, TaskStatus};

/// An answer, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<'t> {
    /// The markers that count, in order.
    pub markers: Vec<Marker>,
    text: &'t str,
    thoughts: Vec<Range<usize>>,
    hidden: Vec<Hidden>,
}

/// A marker that does not count: where it stands, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hidden {
    span: Range<usize>,
    reason: Reason,
}

impl<'t> Answer<'t> {
    /// Reads an answer.
    pub fn read(text: &'t str) -> Self {
        scan::scan(text)
    }

    /// Lists the markers that do not count, in order.
    pub fn ignored(&self) -> Vec<Ignored> {
        let lines = LineIndex::new(self.text);
        let ignored = |hidden: &Hidden| Ignored {
            text: one_line(&self.text[hidden.span.clone()]),
            line: lines.position(hidden.span.start).line,
            reason: hidden.reason,
        };
        self.hidden.iter().map(ignored).collect()
    }

    /// Gives the line of a place; finding markers does not wait for lines to be counted.
    pub fn line(&self, at: usize) -> usize {
        1 + memchr_iter(b'\n', &self.text.as_bytes()[..at.min(self.text.len())]).count()
    }

    /// Gives the answer without its thoughts.
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

    /// Gives the worst of the verdicts, if all of them are verdicts and the phase knows them.
    pub fn verdict(&self, phase: Option<Phase>) -> Result<ReviewResult, MarkerError> {
        let mut worst = None;
        for marker in &self.markers {
            match marker {
                Marker::UnknownReview { token, at } => {
                    return Err(MarkerError::UnknownVerdict {
                        token: token.clone(),
                        line: self.line(*at),
                    });
                }
                Marker::Review { verdict, at } => {
                    if let Some(phase) = phase.filter(|phase| !phase.verdicts().contains(verdict)) {
                        let (verdict, line) = (*verdict, self.line(*at));
                        return Err(MarkerError::NotOfThisPhase { verdict, phase, line });
                    }
                    worst = worst.max(Some(*verdict));
                }
                Marker::Task { .. } | Marker::UnknownTask { .. } | Marker::Thought { .. } => {}
            }
        }
        worst.ok_or_else(|| MarkerError::MissingReviewMarker { ignored: self.ignored() })
    }

    /// Gives the status of each task that is spoken of, in the order of first mention; FAILED beats COMPLETED.
    pub fn task_statuses(&self) -> Result<Vec<(&str, TaskStatus)>, MarkerError> {
        let mut statuses: Vec<(&str, TaskStatus)> = Vec::new();
        let mut places = std::collections::HashMap::new();
        for marker in &self.markers {
            match marker {
                Marker::UnknownTask { text, at } => {
                    let (text, line) = (text.clone(), self.line(*at));
                    return Err(MarkerError::UnknownStatus { text, line });
                }
                Marker::Task { id, status, .. } => {
                    let place = *places.entry(id.as_str()).or_insert(statuses.len());
                    match statuses.get_mut(place) {
                        Some((_, known)) => *known = (*known).max(*status),
                        None => statuses.push((id, *status)),
                    }
                }
                Marker::Review { .. } | Marker::UnknownReview { .. } | Marker::Thought { .. } => {}
            }
        }
        Ok(statuses)
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

    /// Gives the whole, to be read; bytes that are not UTF-8 become U+FFFD.
    pub fn finish(self) -> String {
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// Gives the verdict of an answer: the worst, if there are several.
///
/// ```
/// use agentd::orchestrator::{ReviewResult, parse_review_marker};
///
/// let answer = "Fine, but see below.\n<review>PASS</review>\n<review>NEEDS_REVISION</review>";
/// assert_eq!(parse_review_marker(answer), Ok(ReviewResult::NeedsRevision));
/// assert!(parse_review_marker("`<review>PASS</review>`").is_err());
/// ```
pub fn parse_review_marker(output: &str) -> Result<ReviewResult, MarkerError> {
    Answer::read(output).verdict(None)
}
