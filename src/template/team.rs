//! The words of the team flow: its roles, the commands they are given, and the values that their prompts may ask for.

use super::words::words;

words! {
    /// A member of the team: what an agent is.
    Role {
        /// Decides how the change is built.
        Architect = "architect",
        /// Cuts the work into plans and schedules them.
        Planner = "planner",
        /// Finds out what is wanted, and for whom.
        ProductManager = "product-manager",
        /// Judges the work.
        Reviewer = "reviewer",
        /// Does the work of one plan, or of all.
        Coder = "coder",
        /// Answers questions about the project's code.
        CodeResearcher = "code-researcher",
        /// Answers questions about the world outside the project.
        WebResearcher = "web-researcher",
        /// Decides how the change looks and feels.
        Designer = "designer",
    }
}

words! {
    /// A step that a member of the team is told to take: what an agent is to do.
    Command {
        /// Judge the work against plan and requirements.
        Review = "review",
        /// Mend what the review found.
        Fix = "fix",
        /// Sum up work that passed.
        Summary = "summary",
        /// Plan anew for what a person asks to change.
        Change = "change",
    }
}

words! {
    /// A value that a prompt of the team may ask for.
    Placeholder {
        /// The change's folder, as an absolute path.
        FeatureDir = "feature_dir",
        /// The folder in which the agent works on the project's code, as an absolute path.
        ProjectDir = "project_dir",
        /// What the project adds to the prompt; spliced in before any other value.
        ProjectInstructions = "project_instructions",
        /// The finished research, by reference; empty where there is none.
        ResearchHandoff = "research_handoff",
        /// The plan to carry out, below the change's folder.
        PlanFile = "plan_file",
        /// The checklist of that plan, below the change's folder.
        TasksFile = "tasks_file",
        /// Every plan with its tasks, for those who see all of them; else empty.
        SubPlans = "sub_plans",
        /// Which completion markers to create, and when.
        CompletionMarkers = "completion_markers",
        /// What is researched: the topic's name.
        Topic = "topic",
        /// The topic's folder, below the change's folder.
        ResearchDir = "research_dir",
        /// What may be asked: nothing, or one thing where a person is there.
        Questions = "questions",
        /// The commit that the change began with, and the command that shows its diff.
        ChangeDiff = "change_diff",
        /// What an earlier attempt at the plan wrote and why it did not count; else empty.
        EarlierAttempt = "earlier_attempt",
        /// Who approves preferences, and what becomes of them.
        PreferenceApproval = "preference_approval",
    }
}

impl Command {
    /// Returns the role whose agent is given the command.
    ///
    /// ```
    /// use agentd::template::{Command, Role};
    ///
    /// assert_eq!(Command::Fix.role(), Role::Coder);
    /// ```
    pub const fn role(self) -> Role {
        match self {
            Self::Review | Self::Summary => Role::Reviewer,
            Self::Fix => Role::Coder,
            Self::Change => Role::Planner,
        }
    }
}

/// A prompt of the team: a file of `templates/agents` or `templates/commands`, or `context.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TeamPrompt {
    /// What an agent is.
    Role(Role),
    /// What an agent is to do.
    Command(Command),
    /// The ground that all of them share, which projects cannot extend.
    Context,
}

impl TeamPrompt {
    /// How many there are.
    pub const COUNT: usize = Role::ALL.len() + Command::ALL.len() + 1;

    /// Returns the prompt's place in [`Self::all`].
    pub const fn index(self) -> usize {
        match self {
            Self::Role(role) => role as usize,
            Self::Command(command) => Role::ALL.len() + command as usize,
            Self::Context => Self::COUNT - 1,
        }
    }

    /// Lists every prompt: the roles, the commands, then the context.
    pub fn all() -> impl Iterator<Item = Self> {
        let roles = Role::ALL.iter().copied().map(Self::Role);
        let commands = Command::ALL.iter().copied().map(Self::Command);
        roles.chain(commands).chain([Self::Context])
    }

    /// Returns the path of the template below its folder.
    ///
    /// ```
    /// use agentd::template::{Command, TeamPrompt};
    ///
    /// assert_eq!(TeamPrompt::Command(Command::Fix).file(), "commands/fix.md");
    /// ```
    pub fn file(self) -> String {
        match self {
            Self::Role(role) => format!("agents/{role}.md"),
            Self::Command(command) => format!("commands/{command}.md"),
            Self::Context => "context.md".to_owned(),
        }
    }

    /// Lists the prompts whose extensions belong in this one, in the order in which they are joined: those of the role come
    /// before those of its command. The context has none.
    ///
    /// ```
    /// use agentd::template::{Command, Role, TeamPrompt};
    ///
    /// let fix = TeamPrompt::Command(Command::Fix);
    /// assert_eq!(fix.extended_by(), [TeamPrompt::Role(Role::Coder), fix]);
    /// ```
    pub fn extended_by(self) -> Vec<Self> {
        match self {
            Self::Role(_) => vec![self],
            Self::Command(command) => vec![Self::Role(command.role()), self],
            Self::Context => Vec::new(),
        }
    }

    /// Finds a prompt by the path of its template.
    pub fn from_file(file: &str) -> Option<Self> {
        Self::all().find(|prompt| prompt.file() == file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_is_found_again_by_its_file() {
        assert_eq!(TeamPrompt::all().count(), 13);
        let indices: Vec<_> = TeamPrompt::all().map(TeamPrompt::index).collect();
        assert_eq!(indices, (0..TeamPrompt::COUNT).collect::<Vec<_>>());
        assert!(
            TeamPrompt::all().all(|prompt| TeamPrompt::from_file(&prompt.file()) == Some(prompt))
        );
        assert_eq!(TeamPrompt::from_file("agents/tester.md"), None);
    }
}
