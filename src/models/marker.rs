//! What an agent's answer says in markers: verdicts, task statuses, questions for a person, and thoughts.

use serde::Serialize;
use thiserror::Error;

use crate::template::{TaskStatus, Verdict};

/// The verdict of a review.
pub type ReviewResult = Verdict;

/// A marker that counts, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// `<review>…</review>`.
    Review {
        /// The verdict.
        verdict: ReviewResult,
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
    /// `<blocked>…</blocked>`, however it is written.
    Blocked {
        /// What the agent needs from a person, on one line; empty where nothing is said.
        reason: String,
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

impl Marker {
    /// Returns the byte at which the marker begins.
    pub const fn at(&self) -> usize {
        match self {
            Self::Review { at, .. }
            | Self::Task { at, .. }
            | Self::Blocked { at, .. }
            | Self::Thought { at, .. } => *at,
        }
    }
}

/// The reason of a blocked agent that says none.
pub const NO_REASON: &str = "no reason given";

/// The longest reason of a blocked agent, in characters; a longer one is cut.
pub const LONGEST_REASON: usize = 2_000;

/// A marker that does not count, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// The marker as it was written.
    pub text: String,
    /// Its line.
    pub line: usize,
    /// Why it does not count.
    pub reason: Reason,
    /// Whether no PASS can count beside it: it says, or may say, something else.
    #[serde(rename = "contradicts_pass")]
    pub contradicts: bool,
}

/// Why a marker does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It stands in a code block.
    CodeBlock,
    /// It stands in inline code.
    InlineCode,
    /// It stands in a quotation.
    Quotation,
    /// It stands where Markdown shows nothing, such as the title of a link.
    Invisible,
    /// The answer is too long to be read as Markdown.
    TooLong,
    /// It stands in an HTML comment.
    Comment,
    /// It stands in an HTML element that shows text as an example, a quotation or a thought.
    Element,
    /// It stands in a thought.
    Thought,
    /// It stands in a thought that has no end or no beginning.
    OpenThought,
    /// It is a verdict without a marker.
    BesideMarker,
    /// Other text stands beside it on its line.
    BesideText,
    /// It is spread over several lines.
    SeveralLines,
    /// Its word is not a verdict or a status.
    UnknownWord,
    /// It is not written as it must be: it is not closed, its tag is spelled differently, or its id is missing.
    Malformed,
}

impl Reason {
    /// Returns the reason in words, to stand behind "is".
    pub const fn words(self) -> &'static str {
        match self {
            Self::CodeBlock => "in a code block",
            Self::InlineCode => "in inline code",
            Self::Quotation => "in a quotation",
            Self::Invisible => "where Markdown shows no text",
            Self::TooLong => "in an answer that is too long",
            Self::Comment => "in a comment",
            Self::Element => "inside an HTML element that quotes or hides it",
            Self::Thought => "in a thought",
            Self::OpenThought => "in a thought without an end or a start",
            Self::BesideMarker => "a verdict without a marker",
            Self::BesideText => "beside other text on its line",
            Self::SeveralLines => "spread over several lines",
            Self::UnknownWord => "not a known verdict or status",
            Self::Malformed => "not a well-formed marker",
        }
    }
}

/// Why an answer has no usable verdict or statuses.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkerError {
    /// There is no `<review>` marker that counts.
    #[error("MissingReviewMarker: the answer contains no review marker{}", seen(.ignored))]
    MissingReviewMarker {
        /// The markers that were seen and do not count.
        ignored: Vec<Ignored>,
    },
    /// A `<review>` marker holds a word that is no verdict.
    #[error("line {line}: `{token}` is not a verdict")]
    UnknownVerdict {
        /// The word.
        token: String,
        /// Its line.
        line: usize,
    },
    /// The answer passes the work, and says something else too.
    #[error(
        "line {line}: PASS is contradicted by `{}` on line {}, which is {}",
        .by.text, .by.line, .by.reason.words()
    )]
    Contradicted {
        /// The line of the PASS.
        line: usize,
        /// What contradicts it.
        by: Ignored,
    },
    /// The verdict is one that this step does not know.
    #[error("line {line}: the verdict `{verdict}` is not one of `{step}`")]
    NotOfThisStep {
        /// The verdict.
        verdict: ReviewResult,
        /// The step.
        step: String,
        /// Its line.
        line: usize,
    },
    /// There is no `<task_status>` marker that counts.
    #[error("the answer contains no task status{}", seen(.ignored))]
    MissingTaskStatus {
        /// The markers that were seen and do not count.
        ignored: Vec<Ignored>,
    },
    /// A `<task_status>` marker cannot be read, or does not count where no other speaks for its task.
    #[error("line {}: the task status `{}` is {}", .0.line, .0.text, .0.reason.words())]
    UnclearStatus(Ignored),
}

/// How many markers an error names.
const NAMED: usize = 5;

fn seen(ignored: &[Ignored]) -> String {
    if ignored.is_empty() {
        return String::new();
    }
    let one = |ignored: &Ignored| {
        format!("`{}` on line {} is {}", ignored.text, ignored.line, ignored.reason.words())
    };
    let mut named: Vec<String> = ignored.iter().take(NAMED).map(one).collect();
    if ignored.len() > NAMED {
        named.push(format!("{} more do not count either", ignored.len() - NAMED));
    }
    format!(" that counts: {}", named.join(", "))
}
