//! An execution plan as data: which plans are carried out in which order, and what the planner wants beside that.
//!
//! Every value that a fault may be about knows its place in the text that it was read from. Nothing here reads text
//! or says what is wrong; that is the business of `engine::schedule`.

pub mod index;
mod overlap;
pub mod pattern;
mod segment;

pub use index::PlanIndex;
pub use pattern::{OwnedPattern, PatternFault};

use crate::template::Span;
use crate::template::words::words;

/// The version of the format that is read and written.
pub const VERSION: u32 = 1;

/// A value and its place in the plan's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placed<T> {
    /// The value.
    pub value: T,
    /// Where it stands; nowhere if nothing was said.
    pub span: Span,
}

impl<T> Placed<T> {
    /// Puts a value at its place.
    pub const fn at(span: Span, value: T) -> Self {
        Self { value, span }
    }
}

words! {
    /// How the plans of a group are carried out.
    Mode {
        /// One after the other, in the order in which they stand.
        Serial = "serial",
        /// All at once.
        Parallel = "parallel",
    }
}

words! {
    /// How strict the review is to be.
    #[derive(Default)]
    ReviewSeverity {
        /// Only what is badly wrong counts.
        Low = "low",
        /// What a careful colleague would say.
        #[default]
        Medium = "medium",
        /// Everything.
        High = "high",
    }
}

/// Which plans there are, in which order they are carried out, and what else the planner wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionPlan {
    /// The groups, carried out one after the other.
    pub groups: Vec<PlanGroup>,
    /// Whether a designer comes before the coders.
    pub needs_design: bool,
    /// Whether documents must be changed with the code.
    pub needs_docs: Placed<bool>,
    /// These documents.
    pub doc_files: Vec<Placed<OwnedPattern>>,
    /// What the reviewer looks at.
    pub review_strategy: ReviewStrategy,
}

/// Plans that are carried out together, or one right after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanGroup {
    /// Its name.
    pub group_id: Placed<String>,
    /// How its plans are carried out.
    pub mode: Mode,
    /// Its plans, in order.
    pub plans: Vec<PlanReference>,
}

/// A plan in its group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanReference {
    /// Which plan.
    pub index: Placed<PlanIndex>,
    /// What it is called.
    pub name: String,
}

/// What the reviewer looks at, and how strictly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReviewStrategy {
    /// How strictly.
    pub severity: ReviewSeverity,
    /// What above all.
    pub focus: Vec<String>,
}
