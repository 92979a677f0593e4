//! Typing into the screen of an agent. Nothing is sent off before it is seen on the screen: what does not take text may be a
//! question, and Enter would answer it.

use std::time::{Duration, Instant};

use super::session::LiveSession;
use crate::orchestrator::agents::Dialog;
use crate::process::Cancel;
use crate::tmux::{Pane, TmuxError};

/// How often a screen is looked at.
pub(super) const POLL: Duration = Duration::from_millis(150);
/// How often in a row a screen must be the same to count as calm.
const CALM: u32 = 3;
/// How often a screen that is never calm is looked at.
const LOOKS_UNTIL_CALM: u32 = 40;
/// How often a screen is looked at until typed text must be seen.
const LOOKS_UNTIL_TYPED: u32 = 20;
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
    pub(super) dialogs: &'t [Dialog],
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
        // A menu passes over letters; the path further on may hold digits, which it does not.
        let (first, rest) = message.split_at(message.find(' ').unwrap_or(message.len()));
        let began = Instant::now();
        let mut is_told = false;
        // What the screen showed before the first word was typed.
        let mut before: Option<String> = None;
        loop {
            let screen = match self.calm().await? {
                Shown::Screen(screen) => screen,
                Shown::Gone => return Ok(Typed::Gone),
                Shown::Cancelled => return Ok(Typed::Cancelled),
            };
            if before.as_ref().is_some_and(|before| has_more(first, before, &screen)) {
                break;
            }
            if self.dialogs.iter().any(|dialog| dialog.is_on(&screen)) {
                self.session.tmux.press_enter(self.pane)?;
                before = None;
                self.seen(|now| now != screen).await?;
            } else if before.as_ref() != Some(&screen) && !screen.trim().is_empty() {
                self.session.tmux.type_text(self.pane, first)?;
                self.seen(|now| has_more(first, &screen, now)).await?;
                before = Some(screen);
            }
            if began.elapsed() >= self.patience.start {
                return Ok(Typed::NotTaken);
            }
            if began.elapsed() >= self.patience.still.min(self.patience.start / 4) && !is_told {
                (self.on_still)();
                is_told = true;
            }
        }
        self.session.tmux.type_text(self.pane, rest)?;
        // A screen that takes text and Enter at once may take them for text with a line break; and one that shows a question
        // by now would take Enter for the answer.
        if !self.seen(|now| squeezed(now).contains(&squeezed(message))).await? {
            let is_there = self.session.tmux.glance(self.pane)?.is_some();
            return Ok(match (self.cancel.is_cancelled(), is_there) {
                (true, _) => Typed::Cancelled,
                (false, true) => Typed::NotTaken,
                (false, false) => Typed::Gone,
            });
        }
        self.session.tmux.press_enter(self.pane)?;
        Ok(Typed::All)
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

    /// Waits until the pane shows something, within bounds, and says whether it does.
    async fn seen(&self, is_it: impl Fn(&str) -> bool) -> Result<bool, TmuxError> {
        for _ in 0..LOOKS_UNTIL_TYPED {
            let Some(screen) = self.session.tmux.glance(self.pane)? else { return Ok(false) };
            if is_it(&screen) {
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

/// Says whether a line of the screen shows a word more often than it did.
fn has_more(word: &str, before: &str, now: &str) -> bool {
    let mut before = before.lines();
    let count = |line: &str| line.matches(word).count();
    now.lines().any(|line| count(line) > before.next().map_or(0, count))
}

/// Leaves out what a screen puts between the letters of a long line: spaces, and the borders of boxes.
fn squeezed(text: &str) -> String {
    let is_border = |letter: &char| ('\u{2500}'..='\u{259f}').contains(letter);
    text.chars().filter(|letter| !letter.is_whitespace() && !is_border(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_seen_wherever_it_is_drawn() {
        let before = "Tips: Read more\n> Type your message\n";
        assert!(!has_more("Read", before, before));
        assert!(has_more("Read", before, "Tips: Read more\n> Read\n"));
        assert!(has_more("Read", before, "\n> Read\n"), "also where another one is gone");
        assert!(!has_more("Read", before, "Do you trust this folder?\n> 1. Yes\n"));
    }

    #[test]
    fn a_message_is_seen_through_the_wraps_and_borders_of_a_box() {
        let box_of_two_lines =
            "│ > Read and follow the instruct │\n│   ions in /a/b.md              │";
        let message = squeezed("Read and follow the instructions in /a/b.md");
        assert!(squeezed(box_of_two_lines).contains(&message));
    }

    #[test]
    fn patience_is_never_longer_than_an_agent_s_time() {
        let Patience { still, start } = Patience::of(Duration::from_secs(2));
        assert_eq!((still, start), (Duration::from_millis(500), Duration::from_secs(2)));
        let Patience { still, start } = Patience::of(Duration::from_hours(1));
        assert_eq!((still, start), (LONGEST_STILL, LONGEST_START));
    }
}
