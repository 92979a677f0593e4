//! The closed sets of words of a flow file.

use crate::template::Verdict;
use crate::template::words::words;

words! {
    /// What a step is.
    #[derive(Default)]
    Kind {
        /// An agent is called.
        #[default]
        Agent = "agent",
        /// Several agents work on the plans of a schedule.
        Lanes = "lanes",
        /// The project's checks run on the code.
        Checks = "checks",
        /// A person decides.
        Gate = "gate",
        /// The change is put away.
        Archive = "archive",
    }
}

words! {
    /// How a step ends. Each kind has its own few.
    Outcome {
        /// The agent's verdict: everything asked for is there.
        Pass = "PASS",
        /// The agent's verdict: the plan has to be refined.
        NeedsRevision = "NEEDS_REVISION",
        /// The agent's verdict: the code has to be adjusted.
        NeedsChanges = "NEEDS_CHANGES",
        /// The agent's verdict: the code fails critically.
        MajorIssues = "MAJOR_ISSUES",
        /// The agent's verdict: the plan is fundamentally flawed.
        Rejected = "REJECTED",
        /// The agent reports every task as completed.
        AllDone = "ALL_DONE",
        /// A task failed or was not reported.
        TasksLeft = "TASKS_LEFT",
        /// The files of the step are there and valid.
        Files = "FILES",
        /// Every plan is carried out, or the archive is in place.
        Done = "DONE",
        /// Every check passed.
        Green = "GREEN",
        /// A check failed.
        Red = "RED",
        /// A person approved.
        Approve = "APPROVE",
        /// A person rejected.
        Reject = "REJECT",
    }
}

words! {
    /// What steps change and judge.
    Subject {
        /// What is going to be built.
        Plan = "plan",
        /// What was built.
        Code = "code",
    }
}

words! {
    /// What holds whenever a change of a flow is archived.
    Guarantee {
        /// Every judge of the plan passed it after its last change.
        Challenged = "challenged",
        /// Every judge of the code passed it after its last change.
        Reviewed = "reviewed",
        /// A clean run of the checks was green after the last change of the code.
        Checked = "checked",
        /// A person approved after the last change.
        Approved = "approved",
    }
}

words! {
    /// What a PASS needs besides the verdict; without it, it counts as `NEEDS_CHANGES`.
    Need {
        /// The last run of the checks on this code was green.
        Green = "green",
        /// The documents that the schedule asks for are there.
        DocFiles = "doc_files",
    }
}

words! {
    /// What a step may depend on.
    Fact {
        /// The configuration asks for a product manager.
        ProductManager = "config:team.product_manager",
        /// The schedule asks for a design.
        NeedsDesign = "schedule:needs_design",
        /// Plans of the schedule are not carried out yet.
        PlansDue = "schedule:plans_due",
        /// The documents that the schedule asks for are there.
        DocFiles = "schedule:doc_files",
    }
}

words! {
    /// A limit on rounds that the configuration sets.
    ConfiguredLimit {
        /// How often a plan is made and challenged.
        Plan = "limits.plan_rounds",
        /// How often the code is implemented and reviewed.
        Implement = "limits.implement_rounds",
        /// How often the work of a team is reviewed and fixed.
        Review = "team.review_rounds",
    }
}

words! {
    /// What an agent may do with the code.
    #[derive(Default)]
    Workspace {
        /// It reads the code.
        #[default]
        Read = "read",
        /// It changes the code.
        Write = "write",
    }
}

words! {
    /// How a file that a step leaves is checked.
    Validator {
        /// It is there and not empty.
        Text = "text",
        /// A proposal with its sections.
        Proposal = "proposal",
        /// A spec with requirements and scenarios.
        Spec = "spec",
        /// A list of tasks.
        Tasks = "tasks",
        /// A report on every task.
        Implementation = "implementation",
        /// Plans and the schedule that names each of them.
        Schedule = "schedule",
        /// The changelog entry and the merged specs.
        Archive = "archive",
    }
}

words! {
    /// A folder of a change whose files an archive merges into the project's documents.
    MergedFolder {
        /// The changelog entry and the specs that the validator `archive` has checked.
        Archive = "archive/",
    }
}

words! {
    /// Where the tasks of a change come from if no step plans them.
    TaskSource {
        /// agentd writes one task: the request.
        Request = "request",
    }
}

impl Validator {
    /// Returns the files that it looks at; any, where it is for any text.
    pub const fn files(self) -> Option<&'static str> {
        match self {
            Self::Text => None,
            Self::Proposal => Some("proposal.md"),
            Self::Spec => Some("specs/*.md"),
            Self::Tasks => Some("tasks.md"),
            Self::Implementation => Some("IMPLEMENTATION.md"),
            Self::Schedule => Some("04_planning/*"),
            Self::Archive => Some("archive/**"),
        }
    }
}

impl Outcome {
    /// Returns whether the step reached its goal.
    pub const fn is_success(self) -> bool {
        match self {
            Self::Pass | Self::AllDone | Self::Files | Self::Done | Self::Green | Self::Approve => {
                true
            }
            Self::NeedsRevision
            | Self::NeedsChanges
            | Self::MajorIssues
            | Self::Rejected
            | Self::TasksLeft
            | Self::Red
            | Self::Reject => false,
        }
    }

    /// Returns the verdict that the outcome is, if it is one.
    pub const fn verdict(self) -> Option<Verdict> {
        match self {
            Self::Pass => Some(Verdict::Pass),
            Self::NeedsRevision => Some(Verdict::NeedsRevision),
            Self::NeedsChanges => Some(Verdict::NeedsChanges),
            Self::MajorIssues => Some(Verdict::MajorIssues),
            Self::Rejected => Some(Verdict::Rejected),
            Self::AllDone
            | Self::TasksLeft
            | Self::Files
            | Self::Done
            | Self::Green
            | Self::Red
            | Self::Approve
            | Self::Reject => None,
        }
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::NeedsRevision => Self::NeedsRevision,
            Verdict::NeedsChanges => Self::NeedsChanges,
            Verdict::MajorIssues => Self::MajorIssues,
            Verdict::Rejected => Self::Rejected,
        }
    }
}

impl Kind {
    /// Lists the outcomes that a step of this kind may have. What an agent may answer depends on its prompt too.
    pub const fn outcomes(self) -> &'static [Outcome] {
        match self {
            Self::Agent => &[
                Outcome::Pass,
                Outcome::NeedsRevision,
                Outcome::NeedsChanges,
                Outcome::MajorIssues,
                Outcome::Rejected,
                Outcome::AllDone,
                Outcome::TasksLeft,
                Outcome::Files,
            ],
            Self::Lanes | Self::Archive => &[Outcome::Done],
            Self::Checks => &[Outcome::Green, Outcome::Red],
            Self::Gate => &[Outcome::Approve, Outcome::Reject],
        }
    }
}
