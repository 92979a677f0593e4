//! `agentd call`: one complete request to one agent, outside of any workflow.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use log::{info, warn};
use serde_json::json;

use super::change::dry_run::print_request;
use super::change::status::history;
use super::change::{refuse_link, refuse_links, refuse_unnameable};
use super::configuration;
use super::failure::{Failure, Kind, Outcome};
use super::input;
use super::installed;
use super::run_failure::look_at;
use super::runtime;
use super::trust::ensure_trusted;
use super::words::phase;
use crate::catalog::CATALOG;
use crate::config::Override;
use crate::engine::change::Change;
use crate::engine::project::{Project, is_begun};
use crate::files::make_folder;
use crate::models::change::{ChangeId, InvalidChangeId};
use crate::orchestrator::markers::Answer;
use crate::orchestrator::watch::{Event, Watch};
use crate::orchestrator::{Orchestrator, PhaseOutcome, Place};
use crate::output::json_line::path_text;
use crate::output::secrets::{hide, hide_in};
use crate::output::visible::visible;
use crate::template::{Phase, TaskStatus, Verdict};

/// Ask one agent for one phase of a change, and print its answer.
///
/// The prompt is the one that the workflow would send: the compiled template of the phase, the files in
/// agentd/changes/CHANGE, and the instructions. The agent runs in this folder; in the phases challenge and review it
/// may only read. agentd itself makes the change's folder, for a plan, and one for the run in it, runs/NNN-PHASE, with the
/// exact prompt and the raw answer. The agent writes the documents of its phase in the change's folder, and in implement
/// the code in this one. The change's journal does not hear of it. A change that was begun is held meanwhile, as
/// `agentd run` holds it; one that a team brings on is refused.
///
/// Exit code 0 means PASS (or all tasks completed), 8 another verdict (or a task that failed), 7 no verdict even
/// when asked again, 5 that the agent failed, 6 that it took too long, 9 that another run has the change.
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
    #[arg(value_parser = change)]
    change: ChangeId,
    /// What the agent is to do; `-` reads it from standard input, and `@FILE` from a file.
    instructions: String,
    /// The agent; the one that the configuration names for the phase unless given.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The folder of changes, in place of agentd/changes.
    #[arg(long, value_name = "DIR")]
    changes: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
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
        let agent = match installed::choose(&config, self.phase) {
            // What would be sent can be seen without anybody to send it to.
            Err(_) if self.dry_run => config.for_phase(self.phase)?,
            chosen => chosen?,
        };
        let agent = agent.clone();
        let mut place = Place::new(&locations.root, &locations.executable);
        place.environment = configuration::environment();
        if let Some(changes) = &self.changes {
            place.changes = named(changes, &locations.root)
                .map_err(|error| Failure::io("cannot find", changes, &error))?;
        }
        let folder = place.changes.join(self.change.as_str());
        refuse_unnameable(&folder)?;
        if self.changes.is_none() {
            refuse_links(&Project::at(&locations.root))?;
        }
        refuse_link(&folder)?;
        // Held until the agent is done.
        let _held = self.hold(&folder)?;
        let instructions = input::wanted(match self.instructions.strip_prefix('@') {
            Some(path) => input::text_file(Path::new(path))?,
            None => input::instructions(&self.instructions)?,
        })?;
        self.open_change(&folder)?;
        let orchestrator = Orchestrator::new(agent, place).with_prices(config.prices);
        if self.dry_run {
            return print_request(&orchestrator.outgoing(
                &self.change,
                CATALOG.step(self.phase),
                &instructions,
            )?);
        }
        runtime::block_on(|cancel| async move {
            let orchestrator = orchestrator.with_watch(Arc::new(Log)).with_cancel(cancel);
            let outcome =
                orchestrator.run(&self.change, CATALOG.step(self.phase), &instructions).await?;
            match self.print(&outcome) {
                // Whoever read along has gone, but the verdict still decides how this ends.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                printed => printed?,
            }
            judge(self.phase, &outcome)
        })
    }

    /// Holds a change that was begun, for as long as what is given back lives: whoever runs it writes the same files. To
    /// look at the prompt nobody needs to be kept out.
    fn hold(&self, folder: &Path) -> Outcome<Option<Change>> {
        if !is_begun(folder) {
            return Ok(None);
        }
        let begun = history(folder)?;
        if begun.flow.steps.iter().any(|step| step.role().is_some()) {
            let (id, flow) = (&self.change, &begun.flow.name);
            let message =
                format!("change `{id}` follows the flow `{flow}`, which has roles and no phases");
            return Err(Failure::new(Kind::Precondition, message)
                .help(format!("`agentd run {id}` goes on with it")));
        }
        if self.dry_run {
            return Ok(None);
        }
        Ok(Some(Change::hold(&self.change, folder)?))
    }

    /// A change begins with its plan; in every other phase its folder must be there.
    fn open_change(&self, folder: &Path) -> Outcome {
        if self.phase == Phase::Plan && !self.dry_run {
            return make_folder(folder).map_err(|error| Failure::io("cannot make", folder, &error));
        }
        if folder.is_dir() {
            return Ok(());
        }
        let message = format!("there is no change `{}` in `{}`", self.change, folder.display());
        Err(Failure::new(Kind::Precondition, message)
            .help(format!("begin it with its plan: agentd call plan {} \"…\"", self.change)))
    }

    fn print(&self, outcome: &PhaseOutcome) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if self.json {
            let mut report = report(outcome);
            hide_in(&mut report);
            return writeln!(stdout, "{report:#}");
        }
        // The answer as it is stays in the run's folder.
        let text = Answer::read(&outcome.text).without_thoughts();
        let text = hide(text.trim());
        let text = if stdout.is_terminal() { visible(&text) } else { text.as_ref().into() };
        writeln!(stdout, "{}", text.trim_end())
    }
}

fn change(word: &str) -> Result<ChangeId, String> {
    word.parse().map_err(|_| InvalidChangeId::HELP.to_owned())
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

/// Turns what the answer says into the exit code.
fn judge(phase: Phase, outcome: &PhaseOutcome) -> Outcome {
    let told = |kind, message: String| Failure::new(kind, message).help(look_at(&outcome.run));
    let not_passed = |message: String| Err(told(Kind::NotPassed, message));
    if let Some(reason) = &outcome.blocked {
        let reason = hide(reason);
        return not_passed(format!("the agent needs an answer: {}", visible(&reason)));
    }
    match outcome.verdict {
        Some(Verdict::Pass) => return Ok(()),
        Some(verdict) => return not_passed(format!("the verdict is {verdict}")),
        None => {}
    }
    if phase != Phase::Implement {
        return Ok(());
    }
    let failed = outcome.statuses.iter().filter(|(_, status)| *status == TaskStatus::Failed);
    let failed: Vec<&str> = failed.map(|(id, _)| id.as_str()).collect();
    match (outcome.statuses.is_empty(), failed.is_empty()) {
        (true, _) => Err(told(Kind::Marker, "the answer speaks of no task".to_owned())),
        (false, true) => Ok(()),
        (false, false) => not_passed(format!("tasks that failed: {}", failed.join(", "))),
    }
}

/// Tells what happens in log lines.
struct Log;

impl Watch for Log {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Started { agent, model, run, prompt_bytes } => {
                let model = model.map(|model| format!(" ({model})")).unwrap_or_default();
                info!(
                    "asking {agent}{model} with {prompt_bytes} bytes; run folder {}",
                    run.display()
                );
            }
            Event::LeftOut { left } => {
                warn!("`{}` ({} bytes) does not fit and is left out", left.name, left.bytes);
            }
            Event::LeftOver { run } => info!("using the answer in {}", run.display()),
            Event::Progress(progress) => info!("{}", progress.activity),
            Event::Repeated { error, after } => {
                warn!("{error}; asking again in {} s", after.as_secs());
            }
            Event::StandsStill { window, .. } => warn!("window {window} stands still"),
            Event::AskedAgain { unclear } => warn!("{unclear}; asking once more, for that alone"),
            Event::Denied { tools } => warn!("not allowed and not done: {}", tools.join(", ")),
        }
    }

    fn before_repeat(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

/// Finds the folder that a person named. A link of their own is followed, but for one below the project.
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
