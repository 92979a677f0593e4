//! The steps of the team flow, and who takes each of them. Pure words: what a step needs and makes is known elsewhere.

use std::fmt;

use crate::models::word::Word;
use crate::template::Role;

/// A step of the team flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TeamStep {
    /// Finds out what is wanted; it can be left out.
    ProductManager,
    /// Decides how the change is built.
    Architect,
    /// Cuts the work into plans and schedules them.
    Planner,
    /// Decides how the change looks and feels, where the schedule asks for it.
    Designer,
    /// Carries out the plans that are due.
    Coders,
    /// Judges the work.
    Review,
    /// Mends what the review found.
    Fix,
    /// Sums up work that passed.
    Summary,
    /// Plans anew for what a person asks to change.
    Change,
}

impl TeamStep {
    /// Every step, in the order in which a change first comes to them.
    pub const ALL: [Self; 9] = [
        Self::ProductManager,
        Self::Architect,
        Self::Planner,
        Self::Designer,
        Self::Coders,
        Self::Review,
        Self::Fix,
        Self::Summary,
        Self::Change,
    ];

    /// Gives its spelling.
    ///
    /// ```
    /// use agentd::engine::team::TeamStep;
    ///
    /// assert_eq!(TeamStep::ProductManager.word(), "product-manager");
    /// assert_eq!(TeamStep::from_word("fix"), Some(TeamStep::Fix));
    /// ```
    pub const fn word(self) -> &'static str {
        match self {
            Self::ProductManager => "product-manager",
            Self::Architect => "architect",
            Self::Planner => "planner",
            Self::Designer => "designer",
            Self::Coders => "coders",
            Self::Review => "review",
            Self::Fix => "fix",
            Self::Summary => "summary",
            Self::Change => "change",
        }
    }

    /// Finds a step by its spelling.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.word() == word)
    }

    /// Gives the role whose agent takes it.
    pub const fn role(self) -> Role {
        match self {
            Self::ProductManager => Role::ProductManager,
            Self::Architect => Role::Architect,
            Self::Planner | Self::Change => Role::Planner,
            Self::Designer => Role::Designer,
            Self::Coders | Self::Fix => Role::Coder,
            Self::Review | Self::Summary => Role::Reviewer,
        }
    }

    /// Says whether it writes code, and so works where the change's code is.
    pub const fn writes_code(self) -> bool {
        match self {
            Self::Coders | Self::Fix => true,
            Self::ProductManager
            | Self::Architect
            | Self::Planner
            | Self::Designer
            | Self::Review
            | Self::Summary
            | Self::Change => false,
        }
    }
}

impl fmt::Display for TeamStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl Word for TeamStep {
    fn spelled(self) -> &'static str {
        self.word()
    }

    fn find(word: &str) -> Option<Self> {
        Self::from_word(word)
    }
}
