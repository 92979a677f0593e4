//! The tools with which agents hand in their work: their names, who has which, and what each takes.

use serde_json::Value;

use super::blocked;
use super::desk::{Desk, HandoffError, Receipt};
use super::shape::{Field, json_schema};
use super::submissions::{
    Architecture, Done, ExecutionPlan, Plan, ProductManagerDone, ResearchDone, ResearchRequest,
    Review, SubPlan, Submission,
};
use crate::models::word::serde_by_word;
use crate::template::Role;
use crate::template::words::words;

words! {
    /// A way to hand in work.
    Tool {
        /// The architecture.
        SubmitArchitecture = "submit_architecture",
        /// The end of the product manager's work.
        SubmitPmDone = "submit_pm_done",
        /// One plan of several.
        SubmitSubplan = "submit_subplan",
        /// The schedule of the plans.
        SubmitExecutionPlan = "submit_execution_plan",
        /// The overview of the plans, which ends planning.
        SubmitPlan = "submit_plan",
        /// A review.
        SubmitReview = "submit_review",
        /// The end of work that has a completion marker.
        SubmitDone = "submit_done",
        /// The end of a piece of research.
        SubmitResearchDone = "submit_research_done",
        /// Questions about the project's code.
        ResearchDispatchCode = "research_dispatch_code",
        /// Questions about the world outside the project.
        ResearchDispatchWeb = "research_dispatch_web",
    }
}

serde_by_word!(Tool);

/// What is known of a tool.
pub(super) struct Row {
    about: &'static str,
    fields: &'static [Field],
    /// Takes what is handed in with it.
    pub(super) take: fn(&Desk<'_>, Tool, &Value, u64) -> Result<Receipt, HandoffError>,
}

impl Row {
    const fn of<S: Submission>() -> Self {
        Self {
            about: S::ABOUT,
            fields: S::FIELDS,
            take: |desk, tool, value, now_ms| desk.take::<S>(tool, value, now_ms),
        }
    }
}

impl Tool {
    /// Returns the tools of a role.
    ///
    /// ```
    /// use agentd::handoff::Tool;
    /// use agentd::template::Role;
    ///
    /// assert_eq!(Tool::of(Role::Coder), [Tool::SubmitDone]);
    /// ```
    pub const fn of(role: Role) -> &'static [Self] {
        use Tool as T;
        match role {
            Role::ProductManager => {
                &[T::SubmitPmDone, T::ResearchDispatchCode, T::ResearchDispatchWeb]
            }
            Role::Architect => {
                &[T::SubmitArchitecture, T::ResearchDispatchCode, T::ResearchDispatchWeb]
            }
            Role::Planner => &[
                T::SubmitSubplan,
                T::SubmitExecutionPlan,
                T::SubmitPlan,
                T::ResearchDispatchCode,
                T::ResearchDispatchWeb,
            ],
            Role::Reviewer => &[T::SubmitReview, T::SubmitDone],
            Role::Coder | Role::Designer => &[T::SubmitDone],
            Role::CodeResearcher | Role::WebResearcher => &[T::SubmitResearchDone],
        }
    }

    /// Returns what is known of the tool.
    pub(super) const fn row(self) -> Row {
        match self {
            Self::SubmitArchitecture => Row::of::<Architecture>(),
            Self::SubmitPmDone => Row::of::<ProductManagerDone>(),
            Self::SubmitSubplan => Row::of::<SubPlan>(),
            Self::SubmitExecutionPlan => Row::of::<ExecutionPlan>(),
            Self::SubmitPlan => Row::of::<Plan>(),
            Self::SubmitReview => Row::of::<Review>(),
            Self::SubmitDone => Row::of::<Done>(),
            Self::SubmitResearchDone => Row::of::<ResearchDone>(),
            Self::ResearchDispatchCode => Row {
                about: "Asks a researcher about the code of this project. Writes 03_research/code-TOPIC/request.md.",
                ..Row::of::<ResearchRequest>()
            },
            Self::ResearchDispatchWeb => Row {
                about: "Asks a researcher about anything outside this project: libraries, standards, products. \
                        Writes 03_research/web-TOPIC/request.md.",
                ..Row::of::<ResearchRequest>()
            },
        }
    }

    /// Returns to a model what the tool does.
    pub const fn about(self) -> &'static str {
        self.row().about
    }

    /// Returns the fields that it takes.
    pub const fn fields(self) -> &'static [Field] {
        self.row().fields
    }

    /// Returns the JSON schema of what it takes.
    pub fn schema(self) -> Value {
        let mut schema = json_schema(self.fields());
        blocked::added_to(&mut schema, self);
        schema
    }

    /// Returns the folder of the phase that it belongs to, below the change's.
    pub const fn phase(self, role: Role) -> &'static str {
        match self {
            Self::SubmitPmDone => "01_product_management",
            Self::SubmitArchitecture => "02_architecting",
            Self::SubmitResearchDone | Self::ResearchDispatchCode | Self::ResearchDispatchWeb => {
                "03_research"
            }
            Self::SubmitSubplan | Self::SubmitExecutionPlan | Self::SubmitPlan => "04_planning",
            Self::SubmitReview => "07_review",
            Self::SubmitDone => match role {
                Role::Designer => "05_design",
                Role::Reviewer => "08_completion",
                Role::Architect
                | Role::Planner
                | Role::ProductManager
                | Role::Coder
                | Role::CodeResearcher
                | Role::WebResearcher => "06_implementation",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_an_owner_and_its_name_is_how_it_is_written() {
        for tool in Tool::ALL.iter().copied() {
            assert!(Role::ALL.iter().any(|role| Tool::of(*role).contains(&tool)), "{tool}");
            assert_eq!(Tool::from_word(tool.word()), Some(tool));
            assert_eq!(serde_json::to_value(tool).unwrap(), tool.word());
        }
        assert_eq!(Tool::from_word("submit"), None);
    }
}
