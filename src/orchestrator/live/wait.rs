//! Waiting until an agent has handed over its work, is gone, or may not go on.

use std::path::Path;
use std::time::{Duration, Instant};

use super::super::clock::now_ms;
use super::delivery::{Attempt, LiveTurn};
use super::record::{LiveRecord, LiveState};
use super::session::LiveError;
use super::signs::Seen;
use super::typing::{POLL, Patience};
use crate::orchestrator::RunError;
use crate::orchestrator::caller::Orchestrator;
use crate::orchestrator::run_folder::RunFolder;
use crate::orchestrator::watch::Event;
use crate::prompt::confined::ConfinedFolder;
use crate::tmux::Pane;

/// How long what is handed over must stay as it is: it may be half written.
const SETTLED: Duration = Duration::from_millis(600);
/// The same where work is mended, file by file.
const MENDED: Duration = Duration::from_secs(2);
/// How long an agent may go on showing signs of life after it has handed over.
const LAST_WORDS: Duration = Duration::from_secs(20);

/// How waiting ended.
pub(super) enum Waited {
    HandedOver,
    /// The agent is gone.
    Died,
}

impl Orchestrator {
    /// Waits until the work is handed over and the agent is calm, the agent is gone, or its time is over.
    pub(super) async fn wait_for(
        &self,
        run: &RunFolder,
        record: &LiveRecord,
        turn: &LiveTurn,
    ) -> Result<Waited, RunError> {
        if record.state == LiveState::Over {
            return Ok(Waited::HandedOver);
        }
        let change = opened(&turn.folder)?;
        let settled = match turn.attempt {
            Attempt::First => SETTLED,
            Attempt::Second => MENDED,
        };
        let pane = turn.session.pane(&record.pane).map_err(|error| RunError::Live(error.into()))?;
        let pane = pane.filter(|pane| pane.pid == record.pid);
        let mut shown = Shown::default();
        loop {
            let seen = turn.signs.look(&change);
            let is_over = match turn.attempt {
                Attempt::First => turn.signs.show(&record.before, &seen),
                Attempt::Second => turn.signs.show_mended(&record.before, &seen),
            };
            let screen = match &pane {
                Some(pane) => turn.session.tmux.glance(pane),
                None => Ok(None),
            };
            let screen = screen.map_err(|error| RunError::Live(error.into()))?;
            let (Some(pane), Some(screen)) = (&pane, screen) else {
                return Ok(if is_over { Waited::HandedOver } else { Waited::Died });
            };
            shown.take(seen, screen);
            if is_over && shown.is_settled(settled) {
                return Ok(Waited::HandedOver);
            }
            self.bear_with(run, record, pane, turn, &mut shown)?;
            if !self.cancel.sleep(POLL).await {
                let (agent, run) = (self.agent.name.clone(), run.path.clone());
                return Err(RunError::Cancelled { agent, run });
            }
        }
    }

    /// Ends an agent that takes too long or is silent for too long, and tells of one whose screen stands still.
    fn bear_with(
        &self,
        run: &RunFolder,
        record: &LiveRecord,
        pane: &Pane,
        turn: &LiveTurn,
        shown: &mut Shown,
    ) -> Result<(), RunError> {
        let (agent, path) = (self.agent.name.clone(), run.path.clone());
        let (limit, silent) = (self.agent.timeout, shown.still());
        let error = if u128::from(now_ms().saturating_sub(record.sent_ms)) > limit.as_millis() {
            Some(RunError::TimedOut { agent, limit, run: path })
        } else {
            let limit = self.agent.idle_timeout.filter(|limit| silent > *limit);
            limit.map(|limit| RunError::Idle { agent, limit, run: path })
        };
        if let Some(error) = error {
            turn.keep_screen(run, pane)?;
            turn.session.end_pane(pane).map_err(RunError::Live)?;
            return Err(error);
        }
        if silent >= Patience::of(limit).still && shown.is_worth_telling() {
            self.tell_of(turn);
        }
        Ok(())
    }

    /// Tells that an agent's screen stands still.
    pub(super) fn tell_of(&self, turn: &LiveTurn) {
        let attach = turn.session.attach_to(&turn.pane);
        self.watch.event(&Event::StandsStill { window: &turn.pane, attach: &attach });
    }
}

impl LiveTurn {
    /// Keeps what the agent's screen has shown.
    pub(super) fn keep_screen(&self, run: &RunFolder, pane: &Pane) -> Result<(), RunError> {
        // What cannot be had any more is no reason to fail.
        let Ok(text) = self.session.tmux.history(pane) else { return Ok(()) };
        let io = |source| RunError::Io { what: "write", path: run.path.clone(), source };
        run.write("screen.txt", text.as_bytes()).map_err(io)
    }
}

/// What has been handed over and what the screen shows, and since when each is what it is.
#[derive(Default)]
struct Shown {
    seen: Option<(Seen, Instant)>,
    screen: Option<(String, Instant)>,
    is_told: bool,
}

impl Shown {
    /// Takes notice of how things are now.
    fn take(&mut self, seen: Seen, screen: String) {
        let now = Instant::now();
        if self.seen.as_ref().is_none_or(|(same, _)| *same != seen) {
            self.seen = Some((seen, now));
        }
        if self.screen.as_ref().is_none_or(|(same, _)| *same != screen) {
            self.screen = Some((screen, now));
            self.is_told = false;
        }
    }

    /// Returns how long the screen has not changed.
    fn still(&self) -> Duration {
        self.screen.as_ref().map_or(Duration::ZERO, |(_, since)| since.elapsed())
    }

    /// Returns whether nothing has changed for so long. A screen that never rests does not hold it up for ever.
    fn is_settled(&self, settled: Duration) -> bool {
        let since_seen = self.seen.as_ref().map_or(Duration::ZERO, |(_, since)| since.elapsed());
        since_seen >= settled && (self.still() >= settled || since_seen >= LAST_WORDS)
    }

    /// Returns whether it was not told yet that the screen stands still.
    fn is_worth_telling(&mut self) -> bool {
        !std::mem::replace(&mut self.is_told, true)
    }
}

/// Opens the folder of a change.
pub(super) fn opened(change: &Path) -> Result<ConfinedFolder, RunError> {
    let path = change.to_owned();
    ConfinedFolder::open(change).map_err(|source| RunError::Io { what: "open", path, source })
}

impl From<LiveError> for RunError {
    fn from(error: LiveError) -> Self {
        Self::Live(error)
    }
}
