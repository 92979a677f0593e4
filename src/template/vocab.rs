//! The words that the compiler, the marker parser and the engine share: agents, phases, variables, verdicts and task statuses.

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
}
