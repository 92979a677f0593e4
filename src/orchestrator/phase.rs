//! Runs one phase: the prompt is put together, an agent is asked, and its answer is read. Every request is
//! complete; nothing is remembered between two of them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use log::debug;

use super::agents::{AgentError, Reply};
use super::ask::{Ask, Purpose, Work};
use super::caller::Orchestrator;
use super::delivery;
use super::error::RunError;
use super::fitness::unfit;
use super::markers::Answer;
use super::prompts::materials::MaterialError;
use super::watch::Event;
use crate::models::agent::{Delivers, Permissions};
use crate::models::change::ChangeId;
use crate::models::marker::{Marker, MarkerError, ReviewResult};
use crate::models::prompt::UnifiedPrompt;
use crate::models::run::EndRecord;
use crate::models::usage::UsageMetrics;
use crate::prompt::confined::ConfinedFolder;
use crate::prompt::verdict::ask_for_verdict;
use crate::template::Phase;

/// What came of a phase.
#[derive(Clone, Debug)]
pub struct PhaseOutcome {
    /// The agent's final message.
    pub text: String,
    /// The markers in it.
    pub markers: Vec<Marker>,
    /// What it cost, all requests together.
    pub usage: UsageMetrics,
    /// The verdict, in a phase that asks for one.
    pub verdict: Option<ReviewResult>,
    /// The model that answered, where the agent tells.
    pub model: Option<String>,
    /// The tools that the agent wanted to use and was not allowed to.
    pub denied: Vec<String>,
    /// The folder of the run that answered.
    pub run: PathBuf,
}

impl Orchestrator {
    /// Runs a phase of a change and gives the agent's final message, the markers in it and what it cost.
    ///
    /// A message without the verdict that the phase asks for is asked for it once more, and is an error then.
    pub async fn run_phase(
        &self,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<(String, Vec<Marker>, UsageMetrics), RunError> {
        let outcome = self.run(change_id, phase, instructions).await?;
        Ok((outcome.text, outcome.markers, outcome.usage))
    }

    /// Runs a phase as [`Self::run_phase`] does, and tells all that came of it.
    pub async fn run(
        &self,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<PhaseOutcome, RunError> {
        self.run_for(Purpose::Phase, change_id, phase, instructions).await
    }

    /// Runs a phase once more because its files are not in order; the instructions say what is wrong with them.
    pub async fn run_again(
        &self,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<PhaseOutcome, RunError> {
        self.run_for(Purpose::Files, change_id, phase, instructions).await
    }

    async fn run_for(
        &self,
        purpose: Purpose,
        change_id: &ChangeId,
        phase: Phase,
        instructions: &str,
    ) -> Result<PhaseOutcome, RunError> {
        self.refuse_if_unfit(phase)?;
        let change = self.change_folder(change_id);
        if let Err(source) = ConfinedFolder::open(&change) {
            return Err(MaterialError::NoFolder { path: change, source }.into());
        }
        let (prompt, left_out) = self.fitting_prompt(change_id, phase, instructions)?;
        let ask = Ask {
            orchestrator: self,
            work: Work::Phase(phase, purpose),
            change: &change,
            permissions: self.agent.permissions.in_phase(phase),
            left_out: &left_out,
        };
        let (document, _) = prompt.to_verified_xml()?;
        let (reply, run) = self.ask_patiently(&ask, &document).await?;
        let mut outcome = PhaseOutcome {
            text: reply.text,
            markers: Vec::new(),
            usage: reply.usage,
            verdict: None,
            model: reply.model,
            denied: reply.denied,
            run,
        };
        if !outcome.denied.is_empty() {
            self.watch.event(&Event::Denied { tools: &outcome.denied });
        }
        if !phase.verdicts().is_empty() {
            outcome.verdict = Some(self.verdict(&ask, phase, &mut outcome).await?);
        }
        if self.agent.delivers == Delivers::Text && makes_files(phase) {
            self.deliver(&change, phase, &outcome)?;
        }
        outcome.markers = Answer::read(&outcome.text).markers;
        Ok(outcome)
    }

    /// Says whether an earlier run has left an answer of this phase.
    pub fn has_left_over(&self, change_id: &ChangeId, phase: Phase) -> bool {
        self.has_left(Purpose::Phase, change_id, phase)
    }

    /// Says whether an earlier run has left an answer to what [`Self::run_again`] asks.
    pub fn has_left_over_files(&self, change_id: &ChangeId, phase: Phase) -> bool {
        self.has_left(Purpose::Files, change_id, phase)
    }

    fn has_left(&self, purpose: Purpose, change_id: &ChangeId, phase: Phase) -> bool {
        let change = self.change_folder(change_id);
        let permissions = self.agent.permissions.in_phase(phase);
        let work = Work::Phase(phase, purpose);
        let ask = Ask { orchestrator: self, work, change: &change, permissions, left_out: &[] };
        ask.find_left_over().is_some()
    }

    pub(super) fn change_folder(&self, change_id: &ChangeId) -> PathBuf {
        self.place.changes.join(change_id.as_str())
    }

    fn refuse_if_unfit(&self, phase: Phase) -> Result<(), RunError> {
        match unfit(&self.agent, phase) {
            Some(reason) => Err(RunError::Unfit { agent: self.agent.name.clone(), phase, reason }),
            None => Ok(()),
        }
    }

    /// Asks, and asks again after a pause when the reason for a failure may pass.
    pub(super) async fn ask_patiently(
        &self,
        ask: &Ask<'_>,
        sent: &str,
    ) -> Result<(Reply, PathBuf), RunError> {
        if let Some(left) = ask.left_over()? {
            return Ok(left);
        }
        let mut pause = self.first_pause;
        for _ in 0..self.agent.retries {
            match ask.once(sent).await {
                Err(RunError::Agent { error, run: Some(run), .. }) if error.is_passing() => {
                    // Nobody waits for a call that is refused then.
                    self.allowance.check()?;
                    self.watch.event(&Event::Repeated { error: &error, after: pause });
                    self.pause(pause, &run).await?;
                    self.restore(&run)?;
                    pause *= 4;
                }
                result => return result,
            }
        }
        ask.once(sent).await
    }

    async fn pause(&self, pause: Duration, run: &Path) -> Result<(), RunError> {
        if self.cancel.sleep(pause).await {
            return Ok(());
        }
        Err(RunError::Cancelled { agent: self.agent.name.clone(), run: run.to_owned() })
    }

    pub(super) fn restore(&self, run: &Path) -> Result<(), RunError> {
        let io = |source| RunError::Io {
            what: "restore the workspace from",
            path: run.to_owned(),
            source,
        };
        self.watch.before_repeat(run).map_err(io)
    }

    /// Reads the verdict; where only the marker is missing, the agent is asked for it, once.
    async fn verdict(
        &self,
        ask: &Ask<'_>,
        phase: Phase,
        outcome: &mut PhaseOutcome,
    ) -> Result<ReviewResult, RunError> {
        let unclear = |error, run: &Path| {
            let (agent, run) = (self.agent.name.clone(), run.to_owned());
            RunError::Marker { agent, error, run }
        };
        let missing = match Answer::read(&outcome.text).verdict(Some(phase)) {
            Ok(verdict) => return Ok(verdict),
            Err(error @ MarkerError::MissingReviewMarker { .. }) => error,
            Err(error) => return Err(unclear(error, &outcome.run)),
        };
        debug!("{missing}");
        self.watch.event(&Event::AskedAgain);
        let prompt =
            UnifiedPrompt::new("Give the verdict of the answer in the context, and nothing else.")
                .with_system_prompt(ask_for_verdict(phase))
                .with_artifact("answer.md", outcome.text.as_str());
        let purpose = match ask.work {
            Work::Phase(_, Purpose::Files | Purpose::VerdictOfFiles) => Purpose::VerdictOfFiles,
            Work::Phase(_, Purpose::Phase | Purpose::Verdict) | Work::Errand(_) => Purpose::Verdict,
        };
        let again = Ask {
            permissions: Permissions::Read,
            work: Work::Phase(phase, purpose),
            left_out: &[],
            ..*ask
        };
        let (document, _) = prompt.to_verified_xml()?;
        let (reply, run) = self.ask_patiently(&again, &document).await?;
        outcome.usage += &reply.usage;
        let verdict =
            Answer::read(&reply.text).verdict(Some(phase)).map_err(|error| unclear(error, &run))?;
        outcome.text = with_verdict(&outcome.text, verdict);
        Ok(verdict)
    }

    fn deliver(&self, change: &Path, phase: Phase, outcome: &PhaseOutcome) -> Result<(), RunError> {
        let failed = |error| {
            let (agent, run) = (self.agent.name.clone(), outcome.run.clone());
            RunError::Delivery { agent, error, run }
        };
        let files = delivery::find(&outcome.text, phase).map_err(failed)?;
        let folder = ConfinedFolder::open(change).map_err(|source| RunError::Io {
            what: "open",
            path: change.to_owned(),
            source,
        })?;
        delivery::write(&folder, &files).map_err(failed)
    }

    /// Says how long a run took and what it cost: what was reported, else by the prices, else nothing is known.
    pub(super) fn completed(&self, reply: &mut Reply, end: &EndRecord) {
        self.complete(&mut reply.usage, reply.model.as_deref(), end);
    }

    /// Does the same for what was used where no reply came of it.
    pub(super) fn complete(&self, usage: &mut UsageMetrics, model: Option<&str>, end: &EndRecord) {
        usage.duration = Duration::from_millis(end.milliseconds);
        let model = model.or(self.agent.model.as_deref());
        let price = model.and_then(|model| self.prices.get(model));
        if usage.cost_usd.is_none() {
            usage.cost_usd = price.map(|price| price.of(usage));
        }
    }

    pub(super) fn failed(&self, error: AgentError, run: Option<&Path>) -> RunError {
        let (agent, run) = (self.agent.name.clone(), run.map(Path::to_owned));
        RunError::Agent { agent, error, run }
    }
}

/// Says whether a phase makes files in the change's folder that the workflow needs.
const fn makes_files(phase: Phase) -> bool {
    match phase {
        Phase::Plan | Phase::Archive => true,
        Phase::Challenge | Phase::Implement | Phase::Review => false,
    }
}

/// Puts a verdict that was asked for into its answer, where it counts: at the end, or at the beginning where
/// the end is hidden by a thought or a code block that was never closed.
fn with_verdict(text: &str, verdict: ReviewResult) -> String {
    let marker = format!("<review>{verdict}</review>");
    let appended = format!("{}\n\n{marker}\n", text.trim_end());
    match Answer::read(&appended).verdict(None) {
        Ok(_) => appended,
        Err(_) => format!("{marker}\n\n{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_that_was_asked_for_counts_wherever_the_answer_ended() {
        for text in ["Fine.", "Fine.\n\n```sh\nls\n", "<thought>never closed", "`code", "<!-- x"] {
            let text = with_verdict(text, ReviewResult::NeedsChanges);
            let verdict = Answer::read(&text).verdict(Some(Phase::Review));
            assert_eq!(verdict, Ok(ReviewResult::NeedsChanges), "{text}");
        }
    }
}
