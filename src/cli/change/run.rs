//! `agentd run`: a change from its request to its archive, going on where it stopped.

use std::sync::Arc;

use clap::Args;

use super::agents::still_needed;
use super::baseline;
use super::drive::{RunScope, drive};
use super::dry_run::dry_run;
use super::flow::has_roles;
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

/// Bring a change from a request to its archive, by the steps of its flow.
///
/// A new change begins with the request; one that is there goes on where it stopped, whatever stopped it. Other text than
/// the request is the answer to an agent that asked, or guidance: the plan is revised with it, if no code was written yet.
///
/// Code is written in a worktree of its own, on the branch agentd/CHANGE; your checkout is not touched but for the
/// folder agentd/. After each round of code the commands of `[verify]` run, and what is red is not archived. They run before
/// the first call too: if one fails already, you choose whether the change must fix that (`--baseline`).
///
/// Exit code 0 means archived, or waiting for you (it says so), 8 that a judge rejected it or that the rounds ran out,
/// 5 to 7 that an agent failed, took too long or gave no verdict: run it again to go on.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd run add-login \"Add a login page\"          begin a change
  agentd run add-login                             go on with it
  agentd run add-login @request.md --until plan    the request from a file; only plan
  agentd run add-login --pause plan,review         ask me after these steps
  agentd run add-login --agent codex               with this agent in every step
  agentd run add-login --agent review=claude       with this agent in one step
  agentd run add-login --agent offline --dry-run   show the prompt, send nothing
  agentd run add-login --baseline fix              checks fail already: the change must make them pass
  agentd run fix-typo \"Fix the typo\" --flow quick   a small change, without a plan
  agentd run add-logo \"Add a logo\" --flow team      by a team of roles; it waits for your approval at its end")]
pub(crate) struct RunChange {
    /// The change's id: lower-case letters, digits and hyphens.
    #[arg(value_parser = id_or_proposal)]
    change: ChangeId,
    /// What is wanted; `-` reads it from standard input, and `@FILE` from a file.
    request: Option<String>,
    /// The flow: sdd, team, quick, or one of this project (`agentd flows list`). A change keeps the flow it began with.
    #[arg(long, value_name = "FLOW")]
    flow: Option<String>,
    /// Stop after this step.
    #[arg(long, value_name = "STEP")]
    until: Option<String>,
    /// Ask for approval after these steps; after every one if none is named.
    #[arg(
        long,
        value_name = "STEP,…",
        num_args = 0..=1,
        value_delimiter = ',',
        default_missing_value = "every"
    )]
    pause: Vec<String>,
    /// What happens where checks fail before the change: stop, fix (the change must make them pass) or tolerate (they may fail,
    /// and you are asked before the archive).
    #[arg(long, value_name = "RULE", value_parser = baseline::rule)]
    baseline: Option<RedBaseline>,
    #[command(flatten)]
    agents: AgentOptions,
    #[command(flatten)]
    live: LiveOptions,
    /// Print the prompt that would be sent next, and do nothing.
    #[arg(long, conflicts_with = "json")]
    dry_run: bool,
    #[command(flatten)]
    format: EventFormat,
}

impl RunChange {
    pub(crate) fn run(&self) -> Outcome {
        let (context, id) = (ProjectContext::find()?, &self.change);
        let request = self.request.as_deref().map(request::read).transpose()?;
        let request = request.as_deref();
        let found = if self.dry_run { context.whereabouts(id)? } else { context.settled(id)? };
        let begun = match &found {
            // The documents of an archived change may be gone, and its id is free again then.
            Whereabouts::Archived(it) if request.is_some() && !it.folder.is_dir() => None,
            Whereabouts::Open(it) | Whereabouts::Archived(it) => Some(read_history(&it.state)?),
            Whereabouts::Nowhere if request.is_none() => return Err(no_such_change(id)),
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
            // agentd may have been gone before it could record that it is archived, or tidy up.
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
        // That is said before anything is made.
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

    /// Returns the flow of the change: the one it began with, else the one that is asked for, else the project's.
    fn flow_of(&self, context: &ProjectContext, begun: Option<&History>) -> Outcome<FoundFlow> {
        let Some(begun) = begun else {
            return FoundFlow::named(context, self.flow.as_deref());
        };
        let name = &begun.flow.name;
        if self.flow.as_ref().is_some_and(|asked| *asked != *name) {
            return Err(Failure::usage(
                format!("change `{}` began with the flow `{name}`, and keeps it", self.change),
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
            let message = "`--keep-session` keeps a tmux session, and there is none";
            return Err(Failure::usage(message, "add `--tmux`"));
        }
        live::check(setup)
    }

    /// Begins the change or holds it; new text is the answer to a question, or guidance.
    fn hold(&self, setup: &Setup, new: Option<NewChange<'_>>, screen: &Screen) -> Outcome<Change> {
        let (id, project) = (&self.change, &setup.project);
        let request = new.as_ref().map(|new| new.request);
        let held = match new {
            Some(new) => Change::create(id, project, new),
            None => Change::hold(id, project),
        };
        let mut change = match held {
            // Whoever held it until now may have archived it since it was looked for.
            Err(ChangeError::Archived { .. }) => Change::hold(id, project)?,
            held => held?,
        };
        if change.history.is_cancelled() {
            return Err(given_up(id));
        }
        if change.history.is_new() {
            let text = format!("{id} begins in {}", project.change(id).display());
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
            format!("`{word}` in `{option} {word}` is no step of the flow `{}`", flow.name),
            known("steps", word, flow.steps.iter().map(|step| step.name.as_ref())),
        )
    })
}
