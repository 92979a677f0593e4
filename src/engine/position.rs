//! Where a change is, in words for people and in one word for programs.

use super::history::History;
use crate::flow::{Kind, Position, Waiting};

impl History {
    /// Returns where the change is, in words.
    pub fn at(&self) -> String {
        let name = |id| &self.flow.step(id).name;
        match self.state.position {
            Position::Step(id) if self.flow.step(id).kind == Kind::Gate => {
                "your approval".to_owned()
            }
            Position::Step(id) => name(id).to_string(),
            Position::Paused { after, .. } => format!("your approval of {}", name(after)),
            Position::Blocked(id) => format!("a question of {}", name(id)),
            Position::Archived => "the end: archived".to_owned(),
            Position::Rejected(_) => "the end: rejected".to_owned(),
            Position::Cancelled => "the end: cancelled".to_owned(),
        }
    }

    /// Returns where the change is for programs, in one word that stays the same.
    pub fn token(&self) -> String {
        let name = |id| &self.flow.step(id).name;
        match self.state.position {
            Position::Step(id) => name(id).to_string(),
            Position::Paused { after, .. } => format!("approve-{}", name(after)),
            Position::Blocked(id) => format!("blocked-{}", name(id)),
            Position::Archived => "archived".to_owned(),
            Position::Rejected(_) => "rejected".to_owned(),
            Position::Cancelled => "cancelled".to_owned(),
        }
    }

    /// Returns why a person is needed, in words.
    pub fn waits_for(&self, waiting: Waiting) -> String {
        let name = |id| &self.flow.step(id).name;
        match waiting {
            Waiting::Paused(_) if self.has_new_exceptions => {
                let result = self.last_checks.as_ref().map(ToString::to_string).unwrap_or_default();
                format!(
                    "The change is {result}, which failed before it too. It is ready for your approval."
                )
            }
            Waiting::Paused(id) => {
                format!("The result of {} is ready for your approval.", name(id))
            }
            Waiting::Gate(_) => "The change is ready for your approval.".to_owned(),
            Waiting::Blocked(id) => {
                let question = self.questions.last().map_or("", |it| it.reason.as_str());
                format!("{} needs an answer: {question}", name(id))
            }
            Waiting::Exhausted(id) => format!("{} has used all its rounds.", name(id)),
        }
    }

    /// Returns whether the change has ended.
    pub const fn is_over(&self) -> bool {
        self.state.is_over()
    }

    /// Returns whether the change is done.
    pub fn is_archived(&self) -> bool {
        self.state.position == Position::Archived
    }

    /// Returns whether the change was given up.
    pub fn is_cancelled(&self) -> bool {
        self.state.position == Position::Cancelled
    }

    /// Returns whether nothing has happened to the change yet, but that somebody asked for it.
    pub fn is_new(&self) -> bool {
        let is_begun = self.started.is_some() || self.baseline.is_some();
        !is_begun && self.finished.is_empty() && self.guidance.is_empty()
    }

    /// Returns the name of the step that began and has not ended.
    pub fn under_way(&self) -> Option<&str> {
        self.started.as_ref().map(|started| started.step.as_str())
    }
}
