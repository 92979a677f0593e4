//! A message to an agent on its own screen: typed once, and waited for until its work is handed over. A message that was
//! typed before agentd was gone is not typed again, unless its agent is gone too.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::super::clock::now_ms;
use super::pane::Start;
use super::record::{LiveRecord, LiveState};
use super::session::{LiveError, LiveSession};
use super::signs::Signs;
use super::typing::{Patience, Typed, Typist};
use super::wait::{Waited, opened};
use crate::models::run::OWN;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::agents::{AgentError, Reply, adapter};
use crate::orchestrator::caller::Orchestrator;
use crate::orchestrator::command::RunContext;
use crate::orchestrator::run_folder::RunFolder;
use crate::orchestrator::watch::Event;
use crate::orchestrator::{AgentMessage, PhaseOutcome, RunError};
use crate::tmux::Pane;

/// Which time an agent is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// For its work.
    First,
    /// To mend it.
    Second,
}

/// A message for an agent on its own screen.
#[derive(Clone, Debug)]
pub struct LiveTurn {
    /// The session.
    pub session: LiveSession,
    /// The name of the agent's window.
    pub pane: String,
    /// What is typed, each with Enter after it.
    pub messages: Vec<String>,
    /// The folder in which the work is handed over.
    pub folder: PathBuf,
    /// What shows there that it is.
    pub signs: Signs,
    /// Which time it is.
    pub attempt: Attempt,
}

impl Orchestrator {
    /// Types a message, unless that was done before, and waits until the work is handed over. Where the agent goes before
    /// that, it is started again as often as a call would be repeated.
    pub async fn send_live(
        &self,
        message: &AgentMessage<'_>,
        turn: &LiveTurn,
    ) -> Result<PhaseOutcome, RunError> {
        let mut left = self.left_live(message, turn);
        let mut repeated = 0;
        loop {
            let (run, mut record, typed) = match left.take() {
                Some((run, record)) => {
                    self.watch.event(&Event::LeftOver { run: &run });
                    (RunFolder::at(&run), record, Typed::All)
                }
                None => self.begin_live(message, turn).await?,
            };
            let agent = self.agent.name.clone();
            let waited = match typed {
                Typed::All => self.wait_for(&run, &record, turn).await,
                Typed::Gone => Ok(Waited::Died),
                Typed::NotTaken => {
                    let (window, attach) = (turn.pane.clone(), turn.session.attach_to(&turn.pane));
                    Err(RunError::NotTaken { agent, window, attach, run: run.path.clone() })
                }
                Typed::Cancelled => Err(RunError::Cancelled { agent, run: run.path.clone() }),
            };
            let took = Duration::from_millis(now_ms().saturating_sub(record.sent_ms));
            let usage = UsageMetrics { duration: took, ..UsageMetrics::default() };
            let pane = turn.session.pane(&record.pane).ok().flatten();
            let pane = pane.filter(|pane| pane.pid == record.pid);
            if let Some(pane) = &pane {
                turn.keep_screen(&run, pane)?;
            }
            let result = match waited {
                Ok(Waited::HandedOver) => Ok(Reply { usage: usage.clone(), ..Reply::default() }),
                Ok(Waited::Died) => {
                    let shown = last_line(turn, pane.as_ref());
                    Err(self.failed(AgentError::ScreenGone { shown }, Some(&run.path)))
                }
                Err(error) => Err(error),
            };
            let started = SystemTime::now().checked_sub(took).unwrap_or(SystemTime::UNIX_EPOCH);
            let used = result.as_ref().ok().map(|reply| reply.usage.clone());
            self.about(message).record(&run, message.prompt, started, &result, used)?;
            match result {
                Ok(_) => {
                    record.state = LiveState::Over;
                    write(&run, &record)?;
                    let run = run.path;
                    return Ok(PhaseOutcome { usage, run, ..PhaseOutcome::default() });
                }
                Err(RunError::Agent { error: error @ AgentError::ScreenGone { .. }, .. })
                    if repeated < self.agent.retries =>
                {
                    repeated += 1;
                    self.watch.event(&Event::Repeated { error: &error, after: Duration::ZERO });
                    self.restore(&run.path)?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Means the live session of a change.
    pub fn live_session(&self, change: &Path) -> LiveSession {
        let id = change.file_name().unwrap_or_default().to_string_lossy();
        LiveSession::of(&id, &self.place.runs_of(change), &self.place.environment)
    }

    /// Returns whether an earlier message of this name was typed whose agent is still there, or has handed over.
    pub fn is_live(&self, message: &AgentMessage<'_>, turn: &LiveTurn) -> bool {
        self.left_live(message, turn).is_some()
    }

    fn left_live(
        &self,
        message: &AgentMessage<'_>,
        turn: &LiveTurn,
    ) -> Option<(PathBuf, LiveRecord)> {
        let run = self.earlier_run(message.name)?;
        let record = LiveRecord::of(run)?;
        if record.state == LiveState::Over {
            return Some((run.clone(), record));
        }
        let pane = turn.session.pane(&record.pane).ok().flatten();
        let pane = pane.filter(|pane| !pane.is_dead && pane.pid == record.pid)?;
        if record.state == LiveState::Typing {
            // How much of it was typed nobody knows: the agent begins anew.
            turn.session.end_pane(&pane).ok()?;
            return None;
        }
        Some((run.clone(), record))
    }

    /// Makes the run's folder, has the agent's screen ready, and types.
    async fn begin_live(
        &self,
        message: &AgentMessage<'_>,
        turn: &LiveTurn,
    ) -> Result<(RunFolder, LiveRecord, Typed), RunError> {
        self.budget.check()?;
        let io = |what: &'static str, path: &Path| {
            let path = path.to_owned();
            move |source| RunError::Io { what, path, source }
        };
        let kept = self.place.runs_of(message.change);
        let run = RunFolder::create(&kept, message.name)
            .map_err(io("create a folder for the run in", &kept))?;
        run.write(AgentMessage::PROMPT, message.prompt.as_bytes())
            .map_err(io("write", &run.path))?;
        message.lay_out()?;
        let pane = self.ready(message, turn, &run)?;
        self.watch.event(&Event::Started {
            agent: &self.agent.name,
            model: self.agent.model.as_deref(),
            run: &run.path,
            prompt_bytes: message.prompt.len(),
        });
        let before = turn.signs.look(&opened(&turn.folder)?);
        let mut record = LiveRecord::new(&turn.pane, pane.pid, before);
        write(&run, &record)?;
        let typist = Typist {
            session: &turn.session,
            pane: &pane,
            dialogs: adapter(&self.agent.protocol).dialogs(message.permissions),
            patience: Patience::of(self.agent.timeout),
            cancel: &self.cancel,
            on_still: &|| self.tell_of(turn),
        };
        let typed = typist.type_all(&turn.messages).await.map_err(LiveError::from)?;
        if typed == Typed::All {
            record.state = LiveState::Sent;
            write(&run, &record)?;
        }
        Ok((run, record, typed))
    }

    /// Has the agent's screen ready.
    fn ready(
        &self,
        message: &AgentMessage<'_>,
        turn: &LiveTurn,
        run: &RunFolder,
    ) -> Result<Pane, RunError> {
        let folder = turn.session.folder().map_err(LiveError::Folder)?;
        let (own, server) = (folder.join(&turn.pane), message.server);
        let occasion = RunContext { change: message.change, run_folder: &own, prompt: "", server };
        let invocation = self
            .interactive(message.permissions, &occasion)
            .map_err(|error| self.failed(error, Some(&run.path)))?;
        let places = [&own.join(OWN), message.change, self.place.workspace.as_path()];
        let grant = self.grant(&invocation, &places);
        let start = Start {
            name: &turn.pane,
            workspace: &self.place.workspace,
            invocation: &invocation,
            grant: grant.as_ref(),
            guard: &self.place.guard,
        };
        Ok(turn.session.ready_pane(&start)?)
    }
}

fn write(run: &RunFolder, record: &LiveRecord) -> Result<(), RunError> {
    let io = |source| RunError::Io { what: "write", path: run.path.clone(), source };
    run.write(LiveRecord::FILE, &record.bytes()).map_err(io)
}

/// Returns the last line that the screen of an agent that is gone has shown, but for what tmux says of it.
fn last_line(turn: &LiveTurn, pane: Option<&Pane>) -> String {
    let screen = pane.and_then(|pane| turn.session.tmux.history(pane).ok()).unwrap_or_default();
    let lines = screen.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut said = lines.filter(|line| !line.starts_with("Pane is dead"));
    said.next_back().unwrap_or("none").to_owned()
}
