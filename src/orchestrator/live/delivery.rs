//! A message to an agent on its own screen: typed once, and waited for until its work is handed over. A message that was
//! typed before agentd was gone is not typed again, unless its agent is gone too.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::pane::{POLL, Start};
use super::record::{LiveRecord, LiveState, now_ms};
use super::session::{LiveError, LiveSession};
use super::signs::{Seen, Signs};
use crate::models::usage::UsageMetrics;
use crate::orchestrator::agents::{AgentError, Reply};
use crate::orchestrator::ask::{Ask, Work};
use crate::orchestrator::invocation::Occasion;
use crate::orchestrator::phase::Orchestrator;
use crate::orchestrator::run_folder::RunFolder;
use crate::orchestrator::watch::Event;
use crate::orchestrator::{Answered, Errand, RunError};
use crate::prompt::confined::ConfinedFolder;

/// How long what is handed over must stay as it is: it may be half written.
const SETTLED: Duration = Duration::from_millis(600);
/// The same where work is mended, file by file.
const MENDED: Duration = Duration::from_secs(2);
/// How long an agent may go on showing signs of life after it has handed over.
const LAST_WORDS: Duration = Duration::from_secs(20);

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
    /// What shows that the work is handed over.
    pub signs: Signs,
    /// Which time it is.
    pub attempt: Attempt,
}

/// How waiting ended.
enum Waited {
    HandedOver,
    /// The agent is gone.
    Died,
}

impl Orchestrator {
    /// Types a message, unless that was done before, and waits until the work is handed over. Where the agent goes before
    /// that, it is started again as often as a call would be repeated.
    pub async fn send_live(
        &self,
        errand: &Errand<'_>,
        turn: &LiveTurn,
    ) -> Result<Answered, RunError> {
        let mut left = self.left_live(errand, turn);
        for attempt in 0..=self.agent.retries {
            let (run, record) = match left.take() {
                Some((run, record)) => {
                    self.watch.event(&Event::LeftOver { run: &run });
                    (RunFolder::at(&run), record)
                }
                None => self.begin_live(errand, turn).await?,
            };
            match self.wait_for(&run, &record, turn).await {
                Ok(Waited::HandedOver) => return self.end_live(errand, &run, record, turn),
                Ok(Waited::Died) => {
                    let message = "its screen is gone before it has handed over its work";
                    let error = AgentError::Failed { code: -1, message: message.to_owned() };
                    if attempt == self.agent.retries {
                        return Err(self.failed(error, Some(&run.path)));
                    }
                    self.watch.event(&Event::Repeated { error: &error, after: Duration::ZERO });
                    self.restore(&run.path)?;
                }
                Err(error) => return Err(error),
            }
        }
        Err(RunError::Cancelled { agent: self.agent.name.clone(), run: errand.change.to_owned() })
    }

    /// Means the live session of a change.
    pub fn live_session(&self, change: &Path) -> LiveSession {
        let id = change.file_name().unwrap_or_default().to_string_lossy();
        LiveSession::of(&id, change, &self.place.environment)
    }

    /// Says whether an earlier message of this name was typed whose agent is still there, or has handed over.
    pub fn is_live(&self, errand: &Errand<'_>, turn: &LiveTurn) -> bool {
        self.left_live(errand, turn).is_some()
    }

    fn left_live(&self, errand: &Errand<'_>, turn: &LiveTurn) -> Option<(PathBuf, LiveRecord)> {
        let is_same = |path: &&PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.split_once('-').is_some_and(|(_, name)| name == errand.name)
        };
        let run = self.earlier.iter().rfind(is_same)?;
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
        errand: &Errand<'_>,
        turn: &LiveTurn,
    ) -> Result<(RunFolder, LiveRecord), RunError> {
        let io = |what: &'static str, path: &Path| {
            let path = path.to_owned();
            move |source| RunError::Io { what, path, source }
        };
        let run = RunFolder::create(errand.change, errand.name)
            .map_err(io("make a folder for the run in", errand.change))?;
        run.write(Errand::PROMPT, errand.prompt.as_bytes()).map_err(io("write", &run.path))?;
        errand.lay_out()?;
        let folder = turn.session.folder().map_err(io("make", errand.change))?;
        let own = folder.join(&turn.pane);
        let server = errand.server;
        let occasion = Occasion { change: errand.change, run_folder: &own, prompt: "", server };
        let invocation = self
            .interactive(errand.permissions, &occasion)
            .map_err(|error| self.failed(error, Some(&run.path)))?;
        let start = Start {
            name: &turn.pane,
            workspace: &self.place.workspace,
            invocation: &invocation,
            guard: &self.place.guard,
        };
        let pane = turn.session.ready_pane(&start).map_err(unusable)?;
        self.watch.event(&Event::Started {
            agent: &self.agent.name,
            model: self.agent.model.as_deref(),
            run: &run.path,
            prompt_bytes: errand.prompt.len(),
        });
        let before = turn.signs.look(&opened(errand.change)?);
        let mut record = LiveRecord::new(&turn.pane, pane.pid, before);
        run.write(LiveRecord::FILE, &record.bytes()).map_err(io("write", &run.path))?;
        let typed = turn.session.type_all(&pane, &turn.messages, &self.cancel).await;
        if !typed.map_err(|error| unusable(error.into()))? {
            return Err(self.cancelled(&run.path));
        }
        record.state = LiveState::Sent;
        run.write(LiveRecord::FILE, &record.bytes()).map_err(io("write", &run.path))?;
        Ok((run, record))
    }

    /// Waits until the work is handed over and the agent is calm, the agent is gone, or its time is over.
    async fn wait_for(
        &self,
        run: &RunFolder,
        record: &LiveRecord,
        turn: &LiveTurn,
    ) -> Result<Waited, RunError> {
        if record.state == LiveState::Over {
            return Ok(Waited::HandedOver);
        }
        let change = opened(run.path.parent().and_then(Path::parent).unwrap_or(&run.path))?;
        let settled = match turn.attempt {
            Attempt::First => SETTLED,
            Attempt::Second => MENDED,
        };
        let mut shown = Shown::default();
        loop {
            let seen = turn.signs.look(&change);
            let is_over = match turn.attempt {
                Attempt::First => turn.signs.show(&record.before, &seen),
                Attempt::Second => turn.signs.show_mended(&record.before, &seen),
            };
            let pane = turn.session.pane(&record.pane).map_err(|error| unusable(error.into()))?;
            let pane = pane.filter(|pane| !pane.is_dead && pane.pid == record.pid);
            let Some(pane) = pane else {
                return Ok(if is_over { Waited::HandedOver } else { Waited::Died });
            };
            let screen = if is_over { turn.session.tmux.screen(&pane).ok() } else { None };
            if is_over && shown.is_settled(seen, screen, settled) {
                return Ok(Waited::HandedOver);
            }
            let limit = self.agent.timeout;
            if u128::from(now_ms().saturating_sub(record.sent_ms)) > limit.as_millis() {
                turn.session.end_pane(&pane).map_err(unusable)?;
                let (agent, run) = (self.agent.name.clone(), run.path.clone());
                return Err(RunError::TimedOut { agent, limit, run });
            }
            if !self.cancel.sleep(POLL).await {
                return Err(self.cancelled(&run.path));
            }
        }
    }

    /// Takes down that the work is handed over, with what the screen has shown.
    fn end_live(
        &self,
        errand: &Errand<'_>,
        run: &RunFolder,
        mut record: LiveRecord,
        turn: &LiveTurn,
    ) -> Result<Answered, RunError> {
        let io = |source| RunError::Io { what: "write", path: run.path.clone(), source };
        if let Ok(Some(pane)) = turn.session.pane(&record.pane)
            && let Ok(text) = turn.session.tmux.history(&pane)
        {
            run.write("screen.txt", text.as_bytes()).map_err(io)?;
        }
        let took = Duration::from_millis(now_ms().saturating_sub(record.sent_ms));
        let usage = UsageMetrics { duration: took, ..UsageMetrics::default() };
        let ask = Ask {
            orchestrator: self,
            work: Work::Errand(errand),
            change: errand.change,
            permissions: errand.permissions,
            left_out: &[],
        };
        let started = SystemTime::now().checked_sub(took).unwrap_or(SystemTime::UNIX_EPOCH);
        let reply = Reply { usage: usage.clone(), ..Reply::default() };
        ask.record(run, errand.prompt, started, &Ok(reply))?;
        record.state = LiveState::Over;
        run.write(LiveRecord::FILE, &record.bytes()).map_err(io)?;
        Ok(Answered { text: String::new(), usage, run: run.path.clone() })
    }

    fn cancelled(&self, run: &Path) -> RunError {
        RunError::Cancelled { agent: self.agent.name.clone(), run: run.to_owned() }
    }
}

/// What has been handed over, since when it is what it is, and since when the screen is.
#[derive(Default)]
struct Shown {
    seen: Option<(Seen, Instant)>,
    screen: Option<(Option<String>, Instant)>,
}

impl Shown {
    /// Says whether nothing has changed for so long. A screen that never rests does not hold it up for ever.
    fn is_settled(&mut self, seen: Seen, screen: Option<String>, settled: Duration) -> bool {
        let now = Instant::now();
        let since_seen = match self.seen.take() {
            Some((same, since)) if same == seen => since,
            Some(_) | None => now,
        };
        let since_screen = match self.screen.take() {
            Some((same, since)) if same == screen => since,
            Some(_) | None => now,
        };
        self.seen = Some((seen, since_seen));
        self.screen = Some((screen, since_screen));
        let is_calm = now - since_screen >= settled || now - since_seen >= LAST_WORDS;
        now - since_seen >= settled && is_calm
    }
}

fn opened(change: &Path) -> Result<ConfinedFolder, RunError> {
    let path = change.to_owned();
    ConfinedFolder::open(change).map_err(|source| RunError::Io { what: "open", path, source })
}

fn unusable(error: LiveError) -> RunError {
    RunError::Live(error)
}
