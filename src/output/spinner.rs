//! The status line on a terminal: the phase, its duration, the agent and its current activity. It is drawn on standard
//! error, and other output is printed above it.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::format;
use super::sanitize::safe;
use crate::engine::event::Event;
use crate::orchestrator::watch as call;

/// The spinner that is shown, for code that prints without knowing about it.
static LIVE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// The interval of the animation.
const TICK: Duration = Duration::from_millis(120);

/// An animated status line.
pub(crate) struct Spinner {
    bar: ProgressBar,
    agent: Mutex<String>,
    /// Turns it for as long as this is there.
    ticker: Mutex<Option<Sender<()>>>,
}

impl Spinner {
    /// Creates a spinner for a terminal; without a terminal, it shows nothing.
    pub(crate) fn on_terminal() -> Self {
        if !io::stderr().is_terminal() {
            return Self::hidden();
        }
        let bar = ProgressBar::new_spinner();
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {prefix:<10} {elapsed:>4} {wide_msg}")
        {
            bar.set_style(style);
        }
        Self { bar, agent: Mutex::default(), ticker: Mutex::default() }
    }

    /// Creates a spinner that shows nothing.
    pub(crate) fn hidden() -> Self {
        let bar = ProgressBar::hidden();
        Self { bar, agent: Mutex::default(), ticker: Mutex::default() }
    }

    /// Removes the spinner.
    pub(crate) fn clear(&self) {
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.finish_and_clear();
    }

    /// Updates the spinner for an event.
    pub(crate) fn follow(&self, event: &Event<'_>) {
        match event {
            Event::StepStarted { step, agent, .. } => {
                (*agent).clone_into(&mut self.agent.lock().unwrap_or_else(PoisonError::into_inner));
                self.begin(&step.name, agent);
            }
            Event::InLane { event, .. } | Event::InResearch { event, .. } => self.follow(event),
            Event::Call(call::Event::Progress(progress)) => {
                let tokens = progress.output_tokens.map(format::count);
                let tokens = tokens.map(|count| format!("  {count} tokens")).unwrap_or_default();
                let agent = self.agent.lock().unwrap_or_else(PoisonError::into_inner);
                let activity = one_line(&progress.activity);
                self.bar.set_message(format!("{agent}{tokens}  {activity}"));
            }
            Event::CheckStarted { command } => self.begin("check", &one_line(command)),
            Event::StepFinished { .. }
            | Event::Blocked { .. }
            | Event::CheckFinished(_)
            | Event::Archived { .. } => {
                self.clear();
            }
            Event::Call(_)
            | Event::GroupStarted { .. }
            | Event::Lane(_)
            | Event::Research(_)
            | Event::SetAside { .. }
            | Event::BranchSetBack { .. }
            | Event::DocumentsRestored { .. }
            | Event::DocumentsEdited { .. }
            | Event::PlansSetAside { .. }
            | Event::FilesAskedAgain { .. }
            | Event::NothingChanged { .. }
            | Event::BaselineStarted { .. }
            | Event::BaselineFinished { .. }
            | Event::BaselineChosen { .. }
            | Event::ChecksStarted { .. }
            | Event::ChecksFinished { .. } => {}
        }
    }

    fn begin(&self, what: &str, message: &str) {
        self.bar.set_prefix(what.to_owned());
        self.bar.set_message(message.to_owned());
        self.bar.reset();
        self.turn(thread::Builder::new());
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.bar.clone());
    }

    /// Has the spinner turn on a thread of its own; where the system has none left, it is not shown. `indicatif` itself would panic.
    fn turn(&self, thread: thread::Builder) {
        let mut ticker = self.ticker.lock().unwrap_or_else(PoisonError::into_inner);
        if ticker.is_some() || self.bar.is_hidden() {
            return;
        }
        match start_ticker(self.bar.clone(), thread) {
            Ok(started) => *ticker = Some(started),
            Err(_) => self.bar.set_draw_target(ProgressDrawTarget::hidden()),
        }
    }
}

/// Turns a spinner until nobody wants it any more.
fn start_ticker(bar: ProgressBar, thread: thread::Builder) -> io::Result<Sender<()>> {
    let (wanted, is_wanted) = channel();
    let turn = move || {
        while is_wanted.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if !bar.is_finished() {
                bar.tick();
            }
        }
    };
    thread.spawn(turn).map(|_| wanted)
}

/// Prints something above the spinner, if there is one.
pub(crate) fn above<T>(print: impl FnOnce() -> T) -> T {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match live {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// Returns a text as one line, sanitized.
fn one_line(text: &str) -> String {
    safe(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_thread_can_be_started_nothing_is_shown() {
        let bar =
            ProgressBar::with_draw_target(None, ProgressDrawTarget::term_like(Box::new(Paper)));
        let spinner = Spinner { bar, ..Spinner::hidden() };
        assert!(!spinner.bar.is_hidden());
        // No machine has a stack of this size.
        spinner.turn(thread::Builder::new().stack_size(1 << 60));
        assert!(spinner.bar.is_hidden());
        spinner.begin("plan", "claude");
        spinner.clear();
    }

    /// A terminal that takes everything.
    #[derive(Debug)]
    struct Paper;

    impl indicatif::TermLike for Paper {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, _: &str) -> io::Result<()> {
            Ok(())
        }

        fn write_str(&self, _: &str) -> io::Result<()> {
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }
}
