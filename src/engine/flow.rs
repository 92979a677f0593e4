//! The two ways in which a change goes from a request to its end.

use crate::models::word::Word;

/// A way from a request to the end of a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// Phases with specs: plan, challenge, implement, review, archive.
    #[default]
    Sdd,
    /// A team of roles: architect, planner, coders, reviewer, and a person who approves.
    Team,
}

impl Flow {
    /// Every flow.
    pub const ALL: [Self; 2] = [Self::Sdd, Self::Team];

    /// Says whether it is the flow that a change has unless another is named.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Word for Flow {
    fn spelled(self) -> &'static str {
        match self {
            Self::Sdd => "sdd",
            Self::Team => "team",
        }
    }

    fn find(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flow| flow.spelled() == word)
    }
}
