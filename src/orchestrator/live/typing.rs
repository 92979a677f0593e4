//! Typing into the screen of an agent. Nothing is sent off before it is seen on the screen: what does not take text may be a
//! question, and Enter would answer it.

use std::time::{Duration, Instant};

use super::input::{Draft, Place, Standing};
use super::session::LiveSession;
use crate::orchestrator::agents::Dialog;
use crate::process::Cancel;
use crate::tmux::{Pane, TmuxError};

/// How often a screen is looked at.
pub(super) const POLL: Duration = Duration::from_millis(150);
/// How often in a row a screen must be the same to count as calm, and a message must stand on it before Enter: CLIs take an
/// Enter that comes within 120 ms of a letter for a line break in what is pasted.
const CALM: u32 = 3;
/// How often a screen that is never calm is looked at.
const LOOKS_UNTIL_CALM: u32 = 40;
/// How often a screen is looked at until what a key does must be seen.
const LOOKS_UNTIL_SEEN: u32 = 20;
/// How often a screen is looked at until a whole message must stand on it.
const LOOKS_UNTIL_TYPED: u32 = 100;
/// How often Enter is pressed behind a message that stays where it is.
const PRESSES: u32 = 3;
/// The longest that an agent may take until it takes text, its own dialogs included.
const LONGEST_START: Duration = Duration::from_secs(90);
/// The longest that a screen may stand still before somebody is told.
const LONGEST_STILL: Duration = Duration::from_mins(1);

/// How long is waited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Until a person is told that a screen stands still.
    pub(super) still: Duration,
    /// Until an agent must take text.
    pub(super) start: Duration,
}

impl Patience {
    /// Goes by how long an agent may take for all of its work.
    pub(super) fn of(timeout: Duration) -> Self {
        Self { still: LONGEST_STILL.min(timeout / 4), start: LONGEST_START.min(timeout) }
    }
}

/// How typing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// All was typed and sent off.
    All,
    /// The agent's screen does not take text.
    NotTaken,
    /// The agent is gone.
    Gone,
    /// It was cancelled.
    Cancelled,
}

/// Types into one pane.
pub(super) struct Typist<'t> {
    pub(super) session: &'t LiveSession,
    pub(super) pane: &'t Pane,
    /// What is confirmed whenever it is shown.
    pub(super) dialogs: Vec<&'t Dialog>,
    pub(super) patience: Patience,
    pub(super) cancel: &'t Cancel,
    /// Is called once where a screen takes no text for a while.
    pub(super) on_still: &'t (dyn Fn() + Sync),
}

impl Typist<'_> {
    /// Types messages, each when the screen is calm, and sends each off.
    pub(super) async fn type_all(&self, messages: &[String]) -> Result<Typed, TmuxError> {
        for message in messages {
            match self.type_one(message).await? {
                Typed::All => {}
                other @ (Typed::NotTaken | Typed::Gone | Typed::Cancelled) => return Ok(other),
            }
        }
        Ok(Typed::All)
    }

    async fn type_one(&self, message: &str) -> Result<Typed, TmuxError> {
        let draft = Draft::of(message);
        let place = match self.begin(draft).await? {
            Ok(place) => place,
            Err(ended) => return Ok(ended),
        };
        self.session.tmux.type_text(self.pane, draft.rest)?;
        // A screen that takes text and Enter at once may take them for text with a line break; and one that shows a question
        // by now would take Enter for the answer.
        let mut standing = None;
        let stands = |now: &str| {
            standing = draft.standing(&place, now);
            standing.is_some()
        };
        let stands = self.seen(LOOKS_UNTIL_TYPED, CALM, stands).await?;
        match standing.filter(|_| stands) {
            Some(standing) => self.send(draft, &standing).await,
            None => self.ended(),
        }
    }

    /// Types the first word, again where the screen has become another without it, until it stands in the input.
    async fn begin(&self, draft: Draft<'_>) -> Result<Result<Place, Typed>, TmuxError> {
        let began = Instant::now();
        let mut is_told = false;
        // What the screen showed before the first word was typed.
        let mut before: Option<String> = None;
        loop {
            let screen = match self.calm().await? {
                Shown::Screen(screen) => screen,
                Shown::Gone => return Ok(Err(Typed::Gone)),
                Shown::Cancelled => return Ok(Err(Typed::Cancelled)),
            };
            let place = before.as_ref().and_then(|before| draft.begun(before, &screen));
            if let Some(place) = place {
                let letters = draft.letters_before(&place);
                if letters == 0 {
                    return Ok(Ok(place));
                }
                // The input has kept what was typed while a question was shown or came up.
                self.session.tmux.erase(self.pane, letters + draft.first.chars().count())?;
                before = None;
                self.seen(LOOKS_UNTIL_SEEN, 1, |now| now != screen).await?;
            } else if self.dialogs.iter().any(|dialog| dialog.is_on(&screen)) {
                self.session.tmux.press_enter(self.pane)?;
                before = None;
                self.seen(LOOKS_UNTIL_SEEN, 1, |now| now != screen).await?;
            } else if before.as_ref() != Some(&screen) && !screen.trim().is_empty() {
                self.session.tmux.type_text(self.pane, draft.first)?;
                self.seen(LOOKS_UNTIL_SEEN, 1, |now| draft.begun(&screen, now).is_some()).await?;
                before = Some(screen);
            }
            if began.elapsed() >= self.patience.start {
                return Ok(Err(Typed::NotTaken));
            }
            if began.elapsed() >= self.patience.still.min(self.patience.start / 4) && !is_told {
                (self.on_still)();
                is_told = true;
            }
        }
    }

    /// Presses Enter, again where the message still stands in the input, until it has left it.
    async fn send(&self, draft: Draft<'_>, standing: &Standing) -> Result<Typed, TmuxError> {
        let began = Instant::now();
        let mut pressed = 0;
        loop {
            if pressed < PRESSES {
                self.session.tmux.press_enter(self.pane)?;
                pressed += 1;
            }
            if self.seen(LOOKS_UNTIL_SEEN, 1, |now| draft.is_sent(standing, now)).await? {
                return Ok(Typed::All);
            }
            // An agent that is gone may have done its work first, which is looked at next.
            let Some(now) = self.session.tmux.glance(self.pane)? else { return Ok(Typed::All) };
            if self.cancel.is_cancelled() {
                return Ok(Typed::Cancelled);
            }
            if draft.is_sent(standing, &now) {
                return Ok(Typed::All);
            }
            if began.elapsed() >= self.patience.start {
                return Ok(Typed::NotTaken);
            }
        }
    }

    /// Returns why a message does not stand in the input.
    fn ended(&self) -> Result<Typed, TmuxError> {
        let is_there = self.session.tmux.glance(self.pane)?.is_some();
        Ok(match (self.cancel.is_cancelled(), is_there) {
            (true, _) => Typed::Cancelled,
            (false, true) => Typed::NotTaken,
            (false, false) => Typed::Gone,
        })
    }

    /// Waits until the pane shows something and goes on showing it, within bounds.
    async fn calm(&self) -> Result<Shown, TmuxError> {
        let (mut last, mut same) = (String::new(), 0);
        for _ in 0..LOOKS_UNTIL_CALM {
            let Some(screen) = self.session.tmux.glance(self.pane)? else { return Ok(Shown::Gone) };
            same = if screen == last && !screen.trim().is_empty() { same + 1 } else { 0 };
            last = screen;
            if same >= CALM {
                break;
            }
            if !self.cancel.sleep(POLL).await {
                return Ok(Shown::Cancelled);
            }
        }
        Ok(Shown::Screen(last))
    }

    /// Waits until the pane shows something in so many looks in a row, and says whether it does within so many in all.
    async fn seen(
        &self,
        looks: u32,
        in_a_row: u32,
        mut is_it: impl FnMut(&str) -> bool,
    ) -> Result<bool, TmuxError> {
        let mut same = 0;
        for _ in 0..looks {
            let Some(screen) = self.session.tmux.glance(self.pane)? else { return Ok(false) };
            same = if is_it(&screen) { same + 1 } else { 0 };
            if same >= in_a_row {
                return Ok(true);
            }
            if !self.cancel.sleep(POLL).await {
                break;
            }
        }
        Ok(false)
    }
}

enum Shown {
    Screen(String),
    Gone,
    Cancelled,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_never_longer_than_an_agent_s_time() {
        let Patience { still, start } = Patience::of(Duration::from_secs(2));
        assert_eq!((still, start), (Duration::from_millis(500), Duration::from_secs(2)));
        let Patience { still, start } = Patience::of(Duration::from_hours(1));
        assert_eq!((still, start), (LONGEST_STILL, LONGEST_START));
    }
}
