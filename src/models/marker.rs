//! What an agent's answer says in markers: verdicts, task statuses and thoughts.

use serde::Serialize;
use thiserror::Error;

use crate::template::{Phase, TaskStatus, Verdict};

/// The verdict of a review.
pub type ReviewResult = Verdict;

/// A marker that counts, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// `<review>…</review>` with a verdict that exists.
    Review {
        /// The verdict.
        verdict: ReviewResult,
        /// The byte it begins at.
        at: usize,
    },
    /// `<review>…</review>` with a word that is no verdict.
    UnknownReview {
        /// The word.
        token: String,
        /// The byte it begins at.
        at: usize,
    },
    /// `<task_status id="…">…</task_status>`.
    Task {
        /// The task.
        id: String,
        /// Its status.
        status: TaskStatus,
        /// The byte it begins at.
        at: usize,
    },
    /// `<task_status …>…</task_status>` without an id, or with a word that is no status.
    UnknownTask {
        /// The marker as it was written.
        text: String,
        /// The byte it begins at.
        at: usize,
    },
    /// `<thought>…</thought>`, or from `<thought>` to the end where it is not closed.
    Thought {
        /// What was thought.
        text: String,
        /// The byte it begins at.
        at: usize,
    },
}

/// A marker that does not count, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// The marker as it was written.
    pub text: String,
    /// Its line.
    pub line: usize,
    /// Why it does not count.
    pub reason: Reason,
}

/// Why a marker does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It stands in a code block.
    CodeBlock,
    /// It stands in inline code.
    InlineCode,
    /// It stands in a thought.
    Thought,
    /// It stands in an HTML comment.
    Comment,
    /// Its closing tag does not follow.
    Unclosed,
}

impl Reason {
    /// Says it in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::CodeBlock => "in a code block",
            Self::InlineCode => "in inline code",
            Self::Thought => "in a thought",
            Self::Comment => "in a comment",
            Self::Unclosed => "not closed",
        }
    }
}

/// Why an answer has no usable verdict or statuses.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MarkerError {
    /// There is no `<review>` marker that counts.
    #[error("MissingReviewMarker: the answer holds no review marker{}", seen(.ignored))]
    MissingReviewMarker {
        /// The markers that were seen and do not count.
        ignored: Vec<Ignored>,
    },
    /// A `<review>` marker holds a word that is no verdict.
    #[error("line {line}: `{token}` is no verdict")]
    UnknownVerdict {
        /// The word.
        token: String,
        /// Its line.
        line: usize,
    },
    /// The verdict is one that this phase does not know.
    #[error("line {line}: the verdict `{verdict}` is not one of phase `{phase}`")]
    NotOfThisPhase {
        /// The verdict.
        verdict: ReviewResult,
        /// The phase.
        phase: Phase,
        /// Its line.
        line: usize,
    },
    /// A `<task_status>` marker has no id or a word that is no status.
    #[error("line {line}: `{text}` is no task status")]
    UnknownStatus {
        /// The marker as it was written.
        text: String,
        /// Its line.
        line: usize,
    },
}

fn seen(ignored: &[Ignored]) -> String {
    if ignored.is_empty() {
        return String::new();
    }
    let one = |ignored: &Ignored| {
        format!("`{}` on line {} is {}", ignored.text, ignored.line, ignored.reason.words())
    };
    format!(": {}", ignored.iter().map(one).collect::<Vec<_>>().join(", "))
}
