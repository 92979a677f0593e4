//! The builders: one function for each prompt of the team, which says what goes into it and where it belongs.

use std::num::NonZeroU32;

use super::assemble::assemble;
use super::change_diff::change_diff;
use super::earlier_attempt::earlier_attempt;
use super::error::TeamPromptError;
use super::handoff::research_handoff;
use super::markers::Completion;
use super::plans::{self, Reader};
use super::schedule::{numbers, schedule};
use super::session::{BuiltPrompt, TeamSession, in_prompt};
use super::topic::Topic;
use super::values::TeamValues;
use crate::catalog::TEAM;
use crate::files::OrFailed as _;
use crate::models::review::ReviewVerdict;
use crate::prompt::session::Session;
use crate::template::{Command, Includes as _, OwnText, Placeholder, Role, TeamPrompt, Text};

const REVIEW: &str = "07_review/review.md";

/// What a reviewer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewerTask {
    /// What a reviewer is.
    Standing,
    /// To judge the work now.
    Review,
}

/// What of the work a prompt is about.
#[derive(Clone, Copy, Debug)]
pub enum Part<'p> {
    /// All of it.
    Whole,
    /// The plan of this number.
    Plan(NonZeroU32),
    /// A topic that is looked into.
    Topic(&'p Topic),
}

/// Makes a prompt of the team; that of a reviewer without a command is the one between reviews.
pub fn build_prompt(
    session: &TeamSession,
    prompt: TeamPrompt,
    part: Part<'_>,
) -> Result<BuiltPrompt, TeamPromptError> {
    match (prompt, part) {
        (TeamPrompt::Role(Role::Coder), Part::Plan(number)) => {
            build_coder_subplan_prompt(session, number)
        }
        (TeamPrompt::Role(Role::Coder), _) => build_coder_whole_plan_prompt(session),
        (TeamPrompt::Role(Role::WebResearcher), Part::Topic(topic)) => {
            build_web_researcher_prompt(session, topic)
        }
        (_, Part::Topic(topic)) => build_code_researcher_prompt(session, topic),
        (TeamPrompt::Role(Role::Architect), _) => build_architect_prompt(session),
        (TeamPrompt::Role(Role::Planner), _) => build_planner_prompt(session),
        (TeamPrompt::Role(Role::ProductManager), _) => build_product_manager_prompt(session),
        (TeamPrompt::Role(Role::Designer), _) => build_designer_prompt(session),
        (TeamPrompt::Role(_), _) => build_reviewer_prompt(session, ReviewerTask::Standing),
        (TeamPrompt::Command(Command::Review), _) => {
            build_reviewer_prompt(session, ReviewerTask::Review)
        }
        (TeamPrompt::Command(Command::Fix), _) => build_fix_prompt(session),
        (TeamPrompt::Command(Command::Summary), _) => build_reviewer_summary_prompt(session),
        (TeamPrompt::Command(Command::Change) | TeamPrompt::Context, _) => {
            build_change_prompt(session)
        }
    }
}

/// Makes the prompt with which the product manager finds out what is wanted.
pub fn build_product_manager_prompt(session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
    let file = "01_product_management/product_manager_prompt.md";
    Desk::open(session)?.role(Role::ProductManager, file)
}

/// Makes the prompt with which the architect designs the change.
pub fn build_architect_prompt(session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?.with_research()?;
    desk.role(Role::Architect, "02_architecting/architect_prompt.md")
}

/// Makes the prompt with which the planner cuts the design into plans.
pub fn build_planner_prompt(session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?.with_research()?;
    desk.role(Role::Planner, "04_planning/planner_prompt.md")
}

/// Makes the prompt with which the planner plans anew, for what a person asks to change.
pub fn build_change_prompt(session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?.with_research()?;
    desk.command(Command::Change, "04_planning/change_prompt.md")
}

/// Makes the designer's prompt.
pub fn build_designer_prompt(session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?.with_completion(&Completion::Design)?;
    desk.role(Role::Designer, "05_design/designer_prompt.md")
}

/// Makes the prompt of the coder of one plan. The plan and its tasks must be there.
pub fn build_coder_subplan_prompt(
    session: &TeamSession,
    number: NonZeroU32,
) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?
        .with_research()?
        .with_completion(&Completion::Plan(number))?
        .with(Placeholder::PlanFile, plans::plan_file(number))
        .with(Placeholder::TasksFile, plans::tasks_file(number))
        .with(Placeholder::SubPlans, "")
        .with(Placeholder::EarlierAttempt, earlier_attempt(session.facts.refused.as_ref()));
    let built = desk.role(Role::Coder, &format!("06_implementation/coder_prompt_{number}.md"));
    plans::ensure_complete(&desk.files, number)?;
    built
}

/// Makes the prompt of one coder that does all plans, which are inlined with their tasks in the order of the schedule.
pub fn build_coder_whole_plan_prompt(
    session: &TeamSession,
) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?;
    let groups = plans::groups(session, &desk.files)?;
    let all: Vec<_> = groups.iter().flat_map(|group| &group.plans).copied().collect();
    let inlined = plans::inlined(session, &desk.files, &all, Reader::Coder)?;
    let inlined = OwnText::trusted(format!("{}\n\n{inlined}", schedule(&groups)));
    desk.with_research()?
        .with_completion(&Completion::Plans(numbers(&groups)))?
        .with(Placeholder::PlanFile, format!("{}/plan.md", plans::PLANNING))
        .with(Placeholder::TasksFile, format!("{}/tasks.md", plans::PLANNING))
        .with(Placeholder::SubPlans, inlined)
        .with(Placeholder::EarlierAttempt, "")
        .role(Role::Coder, "06_implementation/coder_prompt.md")
}

/// Makes a reviewer's prompt.
pub fn build_reviewer_prompt(
    session: &TeamSession,
    task: ReviewerTask,
) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?;
    match task {
        ReviewerTask::Standing => desk.role(Role::Reviewer, "07_review/reviewer_prompt.md"),
        ReviewerTask::Review => {
            let desk = desk.with_plans()?.with_diff()?;
            desk.command(Command::Review, "07_review/review_prompt.md")
        }
    }
}

/// Makes the prompt with which the reviewer sums up work that passed; other work is refused.
pub fn build_reviewer_summary_prompt(
    session: &TeamSession,
) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?;
    let review = desk.files.read(REVIEW).map_err(|fault| TeamPromptError::Unusable {
        path: session.feature_dir.join(REVIEW),
        fault,
    })?;
    if review.as_deref().and_then(ReviewVerdict::of_review) != Some(ReviewVerdict::Pass) {
        return Err(TeamPromptError::NotPassed);
    }
    desk.with_diff()?.command(Command::Summary, "08_completion/summary_prompt.md")
}

/// Makes the prompt with which the coder mends what a review found.
pub fn build_fix_prompt(session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
    let desk = Desk::open(session)?.with_plans()?.with_diff()?.with_completion(&Completion::Fix)?;
    desk.command(Command::Fix, "06_implementation/fix_prompt.md")
}

/// Makes the prompt of who looks into the project's code for a topic.
pub fn build_code_researcher_prompt(
    session: &TeamSession,
    topic: &Topic,
) -> Result<BuiltPrompt, TeamPromptError> {
    researcher(session, Role::CodeResearcher, "code", topic)
}

/// Makes the prompt of who looks into the world outside for a topic.
pub fn build_web_researcher_prompt(
    session: &TeamSession,
    topic: &Topic,
) -> Result<BuiltPrompt, TeamPromptError> {
    researcher(session, Role::WebResearcher, "web", topic)
}

fn researcher(
    session: &TeamSession,
    role: Role,
    kind: &str,
    topic: &Topic,
) -> Result<BuiltPrompt, TeamPromptError> {
    let folder = format!("03_research/{kind}-{topic}");
    let file = format!("{folder}/researcher_prompt.md");
    Desk::open(session)?
        .with(Placeholder::Topic, topic.as_str())
        .with(Placeholder::ResearchDir, folder)
        .role(role, &file)
}

/// A prompt in the making: the open session and the values so far.
struct Desk<'s> {
    session: &'s TeamSession,
    files: Session,
    values: TeamValues,
}

impl<'s> Desk<'s> {
    /// Opens the change's folder and notes the values that every prompt has.
    fn open(session: &'s TeamSession) -> Result<Self, TeamPromptError> {
        let values = TeamValues::default()
            .with(Placeholder::FeatureDir, in_prompt(&session.feature_dir)?)
            .with(Placeholder::ProjectDir, in_prompt(&session.project_dir)?)
            .with(Placeholder::Questions, session.facts.audience.questions())
            .with(Placeholder::PreferenceApproval, session.facts.audience.preference_approval());
        let files = Session::open(&session.feature_dir).or_failed("open", &session.feature_dir)?;
        Ok(Self { session, files, values })
    }

    fn with(mut self, placeholder: Placeholder, value: impl Into<Text>) -> Self {
        self.values = self.values.with(placeholder, value);
        self
    }

    fn with_research(self) -> Result<Self, TeamPromptError> {
        let handoff = research_handoff(self.session, self.files.folder())?;
        Ok(self.with(Placeholder::ResearchHandoff, handoff))
    }

    /// Adds every plan with its tasks, for those who judge the work or fix it.
    fn with_plans(self) -> Result<Self, TeamPromptError> {
        let plans = plans::for_judges(self.session, &self.files)?;
        Ok(self.with(Placeholder::SubPlans, plans))
    }

    /// Adds how to look at the whole diff.
    fn with_diff(self) -> Result<Self, TeamPromptError> {
        let project_dir = in_prompt(&self.session.project_dir)?;
        let diff = change_diff(self.session.facts.base.as_deref(), project_dir);
        Ok(self.with(Placeholder::ChangeDiff, diff))
    }

    fn with_completion(self, completion: &Completion) -> Result<Self, TeamPromptError> {
        let instructions = completion.instructions(in_prompt(&self.session.feature_dir)?);
        Ok(self.with(Placeholder::CompletionMarkers, instructions))
    }

    fn role(&self, role: Role, file: &str) -> Result<BuiltPrompt, TeamPromptError> {
        self.finish(TeamPrompt::Role(role), file)
    }

    fn command(&self, command: Command, file: &str) -> Result<BuiltPrompt, TeamPromptError> {
        self.finish(TeamPrompt::Command(command), file)
    }

    fn finish(&self, prompt: TeamPrompt, file: &str) -> Result<BuiltPrompt, TeamPromptError> {
        let template = TEAM.get(prompt);
        let text = assemble(self.session, &self.files, template, &self.values)?;
        Ok(BuiltPrompt { text, file: file.to_owned(), template })
    }
}
