//! The words that the compiler, the marker parser and the state machine share: agents, phases, variables,
//! verdicts, task statuses, and which of them a phase may say.

use super::words::words;

words! {
    /// A family of templates: one vendor's agent, or the common ground of all.
    Agent {
        /// Google's Gemini CLI.
        Gemini = "GEMINI",
        /// Anthropic's Claude Code.
        Claude = "CLAUDE",
        /// `OpenAI`'s Codex CLI.
        Codex = "CODEX",
        /// Any agent that has no template of its own.
        Base = "BASE",
    }
}

words! {
    /// A step of the spec-driven workflow.
    Phase {
        /// Turns a request into a proposal, specs and tasks.
        Plan = "plan",
        /// Looks for what is wrong with the plan.
        Challenge = "challenge",
        /// Does the tasks.
        Implement = "implement",
        /// Judges the implementation from evidence.
        Review = "review",
        /// Turns the finished change into a changelog and lasting specs.
        Archive = "archive",
    }
}

words! {
    /// A value that a system template may ask for.
    Variable {
        /// What the project is: its stack and conventions.
        ProjectContext = "PROJECT_CONTEXT",
        /// The project's directory tree.
        ProjectStructure = "PROJECT_STRUCTURE",
        /// An index of the files that stand in the prompt's context.
        Artifacts = "ARTIFACTS",
        /// The target paths and the shape of the files to write.
        Skeleton = "SKELETON",
        /// The tasks that are still open.
        Tasks = "TASKS",
    }
}

words! {
    /// A verdict of `<review>`, from best to worst: of several, the greatest counts.
    Verdict {
        /// Everything asked for is there.
        Pass = "PASS",
        /// The plan has to be refined.
        NeedsRevision = "NEEDS_REVISION",
        /// The implementation has to be adjusted.
        NeedsChanges = "NEEDS_CHANGES",
        /// The implementation fails critically.
        MajorIssues = "MAJOR_ISSUES",
        /// The proposal is fundamentally flawed.
        Rejected = "REJECTED",
    }
}

words! {
    /// What `<task_status>` says of one task; of several, the greatest counts.
    TaskStatus {
        /// The task is done.
        Completed = "COMPLETED",
        /// The task could not be done.
        Failed = "FAILED",
    }
}

impl Phase {
    /// Lists the verdicts that an agent may give in this phase; none means that it is not asked for one.
    pub const fn verdicts(self) -> &'static [Verdict] {
        match self {
            Self::Plan => &[Verdict::Pass, Verdict::NeedsRevision],
            Self::Challenge => &[Verdict::Pass, Verdict::NeedsRevision, Verdict::Rejected],
            Self::Review => &[Verdict::Pass, Verdict::NeedsChanges, Verdict::MajorIssues],
            Self::Implement | Self::Archive => &[],
        }
    }

    /// Lists the task statuses that an agent reports in this phase.
    pub const fn task_statuses(self) -> &'static [TaskStatus] {
        match self {
            Self::Implement => TaskStatus::ALL,
            Self::Plan | Self::Challenge | Self::Review | Self::Archive => &[],
        }
    }

    /// Lists the variables without which this phase's prompt is incomplete.
    pub const fn required_variables(self) -> &'static [Variable] {
        use Variable::{Artifacts, ProjectContext, ProjectStructure, Skeleton, Tasks};
        match self {
            Self::Plan => &[ProjectContext, ProjectStructure, Skeleton],
            Self::Challenge | Self::Review => &[ProjectContext, Artifacts],
            Self::Implement => &[ProjectContext, Tasks, Artifacts, Skeleton],
            Self::Archive => &[ProjectContext, Artifacts, Skeleton],
        }
    }

    /// Says whether this phase's prompt may hold `variable`.
    pub const fn allows(self, variable: Variable) -> bool {
        match variable {
            Variable::Tasks => matches!(self, Self::Implement | Self::Review),
            Variable::ProjectContext
            | Variable::ProjectStructure
            | Variable::Artifacts
            | Variable::Skeleton => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_finds_its_member_again() {
        assert!(Agent::ALL.iter().all(|a| Agent::from_word(a.word()) == Some(*a)));
        assert!(Phase::ALL.iter().all(|p| Phase::from_word(p.word()) == Some(*p)));
        assert!(Variable::ALL.iter().all(|v| Variable::from_word(v.word()) == Some(*v)));
        assert!(Verdict::ALL.iter().all(|v| Verdict::from_word(v.word()) == Some(*v)));
        assert_eq!(Agent::from_word("claude"), None);
        assert_eq!(format!("{:>6}|", Phase::Plan), "  plan|");
    }

    #[test]
    fn the_worst_verdict_is_the_greatest() {
        assert_eq!(Verdict::ALL.iter().max(), Some(&Verdict::Rejected));
        assert!(Verdict::Pass < Verdict::NeedsRevision);
    }

    #[test]
    fn a_phase_allows_what_it_requires() {
        for phase in Phase::ALL {
            assert!(phase.required_variables().iter().all(|v| phase.allows(*v)), "{phase}");
        }
        assert!(!Phase::Plan.allows(Variable::Tasks));
    }
}
