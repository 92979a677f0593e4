//! `agentd call`: one complete request to one agent, outside any workflow.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use log::{info, warn};
use serde_json::json;

use super::assignment::assign;
use super::change::dry_run::print_request;
use super::change::flow::ensure_has_phases;
use super::configuration;
use super::errors::look_at;
use super::input;
use super::markers::ensure_passed;
use super::runtime;
use super::trust::ensure_trusted;
use super::value_parsers::phase;
use crate::catalog::CATALOG;
use crate::cli::{
    Failure, Format, Kind, Outcome, PathContext as _, ProjectContext, ensure_nameable, print_json,
    read_history, reject_link, reject_links,
};
use crate::config::{Config, Override};
use crate::engine::change::Change;
use crate::engine::event;
use crate::engine::project::{Location, Project};
use crate::files::make_folder;
use crate::models::agent::AgentSettings;
use crate::models::change::ChangeId;
use crate::orchestrator::markers::Answer;
use crate::orchestrator::watch::{Event, Watch};
use crate::orchestrator::{Orchestrator, PhaseOutcome, Place};
use crate::output::human::{Tone, lines_for};
use crate::output::json::path_text;
use crate::output::redact::redact;
use crate::output::sanitize::safe;
use crate::template::{Phase, TaskStatus, Verdict};

/// Ask one agent for one phase of a change, and print its answer.
///
/// The prompt is the one that the workflow would send: the compiled template of the phase, the files in
/// agentd/changes/CHANGE, and the instructions. The agent runs in this folder; in the phases challenge and review it
/// may only read. agentd creates the change's folder (for a plan) and a folder for the run, runs/NNN-PHASE, with the
/// exact prompt and the raw answer: in the change's folder, or with the state of a change that was started. The agent
/// writes the documents of its phase in the change's folder, and in implement the code in this folder. The call is not
/// recorded in the change's journal. A change that was started is locked during the call, as `agentd run` locks it; a
/// change of a flow with roles is refused.
///
/// Exit code 0 means PASS (or all tasks completed), 8 another verdict (or a failed task), 7 no verdict even after a
/// second request, 5 that the agent failed, 6 that it timed out, 9 that another run uses the change.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd call plan add-login \"Add login\" --agent offline
  agentd call review add-login \"Review the change\" --agent claude --json | jq .verdict
  agentd call plan add-login \"Add login\" --agent gemini --dry-run")]
pub(super) struct Call {
    /// The phase: plan, challenge, implement, review or archive.
    #[arg(value_parser = phase)]
    phase: Phase,
    /// The change's id: lower-case letters, digits and hyphens.
    change: ChangeId,
    /// What the agent should do; `-` reads it from standard input, and `@FILE` from a file.
    instructions: String,
    /// The agent [default: the one that the configuration names for the phase].
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The folder of changes, instead of agentd/changes.
    #[arg(long, value_name = "DIR")]
    changes: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    /// Print the prompt that would be sent, and send nothing.
    #[arg(long)]
    dry_run: bool,
}

impl Call {
    pub(super) fn run(&self) -> Outcome {
        let flags = self
            .agent
            .iter()
            .map(|agent| Override::flag("--agent", &["phases", self.phase.word()], agent));
        let locations = configuration::locations()?;
        let config = configuration::read(&locations, flags.collect())?;
        if !self.dry_run {
            ensure_trusted(&config, &locations.root)?;
        }
        let agent = self.agent(&config)?.clone();
        let mut place = Place::new(&locations.root, &locations.executable);
        place.environment = configuration::environment();
        place.sandbox = configuration::sandbox(&config, locations.user.iter().cloned().collect())?
            .map(Arc::new);
        if !self.dry_run {
            configuration::ensure_confinable(&config)?;
        }
        if let Some(changes) = &self.changes {
            place.changes = named(changes, &locations.root).or_fail("cannot find", changes)?;
        }
        let folder = place.changes.join(self.change.as_str());
        ensure_nameable(&folder)?;
        if self.changes.is_none() {
            reject_links(&Project::at(&locations.root))?;
        }
        reject_link(&folder)?;
        // Locked until the agent is done.
        let held = self.hold()?;
        place.state = held.as_ref().and_then(|change| Some(change.state.parent()?.to_owned()));
        let instructions = input::text_or_file(&self.instructions)?;
        let instructions = input::ensure_not_empty(instructions)?;
        self.open_change(&folder)?;
        let (id, step) = (&self.change, CATALOG.step(self.phase));
        let orchestrator = Orchestrator::new(agent, place).with_prices(config.prices);
        if self.dry_run {
            return print_request(&orchestrator.outgoing(id, step, &instructions)?);
        }
        runtime::block_on(|cancel| async move {
            let orchestrator = orchestrator.with_watch(Arc::new(Log)).with_cancel(cancel);
            let outcome = orchestrator.run(id, step, &instructions).await?;
            match self.print(&outcome) {
                // The reader of our output has gone, but the verdict still decides the exit code.
                Err(failure) if failure.kind() == Kind::ClosedPipe => {}
                printed => printed?,
            }
            judge(self.phase, &outcome).map_err(|failure| failure.help(look_at(&outcome.run)))
        })
    }

    /// Chooses the agent of the phase and reports why.
    fn agent<'c>(&self, config: &'c Config) -> Outcome<&'c AgentSettings> {
        let Some(flow) = CATALOG.flow("sdd") else { return Ok(config.for_phase(self.phase)?) };
        let all = flow.numbered().map(|(id, _)| id).collect();
        let mut assignments = assign(config, &BTreeMap::new(), flow, all).into_iter();
        match assignments.find(|it| it.slot == self.phase.word()).map(|it| it.chosen) {
            Some(Ok(chosen)) => {
                info!("`{}` does {} ({})", chosen.agent.name, self.phase, chosen.reason);
                Ok(chosen.agent)
            }
            // A dry run needs no installed agent.
            Some(Err(error)) if !self.dry_run => Err(error.into()),
            Some(Err(_)) | None => Ok(config.for_phase(self.phase)?),
        }
    }

    /// Locks a change that was started, for as long as the returned value lives: a run of it writes the same files. A
    /// dry run needs no lock.
    fn hold(&self) -> Outcome<Option<Change>> {
        let id = &self.change;
        // Changes elsewhere, or without a repository, were never started.
        let (None, Ok(context)) = (&self.changes, ProjectContext::find_to_read()) else {
            return Ok(None);
        };
        let Ok(Location { state, .. }) = context.location(id) else { return Ok(None) };
        let begun = read_history(&state)?;
        ensure_has_phases(id, &begun.flow, format!("`agentd run {id}` continues it"))?;
        if self.dry_run {
            return Ok(None);
        }
        Ok(Some(Change::hold(id, &context.project)?))
    }

    /// Opens the folder of the change. Only the plan phase may create the folder.
    fn open_change(&self, folder: &Path) -> Outcome {
        if self.phase == Phase::Plan && !self.dry_run {
            return make_folder(folder).or_fail("cannot make", folder);
        }
        if folder.is_dir() {
            return Ok(());
        }
        let id = &self.change;
        Err(Failure::precondition(
            format!("there is no change `{id}` in `{}`", folder.display()),
            format!("start it with its plan: agentd call plan {id} \"…\""),
        ))
    }

    fn print(&self, outcome: &PhaseOutcome) -> Outcome {
        if self.format.json {
            return print_json(report(outcome));
        }
        // The unchanged answer stays in the run's folder.
        let text = Answer::read(&outcome.text).without_thoughts();
        let mut stdout = io::stdout().lock();
        let text = if stdout.is_terminal() { safe(text.trim()) } else { redact(text.trim()) };
        Ok(writeln!(stdout, "{}", text.trim_end())?)
    }
}

fn report(outcome: &PhaseOutcome) -> serde_json::Value {
    let task = |(id, status): &(String, TaskStatus)| json!({ "id": id, "status": status.word() });
    let tasks: Vec<_> = outcome.statuses.iter().map(task).collect();
    json!({
        "version": 1,
        "text": Answer::read(&outcome.text).without_thoughts().trim(),
        "verdict": outcome.verdict.map(Verdict::word),
        "blocked": outcome.blocked,
        "tasks": tasks,
        "usage": outcome.usage,
        "model": outcome.model,
        "denied": outcome.denied,
        "run_folder": path_text(&outcome.run),
    })
}

/// Turns the result of the phase into the exit code.
fn judge(phase: Phase, outcome: &PhaseOutcome) -> Outcome {
    let is_by_tasks = phase == Phase::Implement && outcome.verdict.is_none();
    let statuses = if is_by_tasks { outcome.statuses.as_slice() } else { &[] };
    let statuses = statuses.iter().map(|(id, status)| (id.as_str(), *status));
    ensure_passed(outcome.blocked.as_deref(), outcome.verdict, statuses)?;
    if is_by_tasks && outcome.statuses.is_empty() {
        return Err(Failure::new(Kind::Marker, "the answer mentions no task"));
    }
    Ok(())
}

/// Writes events as log lines.
struct Log;

impl Watch for Log {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Started { agent, model, run, prompt_bytes } => {
                let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
                let run = run.display();
                info!("asking {agent}{model} with {prompt_bytes} bytes; run folder {run}");
            }
            Event::Progress(progress) => info!("{}", progress.activity),
            other => {
                for line in lines_for(&event::Event::Call(other)) {
                    match line.tone {
                        Tone::Plain | Tone::Good => info!("{}: {}", line.label, line.text),
                        Tone::Notice | Tone::Bad => warn!("{}: {}", line.label, line.text),
                    }
                }
            }
        }
    }

    fn before_repeat(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Finds the folder that a person named. Their own links are followed, except below the project.
fn named(folder: &Path, root: &Path) -> io::Result<PathBuf> {
    let full = std::path::absolute(folder)?;
    if full.starts_with(root) {
        return Ok(full);
    }
    match std::fs::canonicalize(&full) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(full),
        found => found,
    }
}
