//! What a prompt says of a change that is not in the change's files: whoever makes prompts knows it and hands it in.

use crate::models::plan::{Mode, PlanIndex};

/// What is known of a change beyond its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Who can answer the agent.
    pub audience: Audience,
    /// The commit that the code of the change began with, where code is due.
    pub base: Option<String>,
    /// The groups of plans in their order. Where there are none, the plans are one serial group in the order of numbers.
    pub groups: Vec<ScheduledGroup>,
    /// Work of an earlier attempt at the coder's plan that did not count.
    pub refused: Option<RefusedWork>,
    /// What agents of the change asked, each with a person's answer.
    pub answers: Vec<String>,
    /// Which checks failed before the change, and what is expected of them.
    pub checks: Option<String>,
}

/// Who can answer an agent while it works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// Nobody: a question would never be answered.
    #[default]
    Nobody,
    /// A person, who sees the agent's screen.
    Person,
}

/// Plans that the schedule has together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledGroup {
    /// How they are carried out.
    pub mode: Mode,
    /// Which, in order.
    pub plans: Vec<PlanIndex>,
}

/// Work that was not merged because it changed files that its plan does not own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedWork {
    /// The commit that the attempt began with.
    pub start: String,
    /// The commit that holds all that it wrote.
    pub commit: String,
    /// The files that the plan does not own.
    pub files: Vec<String>,
}
