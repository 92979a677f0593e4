//! The status line on a terminal: the phase, its duration, the agent and its current activity. It is drawn on standard
//! error, and other output is printed above it.

use std::io::{self, IsTerminal as _};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

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
        Self { bar, agent: Mutex::default() }
    }

    /// Creates a spinner that shows nothing.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), agent: Mutex::default() }
    }

    /// Removes the spinner.
    pub(crate) fn clear(&self) {
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.disable_steady_tick();
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
        self.bar.enable_steady_tick(TICK);
        *LIVE.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.bar.clone());
    }
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
