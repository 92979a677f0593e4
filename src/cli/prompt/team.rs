//! The prompt of a member of the team for one change: text, as it would be written into the change's folder.

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;

use super::super::change::ids::id;
use super::super::change::{Room, change_folder};
use super::super::failure::{Failure, Kind, Outcome};
use super::super::words::{command, role};
use crate::models::change::ChangeId;
use crate::prompt::team::{self, BuiltPrompt, ReviewerTask, TeamPromptError, TeamSession, Topic};
use crate::template::{Command, IncludeFault, RenderError, Role, TeamPrompt};

/// What only the prompts of the team take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of the team")]
pub(super) struct TeamOptions {
    /// A role: architect, planner, product-manager, reviewer, coder, code-researcher, web-researcher or designer.
    #[arg(long, value_parser = role, conflicts_with_all = ["command", "identity", "words", "variables", "strict"], requires = "change")]
    role: Option<Role>,
    /// A command: review, fix, summary or change.
    #[arg(long, value_parser = command, conflicts_with_all = ["identity", "words", "variables", "strict"], requires = "change")]
    command: Option<Command>,
    /// The change's id.
    #[arg(long, value_name = "ID", value_parser = id)]
    change: Option<ChangeId>,
    /// The coder's plan, by its number.
    #[arg(long, value_name = "N", requires = "role", conflicts_with = "whole")]
    plan: Option<NonZeroU32>,
    /// All plans in one prompt, for a single coder.
    #[arg(long, requires = "role")]
    whole: bool,
    /// The researcher's topic.
    #[arg(long, requires = "role")]
    topic: Option<Topic>,
}

/// A prompt of the team that was asked for.
pub(super) struct Request<'o> {
    change: &'o ChangeId,
    wanted: Wanted<'o>,
}

/// Which prompt it is, with what that one needs.
enum Wanted<'o> {
    Architect,
    Planner,
    ProductManager,
    Designer,
    CoderOfPlan(NonZeroU32),
    CoderOfAllPlans,
    CodeResearcher(&'o Topic),
    WebResearcher(&'o Topic),
    Reviewer(ReviewerTask),
    Fix,
    Summary,
    Change,
}

impl TeamOptions {
    /// Gives the request, if there is one.
    pub(super) fn request(&self) -> Outcome<Option<Request<'_>>> {
        let prompt = match (self.role, self.command) {
            (Some(role), _) => TeamPrompt::Role(role),
            (None, Some(command)) => TeamPrompt::Command(command),
            (None, None) => return self.alone().map_or(Ok(None), Err),
        };
        let change = self.change.as_ref().ok_or_else(|| {
            Failure::new(Kind::Usage, "the prompt of a member of the team needs `--change ID`")
        })?;
        self.refuse_what_is_not_for(prompt)?;
        Ok(Some(Request { change, wanted: self.wanted(prompt)? }))
    }

    fn wanted(&self, prompt: TeamPrompt) -> Outcome<Wanted<'_>> {
        Ok(match prompt {
            TeamPrompt::Role(Role::Architect) => Wanted::Architect,
            TeamPrompt::Role(Role::Planner) => Wanted::Planner,
            TeamPrompt::Role(Role::ProductManager) => Wanted::ProductManager,
            TeamPrompt::Role(Role::Designer) => Wanted::Designer,
            TeamPrompt::Role(Role::Coder) => match self.plan {
                Some(number) => Wanted::CoderOfPlan(number),
                None if self.whole => Wanted::CoderOfAllPlans,
                None => return Err(needs("coder", "`--plan N`, or `--whole` for all plans")),
            },
            TeamPrompt::Role(Role::CodeResearcher) => {
                Wanted::CodeResearcher(self.topic("code-researcher")?)
            }
            TeamPrompt::Role(Role::WebResearcher) => {
                Wanted::WebResearcher(self.topic("web-researcher")?)
            }
            TeamPrompt::Role(Role::Reviewer) => Wanted::Reviewer(ReviewerTask::Standing),
            TeamPrompt::Command(Command::Review) => Wanted::Reviewer(ReviewerTask::Review),
            TeamPrompt::Command(Command::Fix) => Wanted::Fix,
            TeamPrompt::Command(Command::Summary) => Wanted::Summary,
            TeamPrompt::Command(Command::Change) | TeamPrompt::Context => Wanted::Change,
        })
    }

    fn topic(&self, role: &str) -> Outcome<&Topic> {
        self.topic.as_ref().ok_or_else(|| needs(role, "`--topic TOPIC`"))
    }

    /// Refuses options that the prompt has no use for, rather than passing over them.
    fn refuse_what_is_not_for(&self, prompt: TeamPrompt) -> Outcome {
        let is_coder = prompt == TeamPrompt::Role(Role::Coder);
        let is_researcher =
            matches!(prompt, TeamPrompt::Role(Role::CodeResearcher | Role::WebResearcher));
        let stray = [
            ("--plan", self.plan.is_some() && !is_coder, "coder"),
            ("--whole", self.whole && !is_coder, "coder"),
            (
                "--topic",
                self.topic.is_some() && !is_researcher,
                "code-researcher and web-researcher",
            ),
        ];
        match stray.iter().find(|(_, is_stray, _)| *is_stray) {
            Some((option, _, roles)) => {
                Err(Failure::new(Kind::Usage, format!("`{option}` is for the role {roles} alone"))
                    .help(format!("leave `{option}` out")))
            }
            None => Ok(()),
        }
    }

    /// Says what is wrong with options of the team where neither role nor command is given.
    fn alone(&self) -> Option<Failure> {
        self.change.as_ref().map(|_| {
            Failure::new(Kind::Usage, "`--change` needs `--role` or `--command`")
                .help("for example: agentd prompt --role architect --change add-login")
        })
    }
}

fn needs(role: &str, what: &str) -> Failure {
    Failure::new(Kind::Usage, format!("the role {role} needs {what}")).help(format!(
        "for example: agentd prompt --role {role} {}",
        match role {
            "coder" => "--plan 1 --change add-login",
            _ => "--topic auth --change add-login",
        }
    ))
}

impl Request<'_> {
    /// Prints the prompt.
    pub(super) fn run(&self) -> Outcome {
        let room = Room::find()?;
        // A change of the team may have no journal yet; its folder is enough to make a prompt.
        let feature_dir = change_folder(&room, self.change)?;
        let root: PathBuf = room.project.root;
        let session = TeamSession { feature_dir, project_dir: root.clone(), project_root: root };
        let prompt = self.build(&session)?;
        let mut stdout = io::stdout().lock();
        stdout.write_all(prompt.text.as_bytes())?;
        Ok(stdout.flush()?)
    }

    fn build(&self, session: &TeamSession) -> Result<BuiltPrompt, TeamPromptError> {
        match self.wanted {
            Wanted::Architect => team::build_architect_prompt(session),
            Wanted::Planner => team::build_planner_prompt(session),
            Wanted::ProductManager => team::build_product_manager_prompt(session),
            Wanted::Designer => team::build_designer_prompt(session),
            Wanted::CoderOfPlan(number) => team::build_coder_subplan_prompt(session, number),
            Wanted::CoderOfAllPlans => team::build_coder_whole_plan_prompt(session),
            Wanted::CodeResearcher(topic) => team::build_code_researcher_prompt(session, topic),
            Wanted::WebResearcher(topic) => team::build_web_researcher_prompt(session, topic),
            Wanted::Reviewer(task) => team::build_reviewer_prompt(session, task),
            Wanted::Fix => team::build_fix_prompt(session),
            Wanted::Summary => team::build_reviewer_summary_prompt(session),
            Wanted::Change => team::build_change_prompt(session),
        }
    }
}

impl From<TeamPromptError> for Failure {
    fn from(error: TeamPromptError) -> Self {
        let of_fault = |fault: &IncludeFault| match fault {
            IncludeFault::Outside => Kind::Outside,
            IncludeFault::TooLarge(_) => Kind::Limit,
            IncludeFault::NotAFile => Kind::Template,
            IncludeFault::Unreadable(_) => Kind::Io,
        };
        let kind = match &error {
            TeamPromptError::Render(RenderError::Include { fault, .. })
            | TeamPromptError::Unusable { fault, .. } => of_fault(fault),
            TeamPromptError::Render(
                RenderError::MissingValue { .. }
                | RenderError::MissingInclude { .. }
                | RenderError::Unlinked { .. },
            ) => Kind::Template,
            TeamPromptError::Io { .. } => Kind::Io,
            TeamPromptError::Path(_)
            | TeamPromptError::MissingPlanFile { .. }
            | TeamPromptError::NotPassed => Kind::Precondition,
        };
        Self::new(kind, error.to_string()).help(error.help())
    }
}
