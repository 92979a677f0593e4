//! The tools with which agents hand in their work: their names, who has which, and what each takes.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::blocked;
use super::json_schema;
use super::shape::Field;
use super::submissions::{
    Architecture, Done, ExecutionPlan, Plan, ProductManagerDone, ResearchDone, ResearchRequest,
    Review, SubPlan, Submission,
};
use crate::template::Role;

/// A way to hand in work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// The architecture.
    SubmitArchitecture,
    /// The end of the product manager's work.
    SubmitPmDone,
    /// One plan of several.
    SubmitSubplan,
    /// The schedule of the plans.
    SubmitExecutionPlan,
    /// The overview of the plans, which ends planning.
    SubmitPlan,
    /// A review.
    SubmitReview,
    /// The end of work that has a completion marker.
    SubmitDone,
    /// The end of a piece of research.
    SubmitResearchDone,
    /// Questions about the project's code.
    ResearchDispatchCode,
    /// Questions about the world outside the project.
    ResearchDispatchWeb,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Self; 10] = [
        Self::SubmitArchitecture,
        Self::SubmitPmDone,
        Self::SubmitSubplan,
        Self::SubmitExecutionPlan,
        Self::SubmitPlan,
        Self::SubmitReview,
        Self::SubmitDone,
        Self::SubmitResearchDone,
        Self::ResearchDispatchCode,
        Self::ResearchDispatchWeb,
    ];

    /// Gives the tools of a role.
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

    /// Gives the name by which agents call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SubmitArchitecture => "submit_architecture",
            Self::SubmitPmDone => "submit_pm_done",
            Self::SubmitSubplan => "submit_subplan",
            Self::SubmitExecutionPlan => "submit_execution_plan",
            Self::SubmitPlan => "submit_plan",
            Self::SubmitReview => "submit_review",
            Self::SubmitDone => "submit_done",
            Self::SubmitResearchDone => "submit_research_done",
            Self::ResearchDispatchCode => "research_dispatch_code",
            Self::ResearchDispatchWeb => "research_dispatch_web",
        }
    }

    /// Finds a tool by its name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// Says to a model what the tool does.
    pub const fn about(self) -> &'static str {
        match self {
            Self::SubmitArchitecture => Architecture::ABOUT,
            Self::SubmitPmDone => ProductManagerDone::ABOUT,
            Self::SubmitSubplan => SubPlan::ABOUT,
            Self::SubmitExecutionPlan => ExecutionPlan::ABOUT,
            Self::SubmitPlan => Plan::ABOUT,
            Self::SubmitReview => Review::ABOUT,
            Self::SubmitDone => Done::ABOUT,
            Self::SubmitResearchDone => ResearchDone::ABOUT,
            Self::ResearchDispatchCode => {
                "Asks a researcher about the code of this project. Writes 03_research/code-TOPIC/request.md."
            }
            Self::ResearchDispatchWeb => {
                "Asks a researcher about anything outside this project: libraries, standards, products. \
                 Writes 03_research/web-TOPIC/request.md."
            }
        }
    }

    /// Gives the fields that it takes.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::SubmitArchitecture => Architecture::FIELDS,
            Self::SubmitPmDone => ProductManagerDone::FIELDS,
            Self::SubmitSubplan => SubPlan::FIELDS,
            Self::SubmitExecutionPlan => ExecutionPlan::FIELDS,
            Self::SubmitPlan => Plan::FIELDS,
            Self::SubmitReview => Review::FIELDS,
            Self::SubmitDone => Done::FIELDS,
            Self::SubmitResearchDone => ResearchDone::FIELDS,
            Self::ResearchDispatchCode | Self::ResearchDispatchWeb => ResearchRequest::FIELDS,
        }
    }

    /// Returns the JSON schema of what it takes.
    pub fn schema(self) -> Value {
        let mut schema = json_schema::schema(self.fields());
        blocked::added_to(&mut schema, self);
        schema
    }

    /// Gives the folder of the phase that it belongs to, below the change's.
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

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_an_owner_and_its_name_is_how_it_is_written() {
        for tool in Tool::ALL {
            assert!(Role::ALL.iter().any(|role| Tool::of(*role).contains(&tool)), "{tool}");
            assert_eq!(Tool::from_name(tool.name()), Some(tool));
            assert_eq!(serde_json::to_value(tool).unwrap(), tool.name());
        }
        assert_eq!(Tool::from_name("submit"), None);
    }
}
