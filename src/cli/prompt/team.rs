//! The prompt of a member of the team for one change: text, as a run writes it into the change's folder.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use clap::Args;
use log::{info, warn};

use crate::cli::agent_options::AgentOptions;
use crate::cli::change::flow::has_roles;
use crate::cli::change::setup::set_up_to_look;
use crate::cli::flows::load::FoundFlow;
use crate::cli::value_parsers::{command, role};
use crate::cli::{Failure, Outcome, ProjectContext, print_raw, read_history};
use crate::engine::history::History;
use crate::engine::preview::{Preview, Prompts, Said, preview};
use crate::engine::roles::read_facts;
use crate::flow::Step;
use crate::models::change::ChangeId;
use crate::models::plan::PlanIndex;
use crate::prompt::team::{self, BuiltPrompt, Part, TeamSession, Topic};
use crate::template::{Command, Role, TeamPrompt};

/// The options of the team's prompts.
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

/// A requested prompt of the team.
pub(super) struct Request<'o> {
    change: &'o ChangeId,
    prompt: TeamPrompt,
    part: Part<'o>,
}

impl TeamOptions {
    /// Returns the request, if there is one.
    pub(super) fn request<'o>(
        &'o self,
        change: Option<&'o ChangeId>,
    ) -> Outcome<Option<Request<'o>>> {
        let prompt = match (self.role, self.command) {
            (Some(role), _) => TeamPrompt::Role(role),
            (None, Some(command)) => TeamPrompt::Command(command),
            (None, None) => return Ok(None),
        };
        let Some(change) = change else {
            return Err(Failure::usage(
                "the prompt of a member of the team needs `--change ID`",
                "for example: agentd prompt --role architect --change add-login",
            ));
        };
        Ok(Some(Request { change, prompt, part: self.part()? }))
    }

    /// Reads what the prompt is about. An option that the prompt does not use is refused.
    fn part(&self) -> Outcome<Part<'_>> {
        let is_coder = self.role == Some(Role::Coder);
        let is_researcher = matches!(self.role, Some(Role::CodeResearcher | Role::WebResearcher));
        let stray = match self {
            Self { plan: Some(_), .. } if !is_coder => Some(("--plan", "coder")),
            Self { whole: true, .. } if !is_coder => Some(("--whole", "coder")),
            Self { topic: Some(_), .. } if !is_researcher => {
                Some(("--topic", "code-researcher and web-researcher"))
            }
            _ => None,
        };
        if let Some((option, roles)) = stray {
            let message = format!("`{option}` is only for the role {roles}");
            return Err(Failure::usage(message, format!("leave out `{option}`")));
        }
        match (self.plan, &self.topic) {
            (Some(number), _) => Ok(Part::Plan(number)),
            (None, Some(topic)) => Ok(Part::Topic(topic)),
            (None, None) if is_coder && !self.whole => {
                Err(self.needs("`--plan N`, or `--whole` for all plans", "--plan 1"))
            }
            (None, None) if is_researcher => Err(self.needs("`--topic TOPIC`", "--topic auth")),
            (None, None) => Ok(Part::Whole),
        }
    }

    fn needs(&self, what: &str, example: &str) -> Failure {
        let role = self.role.map_or("", Role::word);
        Failure::usage(
            format!("the role {role} needs {what}"),
            format!("for example: agentd prompt --role {role} {example} --change add-login"),
        )
    }
}

impl Request<'_> {
    /// Prints the prompt: the one that a run sends next, if this is it, else one built from the current files.
    pub(super) fn run(&self) -> Outcome {
        let context = ProjectContext::find()?;
        // A change of the team may have no journal yet; its folder is enough to build a prompt.
        let location = context.location_or_folder(self.change)?;
        let root: PathBuf = context.project.root.clone();
        // A damaged journal does not prevent reading.
        let history = read_history(&location.state).ok();
        let prompt = if let Some(prompt) = self.of_run(context, history.as_ref())? {
            prompt
        } else {
            self.warn_of_differences(&root, history.as_ref());
            let plan = match self.part {
                Part::Plan(number) => PlanIndex::new(number.get()),
                Part::Whole | Part::Topic(_) => None,
            };
            let facts = read_facts(self.change, &location, plan)?;
            let project_dir = root.clone();
            let feature_dir = location.folder;
            let session = TeamSession { feature_dir, project_dir, project_root: root, facts };
            team::build_prompt(&session, self.prompt, self.part)?
        };
        print_raw(prompt.text.as_bytes())
    }

    /// Builds the prompt that a run would send next, if it is the requested one.
    fn of_run(
        &self,
        context: ProjectContext,
        history: Option<&History>,
    ) -> Outcome<Option<BuiltPrompt>> {
        let Some(history) = history else { return Ok(None) };
        let flow = FoundFlow::begun(&context.project.root, history)?;
        if !has_roles(&flow.flow) {
            return Ok(None);
        }
        let setup = set_up_to_look(context, &AgentOptions::default(), &flow)?;
        let (prompts, reservations) = match preview(&setup, self.change, Said::Nothing)? {
            Preview::Step { step, prompts: Prompts::Roles(prompts), reservations }
                if self.is_asked_in(&step) =>
            {
                (prompts, reservations)
            }
            Preview::Step { .. } | Preview::Nothing { .. } => return Ok(None),
        };
        let is_wanted = |prompt: &BuiltPrompt| match (self.prompt, self.part) {
            (TeamPrompt::Role(Role::Coder), Part::Plan(number)) => {
                prompt.file == format!("06_implementation/coder_prompt_{number}.md")
            }
            (TeamPrompt::Role(Role::Coder), _) => {
                prompt.file == "06_implementation/coder_prompt.md"
            }
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

    /// Returns whether a step of a run sends this prompt. Researchers get theirs during a step, and the reviewer's
    /// standing prompt is never sent.
    fn is_asked_in(&self, step: &Step) -> bool {
        step.team_prompt() == Some(self.prompt)
    }

    /// Warns how the prompt of a run would differ. A change without a journal has no run to compare with, so this is
    /// only a detail.
    fn warn_of_differences(&self, root: &Path, history: Option<&History>) {
        let (id, root) = (self.change, root.display());
        let difference = format!(
            "this prompt is built from the current files: a run first writes requirements.md and state.json and clears what \
             an earlier round has left, and names its workspace in place of `{root}`"
        );
        match history {
            Some(history) => warn!("`{id}` is at {}, so {difference}", history.at()),
            None => info!("`{id}` has no journal, so {difference}"),
        }
    }
}
