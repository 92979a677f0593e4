//! A question of an agent to a person, and its answer.

/// Something that the agent of a step asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The step.
    pub step: String,
    /// What the agent needs.
    pub reason: String,
    /// What a person answered.
    pub answer: Option<String>,
}
