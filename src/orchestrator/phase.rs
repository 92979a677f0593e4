//! Runs one phase: the prompt is put together, an agent is asked, and its answer is read. Every request is
//! complete; nothing is remembered between two of them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use log::debug;

use super::agents::{AgentError, Reply};
use super::answer_files;
use super::call::Call;
use super::caller::Orchestrator;
use super::capability::unsupported_reason;
use super::error::RunError;
use super::markers::Answer;
use super::prices::price_of;
use super::prompts::inputs::LeftOut;
use super::prompts::materials::MaterialError;
use super::watch::Event;
use crate::catalog::CATALOG;
use crate::flow::Step;
use crate::models::agent::{Delivers, Permissions};
use crate::models::change::ChangeId;
use crate::models::marker::{Marker, MarkerError, ReviewResult};
use crate::models::prompt::UnifiedPrompt;
use crate::models::run::EndRecord;
use crate::models::usage::UsageMetrics;
use crate::prompt::ask_for_verdict::ask_for_verdict;
use crate::prompt::confined::{ConfinedFolder, io_error};
use crate::template::{Phase, TaskStatus};

/// What came of a phase, or of a message: the agent's message, the markers in it and what it cost, and what the workflow needs beside
/// these.
#[derive(Clone, Debug, Default)]
pub struct PhaseOutcome {
    /// The agent's final message.
    pub text: String,
    /// The markers in it.
    pub markers: Vec<Marker>,
    /// What the agent needs from a person before it can go on; then the verdict and the statuses are left unset.
    pub blocked: Option<String>,
    /// What it cost, all requests together.
    pub usage: UsageMetrics,
    /// The verdict, in a phase that asks for one.
    pub verdict: Option<ReviewResult>,
    /// The statuses of tasks, in a phase that reports them.
    pub statuses: Vec<(String, TaskStatus)>,
    /// The model that answered, where the agent tells.
    pub model: Option<String>,
    /// The tools that the agent wanted to use and was not allowed to.
    pub denied: Vec<String>,
    /// The folder of the run that answered.
    pub run: PathBuf,
}

impl PhaseOutcome {
    /// Returns the name of the run that answered.
    pub fn run_name(&self) -> String {
        self.run.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Takes the verdict or the statuses of tasks, if an answer gives them clearly.
    fn take(&mut self, step: &Step, answer: &Answer<'_>) -> Result<(), MarkerError> {
        if step.verdicts().is_empty() {
            let statuses = answer.reported_statuses()?.into_iter();
            self.statuses = statuses.map(|(id, status)| (id.to_owned(), status)).collect();
        } else {
            self.verdict = Some(verdict_of(step, answer)?);
        }
        Ok(())
    }
}

impl Orchestrator {
    /// Runs a phase of a change and returns the agent's final message, the markers in it and what it cost: three parts of
    /// what [`Self::run`] returns.
    pub async fn run_phase(
        &self,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<(String, Vec<Marker>, UsageMetrics), RunError> {
        let outcome = self.run(change_id, CATALOG.step(phase), instructions).await?;
        Ok((outcome.text, outcome.markers, outcome.usage))
    }

    /// Runs a step of a change whose prompt is one document. The engine and `agentd call` both ask an agent by this function.
    ///
    /// An answer that does not clearly give the verdict or the statuses that the phase asks for is asked about once, and is
    /// an error then. A blocked agent is asked for neither.
    pub async fn run(
        &self,
        change_id: &ChangeId,
        step: &Step,
        instructions: &str,
    ) -> Result<PhaseOutcome, RunError> {
        self.run_as(step.name.to_string(), change_id, step, instructions).await
    }

    /// Runs a step once more because its files are not in order; the instructions say what is wrong with them.
    pub async fn run_again(
        &self,
        change_id: &ChangeId,
        step: &Step,
        instructions: &str,
    ) -> Result<PhaseOutcome, RunError> {
        self.run_as(files_of(step), change_id, step, instructions).await
    }

    async fn run_as(
        &self,
        name: String,
        change_id: &ChangeId,
        step: &Step,
        instructions: &str,
    ) -> Result<PhaseOutcome, RunError> {
        self.refuse_unsupported(step)?;
        let change = self.change_folder(change_id);
        if let Err(source) = ConfinedFolder::open(&change) {
            return Err(MaterialError::NoFolder { path: change, source }.into());
        }
        let composed = self.compose(change_id, step, instructions)?;
        let call = self.call_of(name, step, &change, &composed.left_out);
        let (reply, run) = self.call_patiently(&call, &composed.document).await?;
        let Reply { text, usage, model, denied } = reply;
        if !denied.is_empty() {
            self.watch.event(&Event::Denied { tools: &denied });
        }
        let answer = Answer::read(&text);
        let (blocked, markers) = (answer.blocked(), answer.markers);
        let (verdict, statuses) = (None, Vec::new());
        let mut outcome =
            PhaseOutcome { text, markers, blocked, usage, verdict, statuses, model, denied, run };
        if outcome.blocked.is_some() {
            return Ok(outcome);
        }
        if !step.verdicts().is_empty() || step.reports_tasks() {
            self.settle(&call, step, &mut outcome).await?;
        }
        let is_printed = self.agent.delivers == Delivers::Text && outcome.blocked.is_none();
        if is_printed && !step.leaves.is_empty() && !step.writes_code() {
            self.deliver(&change, step, &outcome)?;
        }
        Ok(outcome)
    }

    /// Returns whether an earlier run has left an answer of this phase.
    pub fn has_left_over(&self, change_id: &ChangeId, step: &Step) -> bool {
        self.has_left(step.name.to_string(), change_id, step)
    }

    /// Returns whether an earlier run has left an answer to what [`Self::run_again`] asks.
    pub fn has_left_over_files(&self, change_id: &ChangeId, step: &Step) -> bool {
        self.has_left(files_of(step), change_id, step)
    }

    fn has_left(&self, name: String, change_id: &ChangeId, step: &Step) -> bool {
        let change = self.change_folder(change_id);
        self.call_of(name, step, &change, &[]).find_left_over().is_some()
    }

    fn call_of<'a>(
        &'a self,
        name: String,
        step: &'a Step,
        change: &'a Path,
        left_out: &'a [LeftOut],
    ) -> Call<'a> {
        let permissions = self.agent.permissions_in(step);
        let (part, template, step) = (step.name.as_ref(), self.template_of(step), Some(step));
        Call {
            orchestrator: self,
            name,
            part,
            change,
            permissions,
            template,
            left_out,
            step,
            message: None,
        }
    }

    /// Finds the last of the runs of this name that ended before agentd could make use of them.
    pub(super) fn earlier_run(&self, name: &str) -> Option<&PathBuf> {
        let name_of =
            |run: &PathBuf| Some(run.file_name()?.to_str()?.split_once('-')?.1.to_owned());
        self.earlier.iter().rfind(|run| name_of(run).as_deref() == Some(name))
    }

    pub(super) fn change_folder(&self, change_id: &ChangeId) -> PathBuf {
        self.place.changes.join(change_id.as_str())
    }

    pub(super) fn refuse_unsupported(&self, step: &Step) -> Result<(), RunError> {
        match unsupported_reason(&self.agent, step) {
            Some(reason) => {
                let (agent, step) = (self.agent.name.clone(), step.name.to_string());
                Err(RunError::Unfit { agent, step, reason })
            }
            None => Ok(()),
        }
    }

    /// Reads the verdict or the statuses of tasks; where they are not clear, the agent is asked for them alone, once. Tasks of
    /// which nothing is said then either are left for the next round.
    async fn settle(
        &self,
        call: &Call<'_>,
        step: &Step,
        outcome: &mut PhaseOutcome,
    ) -> Result<(), RunError> {
        let first = outcome.text.clone();
        let first = Answer::read(&first);
        let Err(unclear) = outcome.take(step, &first) else { return Ok(()) };
        let tasks = if step.verdicts().is_empty() { tasks(call.change)? } else { Vec::new() };
        let (reply, run) = self.ask_again(call, step, &unclear, outcome, &tasks).await?;
        let reply = Answer::read(&reply);
        outcome.blocked = reply.blocked();
        if outcome.blocked.is_some() {
            return Ok(());
        }
        match outcome.take(step, &reply) {
            Ok(()) | Err(MarkerError::MissingTaskStatus { .. }) => {}
            Err(error) => return Err(self.unclear(error, &run)),
        }
        if let Some(verdict) = outcome.verdict {
            let text = first.without_thoughts();
            let text = text.trim_end();
            outcome.markers.retain(|marker| !matches!(marker, Marker::Review { .. }));
            outcome.markers.push(Marker::Review { verdict, at: text.len() + 2 });
            outcome.text = format!("{text}\n\n<review>{verdict}</review>\n");
        }
        Ok(())
    }

    /// Asks for what an answer does not clearly say, and returns the reply with the folder of its run.
    async fn ask_again(
        &self,
        call: &Call<'_>,
        step: &Step,
        unclear: &MarkerError,
        outcome: &mut PhaseOutcome,
        beside: &[(&str, String)],
    ) -> Result<(String, PathBuf), RunError> {
        debug!("{unclear}");
        self.watch.event(&Event::AskedAgain { unclear });
        let answer = Answer::read(&outcome.text).without_thoughts();
        let wanted = if step.verdicts().is_empty() {
            "Give the statuses of the tasks by the answer in the context, and nothing else."
        } else {
            "Give the verdict of the answer in the context, and nothing else."
        };
        let mut prompt = UnifiedPrompt::new(wanted)
            .with_system_prompt(ask_for_verdict(&step.name, &step.verdicts()))
            .with_artifact("answer.md", answer.as_ref());
        for (name, content) in beside {
            prompt = prompt.with_artifact(*name, content.as_str());
        }
        let asked = if step.verdicts().is_empty() { "status" } else { "verdict" };
        let name = format!("{}-{asked}", call.name);
        let again = Call { name, permissions: Permissions::Read, left_out: &[], ..call.clone() };
        let (document, _) = prompt.to_verified_xml()?;
        let (reply, run) = self.call_patiently(&again, &document).await?;
        outcome.usage += &reply.usage;
        Ok((reply.text, run))
    }

    fn unclear(&self, error: MarkerError, run: &Path) -> RunError {
        let (agent, run) = (self.agent.name.clone(), run.to_owned());
        RunError::Marker { agent, error, run }
    }

    fn deliver(&self, change: &Path, step: &Step, outcome: &PhaseOutcome) -> Result<(), RunError> {
        let failed = |error| {
            let (agent, run) = (self.agent.name.clone(), outcome.run.clone());
            RunError::Delivery { agent, error, run }
        };
        let files = answer_files::find(&outcome.text, step).map_err(failed)?;
        let folder = ConfinedFolder::open(change).map_err(|source| RunError::Io {
            what: "open",
            path: change.to_owned(),
            source,
        })?;
        answer_files::write(&folder, &files).map_err(failed)
    }

    /// Returns how long a run took and what it cost: what was reported, else by the prices, else nothing is known.
    pub(super) fn completed(&self, reply: &mut Reply, end: &EndRecord) {
        self.complete(&mut reply.usage, reply.model.as_deref(), end);
    }

    /// Does the same for what was used where no reply came of it.
    pub(super) fn complete(&self, usage: &mut UsageMetrics, model: Option<&str>, end: &EndRecord) {
        usage.duration = Duration::from_millis(end.milliseconds);
        if usage.cost_usd.is_none() {
            let price = price_of(&self.agent, model, &self.prices);
            usage.cost_usd = price.map(|price| price.of(usage));
        }
    }

    pub(super) fn failed(&self, error: AgentError, run: Option<&Path>) -> RunError {
        let (agent, run) = (self.agent.name.clone(), run.map(Path::to_owned));
        RunError::Agent { agent, error, run }
    }
}

/// Names the run in which an agent is asked for the files of a step once more.
fn files_of(step: &Step) -> String {
    format!("{}-files", step.name)
}

/// Reads the verdict of an answer, which must be one that the step can end with.
pub(super) fn verdict_of(step: &Step, answer: &Answer<'_>) -> Result<ReviewResult, MarkerError> {
    answer.verdict_in(Some((&step.name, &step.verdicts())))
}

/// Reads the tasks of a change, to ask for their statuses.
fn tasks(change: &Path) -> Result<Vec<(&'static str, String)>, RunError> {
    let io = |source| RunError::Io { what: "read", path: change.join("tasks.md"), source };
    let folder = ConfinedFolder::open(change).map_err(io)?;
    let tasks = folder.read("tasks.md").map_err(|fault| io(io_error(fault)))?;
    Ok(tasks.map(|tasks| ("tasks.md", tasks)).into_iter().collect())
}
