//! What a flow file says, checked and with names resolved. The compiler makes these tables, at build time as statics.

use std::borrow::Cow;
use std::fmt;

use super::column::Step;
use super::facts::Facts;
use super::pattern::covers;
use super::steps::{StepId, StepSet};
use super::vocab::{ConfiguredLimit, Guarantee, Kind, Outcome, Subject, Validator, Workspace};
use crate::template::{Command, Phase, Role, TeamPrompt, Verdict};

/// A text that is compiled in or was read at run time.
pub type Text = Cow<'static, str>;

/// A list that is compiled in or was read at run time.
pub type List<T> = Cow<'static, [T]>;

/// The steps of a change and what leads from one to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    /// Its name: that of its file.
    pub name: Text,
    /// What it is for, in one line.
    pub about: Text,
    /// The hash of its file. A change keeps the flow that it began with.
    pub hash: Text,
    /// The step that a change begins with.
    pub start: StepId,
    /// What holds whenever a change is archived.
    pub guarantees: List<Guarantee>,
    /// Where more words of the user lead.
    pub guidance: Option<Guidance>,
    /// Where a person's rejection leads, whatever the step.
    pub reject: Option<RejectRule>,
    /// Where a person's rejection leads after the archive.
    pub reopen: Option<StepId>,
    /// The steps, in the order of the file.
    pub steps: List<Step>,
}

/// Where more words of the user lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// The step that begins anew.
    pub to: StepId,
    /// Once there is any of this, words come too late.
    pub until: Subject,
}

/// Where a person's rejection leads from any step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RejectRule {
    /// The step that is next.
    pub to: StepId,
    /// It holds once the change has this; before, the step itself is done again.
    pub once: Subject,
}

/// What an agent is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// The system template of a phase.
    System(Phase),
    /// The template of a role.
    Role(Role),
    /// The template of a command.
    Command(Command),
    /// A template beside the flow's file, named after the step.
    Own,
}

impl fmt::Display for Prompt {
    /// Spells the prompt as a flow's file does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(phase) => write!(f, "system:{phase}"),
            Self::Role(role) => write!(f, "{role}"),
            Self::Command(command) => write!(f, "commands:{command}"),
            Self::Own => f.write_str("own"),
        }
    }
}

/// A document that an agent is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reads {
    /// Its path in the change's folder; `*` stands for any name.
    pub path: Text,
    /// Why it is shown.
    pub why: Text,
    /// Whether the step can do without it: it is there in later rounds, or for some changes only.
    pub is_optional: bool,
}

/// A file that a step leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// Its path in the change's folder; `*` stands for any name, `**` for any path.
    pub path: Text,
    /// How it is checked.
    pub validator: Validator,
}

/// How often a step is done before a person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// The step whose ends are counted.
    pub of: StepId,
    /// How many there may be.
    pub limit: Limit,
}

/// A number of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The configuration says it.
    Configured(ConfiguredLimit),
    /// The flow says it.
    Fixed(u32),
}

/// Where an outcome leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// To a step.
    Step(StepId),
    /// To the end of the change.
    End(End),
}

/// How a change ends by an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// It is done.
    Archived,
    /// A judge found its plan fundamentally flawed.
    Rejected,
}

impl End {
    /// Every end that an outcome may lead to, with its spelling.
    pub const WORDS: [(&'static str, Self); 2] =
        [("archived", Self::Archived), ("rejected", Self::Rejected)];
}

impl Flow {
    /// Returns a step.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }

    /// Finds a step by its name.
    pub fn find(&self, name: &str) -> Option<StepId> {
        self.steps.iter().position(|step| step.name == name).map(StepId::new)
    }

    /// Lists the steps with their numbers.
    pub fn numbered(&self) -> impl Iterator<Item = (StepId, &Step)> {
        self.steps.iter().enumerate().map(|(index, step)| (StepId::new(index), step))
    }

    /// Returns whether a change that succeeds at every step gets from one step to another, or is there.
    pub fn leads(&self, from: StepId, to: StepId) -> bool {
        let (mut at, mut seen) = (from, StepSet::default());
        while at != to && !seen.contains(at) {
            seen = seen.with(at);
            match self.step(at).onward() {
                Some(Target::Step(next)) => at = next,
                Some(Target::End(_)) | None => return false,
            }
        }
        at == to
    }

    /// Returns the steps that judge a subject and are not skipped.
    pub fn judges(&self, subject: Subject, facts: Facts) -> StepSet {
        let judges =
            |(_, step): &(StepId, &Step)| step.judges == Some(subject) && !step.is_skipped(facts);
        self.numbered().filter(judges).map(|(id, _)| id).collect()
    }

    /// Returns the steps that judge a subject, skipped or not.
    pub fn all_judges(&self, subject: Subject) -> StepSet {
        let judges = |(_, step): &(StepId, &Step)| step.judges == Some(subject);
        self.numbered().filter(judges).map(|(id, _)| id).collect()
    }
}

impl Step {
    /// Returns where an outcome leads.
    pub fn target(&self, outcome: Outcome) -> Option<Target> {
        self.on.iter().find(|(on, _)| *on == outcome).map(|(_, target)| *target)
    }

    /// Returns where reaching the goal leads.
    pub fn onward(&self) -> Option<Target> {
        self.on.iter().find(|(on, _)| on.is_success()).map(|(_, target)| *target)
    }

    /// Returns whether the step is left out, given what is known.
    pub fn is_skipped(&self, facts: Facts) -> bool {
        self.skip_unless.is_some_and(|fact| !facts.holds(fact))
    }

    /// Returns whether the step leaves a schedule.
    pub fn makes_schedule(&self) -> bool {
        self.leaves.iter().any(|file| file.validator == Validator::Schedule)
    }

    /// Returns whether the step leaves what an archive merges.
    pub fn makes_archive(&self) -> bool {
        self.leaves.iter().any(|file| file.validator == Validator::Archive)
    }

    /// Lists the verdicts that the step can end with.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.on.iter().filter_map(|(outcome, _)| outcome.verdict()).collect()
    }

    /// Returns whether the step's agent reports a status for each task.
    pub fn reports_tasks(&self) -> bool {
        self.target(Outcome::AllDone).is_some()
    }

    /// Returns whether the step changes code, and so works where the change's code is.
    pub fn writes_code(&self) -> bool {
        self.workspace == Workspace::Write
    }

    /// Returns whether the prompt goes to the agent as one document, with the change's files in it. A role finds its prompt and
    /// the change's files in folders, and hands its work in.
    pub fn is_document(&self) -> bool {
        matches!(self.prompt, Some(Prompt::System(_) | Prompt::Own))
    }

    /// Returns the prompt of the team with which the step is done, if it is one's; that of a coder for lanes.
    pub fn team_prompt(&self) -> Option<TeamPrompt> {
        match (self.kind, self.prompt) {
            (Kind::Lanes, _) => Some(TeamPrompt::Role(Role::Coder)),
            (_, Some(Prompt::Role(role))) => Some(TeamPrompt::Role(role)),
            (_, Some(Prompt::Command(command))) => Some(TeamPrompt::Command(command)),
            (_, Some(Prompt::System(_) | Prompt::Own) | None) => None,
        }
    }

    /// Returns the role whose agent does the step, if it is one's.
    pub fn role(&self) -> Option<Role> {
        match self.team_prompt()? {
            TeamPrompt::Role(role) => Some(role),
            TeamPrompt::Command(command) => Some(command.role()),
            TeamPrompt::Context => None,
        }
    }

    /// Returns the folder of the change in which a role leaves its work: that of the first file.
    pub fn folder(&self) -> Option<&str> {
        self.leaves.first()?.path.rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Returns whether a file is there once the step has ended: one that it leaves, its answer where it judges, or the report
    /// of the checks.
    pub fn provides(&self, path: &str) -> bool {
        let is_left = self.leaves.iter().any(|file| covers(&file.path, path));
        is_left
            || self.answer().is_some_and(|answer| answer == path)
            || (self.kind == Kind::Checks && path == CHECK_REPORT)
    }

    /// Returns the file in which agentd keeps the answer of a step that judges: `REVIEW.md` for `review`. A role writes its own.
    pub fn answer(&self) -> Option<String> {
        match self.prompt {
            Some(Prompt::System(_) | Prompt::Own) if self.judges.is_some() => {
                Some(format!("{}.md", self.name.to_uppercase()))
            }
            Some(Prompt::System(_) | Prompt::Own | Prompt::Role(_) | Prompt::Command(_)) | None => {
                None
            }
        }
    }
}

/// The file in which agentd keeps what the checks printed.
pub const CHECK_REPORT: &str = "CHECKS.md";
