//! The prompt of a member of the team for one change: text, as it would be written into the change's folder.

use std::io::{self, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::Args;
use log::{info, warn};

use super::super::change::flow::ChosenFlow;
use super::super::change::status::history;
use super::super::change::workshop::{AgentOptions, set_up_to_look};
use super::super::change::{Room, change_folder};
use super::super::failure::{Failure, Kind, Outcome, io_kind};
use super::super::run_failure::unusable;
use super::super::words::{command, role};
use crate::engine::history::History;
use crate::engine::preview::{Preview, Prompts, Said, preview};
use crate::engine::roles::read_facts;
use crate::flow::{Kind as StepKind, Prompt, Step};
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::prompt::team::{self, BuiltPrompt, ReviewerTask, TeamPromptError, TeamSession, Topic};
use crate::template::{Command, RenderError, Role, TeamPrompt};

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
    pub(super) fn request<'o>(
        &'o self,
        change: Option<&'o ChangeId>,
    ) -> Outcome<Option<Request<'o>>> {
        let prompt = match (self.role, self.command) {
            (Some(role), _) => TeamPrompt::Role(role),
            (None, Some(command)) => TeamPrompt::Command(command),
            (None, None) => return Ok(None),
        };
        let change = change.ok_or_else(|| {
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
    /// Prints the prompt: what a run would send next, if this is it, else what the files make of it as they are.
    pub(super) fn run(&self) -> Outcome {
        let room = Room::find()?;
        // A change of the team may have no journal yet; its folder is enough to make a prompt.
        let folder = change_folder(&room, self.change)?;
        let root: PathBuf = room.project.root.clone();
        // Whoever only looks need not be kept from it by a journal that cannot be read.
        let history = history(&folder).ok();
        let prompt = if let Some(prompt) = self.of_run(room, &folder, history.as_ref())? {
            prompt
        } else {
            self.tell_what_is_left_out(&root, history.as_ref());
            let plan = self.plan().and_then(|plan| PlanIndex::new(plan.get()));
            let facts = read_facts(self.change, &folder, plan)?;
            let project_dir = root.clone();
            let session =
                TeamSession { feature_dir: folder, project_dir, project_root: root, facts };
            self.build(&session)?
        };
        let mut stdout = io::stdout().lock();
        stdout.write_all(prompt.text.as_bytes())?;
        Ok(stdout.flush()?)
    }

    /// Returns the plan, where the prompt is about one alone.
    const fn plan(&self) -> Option<NonZeroU32> {
        match self.wanted {
            Wanted::CoderOfPlan(number) => Some(number),
            _ => None,
        }
    }

    /// Makes the prompt that a run would send next, if it is the one that was asked for.
    fn of_run(
        &self,
        room: Room,
        folder: &Path,
        history: Option<&History>,
    ) -> Outcome<Option<BuiltPrompt>> {
        let Some(history) = history else { return Ok(None) };
        let flow = ChosenFlow::begun(&room.project.root, history)?;
        if !flow.has_roles() {
            return Ok(None);
        }
        let setup = set_up_to_look(room, &AgentOptions::default(), &flow)?;
        let (prompts, reservations) = match preview(&setup, self.change, folder, Said::Nothing)? {
            Preview::Step { step, prompts: Prompts::Roles(prompts), reservations }
                if self.is_asked_in(&step) =>
            {
                (prompts, reservations)
            }
            Preview::Step { .. } | Preview::Nothing { .. } => return Ok(None),
        };
        let is_wanted = |prompt: &BuiltPrompt| match self.wanted {
            Wanted::CoderOfPlan(number) => {
                prompt.file == format!("06_implementation/coder_prompt_{number}.md")
            }
            Wanted::CoderOfAllPlans => prompt.file == "06_implementation/coder_prompt.md",
            _ => true,
        };
        let prompt = prompts.into_iter().find(is_wanted);
        if prompt.is_some() {
            for reservation in &reservations {
                warn!("{reservation}");
            }
        }
        Ok(prompt)
    }

    /// Returns whether a step of a run sends this prompt.
    fn is_asked_in(&self, step: &Step) -> bool {
        let wanted = match self.wanted {
            Wanted::Architect => Prompt::Role(Role::Architect),
            Wanted::Planner => Prompt::Role(Role::Planner),
            Wanted::ProductManager => Prompt::Role(Role::ProductManager),
            Wanted::Designer => Prompt::Role(Role::Designer),
            Wanted::CoderOfPlan(_) | Wanted::CoderOfAllPlans => {
                return step.kind == StepKind::Lanes;
            }
            Wanted::Reviewer(ReviewerTask::Review) => Prompt::Command(Command::Review),
            Wanted::Fix => Prompt::Command(Command::Fix),
            Wanted::Summary => Prompt::Command(Command::Summary),
            Wanted::Change => Prompt::Command(Command::Change),
            // Researchers are sent theirs while a step is under way, and the standing prompt is sent by nobody.
            Wanted::CodeResearcher(_)
            | Wanted::WebResearcher(_)
            | Wanted::Reviewer(ReviewerTask::Standing) => return false,
        };
        step.prompt == Some(wanted)
    }

    /// Warns of what a run would change in the prompt. A change without a journal has no run to compare it with, so that only
    /// those who ask for more are told.
    fn tell_what_is_left_out(&self, root: &Path, history: Option<&History>) {
        let id = self.change;
        let left_out = format!(
            "a run first writes requirements.md and state.json and clears what an earlier round has left, and names its \
             worktree in place of `{}`",
            root.display()
        );
        match history {
            Some(history) => warn!(
                "`{id}` is at {}, so that this prompt is made of its files as they are: {left_out}",
                history.at()
            ),
            None => info!(
                "`{id}` has no journal, so that this prompt is made of its files as they are: {left_out}"
            ),
        }
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
        let kind = match &error {
            TeamPromptError::Render(RenderError::Include { fault, .. })
            | TeamPromptError::Unusable { fault, .. } => return unusable(fault, error.to_string()),
            TeamPromptError::Render(
                RenderError::MissingValue { .. }
                | RenderError::MissingInclude { .. }
                | RenderError::Unlinked { .. },
            ) => Kind::Template,
            TeamPromptError::Io { source, .. } => io_kind(source),
            TeamPromptError::Path(_)
            | TeamPromptError::MissingPlanFile { .. }
            | TeamPromptError::NotPassed => Kind::Precondition,
        };
        Self::new(kind, error.to_string()).help(error.help())
    }
}
