//! `agentd run`: runs a change from its request to its archive, continuing where it stopped.

use std::sync::Arc;

use clap::Args;

use super::agents::still_needed;
use super::baseline;
use super::drive::{RunScope, drive};
use super::dry_run::dry_run;
use super::flow::has_roles;
use super::gate::{self, Decision};
use super::live::{self, LiveOptions};
use super::request::{self, add_to_request, is_new_text};
use super::setup::{Needed, set_up};
use crate::cli::agent_options::AgentOptions;
use crate::cli::flows::load::FoundFlow;
use crate::cli::value_parsers::{id_or_proposal, known};
use crate::cli::{
    EventFormat, Failure, Outcome, ProjectContext, archived, given_up, no_such_change, read_history,
};
use crate::engine::change::{Change, ChangeError, NewChange};
use crate::engine::driver::Goal;
use crate::engine::history::History;
use crate::engine::project::Whereabouts;
use crate::engine::setup::Setup;
use crate::flow::{Flow, StepId, StepSet};
use crate::models::change::ChangeId;
use crate::models::settings::{Handover, RedBaseline};
use crate::output::human::Tone;
use crate::output::screen::Screen;

/// Run a change from a request to its archive, by the steps of its flow.
///
/// A new change starts with the request; an existing one continues where it stopped, for whatever reason. Text other
/// than the request answers the question of an agent, or is guidance: the plan is revised with it, if no code was
/// written yet.
///
/// Code is written in a workspace, on the branch agentd/CHANGE; your checkout is not touched except for the folder
/// agentd/. After each round of code the commands of `[verify]` run, and a change with failing checks is not archived.
/// They also run before the first call: if one already fails, you choose whether the change must fix that
/// (`--baseline`).
///
/// Exit code 0 means archived, or waiting for you (the output says which), 8 that a judge rejected it or that no rounds
/// are left, 5 to 7 that an agent failed, timed out or gave no verdict: run it again to continue.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add a login page\"          start a change
  agentd run add-login                             continue it
  agentd run add-login @request.md --until plan    the request from a file; plan only
  agentd run add-login --pause plan,review         ask me after these steps
  agentd run add-login --agent codex               with this agent in every step
  agentd run add-login --agent review=claude       with this agent in one step
  agentd run add-login --agent offline --dry-run   show the prompt, send nothing
  agentd run add-login --baseline fix              checks already fail: the change must make them pass
  agentd run fix-typo \"Fix the typo\" --flow quick   a small change, without a plan
  agentd run add-logo \"Add a logo\" --flow team      by a team of roles; it waits for your approval at its end")]
pub(crate) struct RunChange {
    /// The change's id: lower-case letters, digits and hyphens.
    #[arg(value_parser = id_or_proposal)]
    change: ChangeId,
    /// What you want; `-` reads it from standard input, and `@FILE` from a file.
    request: Option<String>,
    /// The flow: sdd, team, quick, or one of this project (`agentd flows list`). A change keeps the flow it started
    /// with.
    #[arg(long, value_name = "FLOW")]
    flow: Option<String>,
    /// Stop after this step.
    #[arg(long, value_name = "STEP")]
    until: Option<String>,
    /// Ask for approval after these steps; after every step if none is named.
    #[arg(
        long,
        value_name = "STEP,…",
        num_args = 0..=1,
        value_delimiter = ',',
        default_missing_value = "every"
    )]
    pause: Vec<String>,
    /// What to do if checks fail before the change: stop, fix (the change must make them pass) or tolerate (they may
    /// fail, and you are asked before the archive).
    #[arg(long, value_name = "RULE", value_parser = baseline::rule)]
    baseline: Option<RedBaseline>,
    #[command(flatten)]
    agents: AgentOptions,
    #[command(flatten)]
    live: LiveOptions,
    /// Print the prompt that would be sent next, and do nothing else.
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,
    #[command(flatten)]
    format: EventFormat,
}

impl RunChange {
    /// Describes a run that continues a change with the agents of the configuration.
    pub(super) fn of(change: ChangeId, format: EventFormat) -> Self {
        Self {
            change,
            request: None,
            flow: None,
            until: None,
            pause: Vec::new(),
            baseline: None,
            agents: AgentOptions::default(),
            live: LiveOptions::default(),
            dry_run: false,
            format,
        }
    }

    pub(crate) fn run(&self) -> Outcome {
        let mut request = self.request.as_deref().map(request::read).transpose()?;
        loop {
            self.once(request.as_deref())?;
            let may_ask = !self.dry_run && !self.format.json;
            request = match if may_ask { gate::ask(&self.change)? } else { Decision::Quit } {
                Decision::Continue => None,
                Decision::Answer(text) => Some(text),
                Decision::Quit => return Ok(()),
            };
        }
    }

    fn once(&self, request: Option<&str>) -> Outcome {
        let (context, id) = (ProjectContext::find()?, &self.change);
        let found = if self.dry_run { context.whereabouts(id)? } else { context.settled(id)? };
        let begun = match &found {
            // The documents of an archived change may be deleted; its id is then free again.
            Whereabouts::Archived(it) if request.is_some() && !it.folder.is_dir() => None,
            Whereabouts::Open(it) | Whereabouts::Archived(it) => Some(read_history(&it.state)?),
            Whereabouts::Nowhere if request.is_none() => return Err(no_such_change(id)),
            Whereabouts::Nowhere
                if !context.project.is_being_discarded(id)
                    && context.repository.holds_base(id.as_str())? =>
            {
                return Err(without_journal(&context, id));
            }
            Whereabouts::Nowhere => None,
        };
        let flow = self.flow_of(&context, begun.as_ref())?;
        let goal = self.goal(&flow.flow)?;
        let scope = RunScope::Goal(goal);
        if !has_roles(&flow.flow) {
            self.live.reject_without_roles()?;
        }
        if self.dry_run {
            return dry_run(context, id, request, &self.agents, &flow);
        }
        let screen = self.format.screen();
        if let (Whereabouts::Archived(location), Some(history)) = (&found, &begun) {
            if request.is_some_and(|text| is_new_text(history, text)) {
                return Err(archived(id, &location.folder));
            }
            let setup = set_up(context, &self.agents, &flow, Needed::default())?;
            // agentd may have been killed before it recorded the archive, or before it cleaned up.
            let change = Change::hold(id, &setup.project)?;
            return drive(&setup, change, &screen, scope, self.live);
        }
        let new = NewChange {
            request: request.unwrap_or_default(),
            product_manager: context.config()?.team.product_manager,
            flow: flow.copy(),
        };
        let begun = begun.as_ref();
        let steps = still_needed(&flow.flow, begun, &new, request, goal.until);
        let needed = Needed { steps, begun };
        let mut setup = set_up(context, &self.agents, &flow, needed)?;
        self.choose_delivery(&mut setup)?;
        setup.verify.baseline = self.baseline.unwrap_or(setup.verify.baseline);
        // Reported before anything is created.
        setup.refuse_without_way(id)?;
        let mut change = self.hold(&setup, request.is_some().then_some(new), &screen)?;
        baseline::choose(&mut change, self.baseline, &screen)?;
        let driven = self.drive(&setup, change, &screen, scope);
        let choice = match &driven {
            Err(failure) if !self.format.json && self.baseline.is_none() => baseline::ask(failure)?,
            Ok(()) | Err(_) => None,
        };
        let Some(choice) = choice else { return driven };
        setup.verify.baseline = choice;
        self.drive(&setup, Change::hold(id, &setup.project)?, &screen, scope)
    }

    fn drive(
        &self,
        setup: &Setup,
        change: Change,
        screen: &Arc<Screen>,
        scope: RunScope,
    ) -> Outcome {
        drive(setup, change, screen, scope, self.live)
    }

    /// Returns the flow of the change: the one it started with, else the requested one, else the project's default.
    fn flow_of(&self, context: &ProjectContext, begun: Option<&History>) -> Outcome<FoundFlow> {
        let Some(begun) = begun else {
            return FoundFlow::named(context, self.flow.as_deref());
        };
        let name = &begun.flow.name;
        if self.flow.as_ref().is_some_and(|asked| *asked != *name) {
            return Err(Failure::usage(
                format!(
                    "change `{}` was started with the flow `{name}`, and keeps it",
                    self.change
                ),
                "leave `--flow` out",
            ));
        }
        FoundFlow::begun(&context.project.root, begun)
    }

    fn goal(&self, flow: &Flow) -> Outcome<Goal> {
        let until = self.until.as_deref().map(|word| step_of(flow, "--until", word)).transpose()?;
        let mut pauses = StepSet::default();
        for word in &self.pause {
            if word == "every" {
                pauses = flow.numbered().map(|(id, _)| id).collect();
            } else {
                pauses = pauses.with(step_of(flow, "--pause", word)?);
            }
        }
        Ok(Goal { until, pauses })
    }

    fn choose_delivery(&self, setup: &mut Setup) -> Outcome {
        if self.live.tmux {
            setup.team.delivery = Handover::Tmux;
        }
        let is_live = setup.team.delivery == Handover::Tmux;
        if self.live.keep_session && !is_live {
            let message = "`--keep-session` keeps a tmux session, but there is none";
            return Err(Failure::usage(message, "add `--tmux`"));
        }
        live::check(setup)
    }

    /// Starts or locks the change; new text is the answer to a question, or guidance.
    fn hold(&self, setup: &Setup, new: Option<NewChange<'_>>, screen: &Screen) -> Outcome<Change> {
        let (id, project) = (&self.change, &setup.project);
        let request = new.as_ref().map(|new| new.request);
        let held = match new {
            Some(new) => Change::create(id, project, new),
            None => Change::hold(id, project),
        };
        let mut change = match held {
            // Another process may have archived it since it was looked up.
            Err(ChangeError::Archived { .. }) => Change::hold(id, project)?,
            held => held?,
        };
        if change.history.is_cancelled() {
            return Err(given_up(id));
        }
        if change.history.is_new() {
            let text = format!("{id} starts in {}", project.change(id).display());
            screen.line("change", &text, Tone::Plain);
        }
        if let Some(text) = request
            && is_new_text(&change.history, text)
        {
            add_to_request(&mut change, text, screen)?;
        }
        Ok(change)
    }
}

/// Finds a step that an option names.
fn step_of(flow: &Flow, option: &str, word: &str) -> Outcome<StepId> {
    flow.find(word).ok_or_else(|| {
        Failure::usage(
            format!("`{word}` in `{option} {word}` is not a step of the flow `{}`", flow.name),
            known("steps", word, flow.steps.iter().map(|step| step.name.as_ref())),
        )
    })
}

/// Returns the failure for a change that was started here and whose state is gone.
fn without_journal(context: &ProjectContext, id: &ChangeId) -> Failure {
    let state = context.project.location(id).state;
    Failure::precondition(
        format!("change `{id}` was started in this repository, and `{}` is gone", state.display()),
        format!(
            "restore that folder, or choose another id; `git update-ref -d refs/agentd/{id}/base` frees the id"
        ),
    )
}
