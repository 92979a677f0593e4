//! Shows the progress of a change: lines for people, with a spinner below them on a terminal, or JSON lines for
//! programs.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use super::human::{Line, Tone, lines_for};
use super::sanitize::safe;
use super::spinner::{Spinner, above};
use super::{events, json, logger};
use crate::engine::event::{Event, Watch};

/// The width of the labels.
const LABEL: usize = 10;

/// The audience of the events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// People.
    People,
    /// Programs.
    Programs,
    /// No one: only errors are shown.
    Nobody,
}

impl Audience {
    /// Returns people, unless they asked for quiet.
    pub(crate) fn people() -> Self {
        if logger::is_quiet() { Self::Nobody } else { Self::People }
    }
}

/// Shows events.
pub(crate) struct Screen {
    audience: Audience,
    spinner: Spinner,
    /// The first failure to print. The change continues, so it is reported later.
    failure: Mutex<Option<io::Error>>,
}

impl Screen {
    /// Creates a screen for an audience. Only people at a terminal get a spinner.
    pub(crate) fn new(audience: Audience) -> Self {
        let spinner = match audience {
            Audience::People => Spinner::on_terminal(),
            Audience::Programs | Audience::Nobody => Spinner::hidden(),
        };
        Self { audience, spinner, failure: Mutex::new(None) }
    }

    /// Returns whether lines for people are shown.
    pub(crate) fn is_for_people(&self) -> bool {
        self.audience == Audience::People
    }

    /// Shows a line to people.
    pub(crate) fn line(&self, label: &str, text: &str, tone: Tone) {
        if self.is_for_people() {
            let line = Line { label: label.to_owned(), text: text.to_owned(), tone };
            self.keep(print(&line));
        }
    }

    /// Shows a JSON line to programs.
    pub(crate) fn object(&self, mut value: Value) {
        if self.audience == Audience::Programs {
            value["version"] = events::VERSION.into();
            self.keep(print_json(value));
        }
    }

    /// Returns the first failure to print.
    pub(crate) fn printed(&self) -> io::Result<()> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }

    fn keep(&self, printed: io::Result<()>) {
        if let Err(error) = printed {
            let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            first.get_or_insert(error);
        }
    }

    /// Removes the spinner.
    pub(crate) fn clear(&self) {
        self.spinner.clear();
    }
}

impl Watch for Screen {
    fn event(&self, event: &Event<'_>) {
        match self.audience {
            Audience::People => {
                self.spinner.follow(event);
                for line in lines_for(event) {
                    self.keep(print(&line));
                }
            }
            Audience::Programs => self.keep(print_json(events::json(event))),
            Audience::Nobody => {}
        }
    }
}

fn print(line: &Line) -> io::Result<()> {
    let style = match line.tone {
        Tone::Plain => Style::new(),
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Notice => AnsiColor::Yellow.on_default(),
        Tone::Bad => AnsiColor::Red.on_default(),
    };
    let bold = Style::new().bold();
    // A line break in a text must not look like the start of a new line of ours.
    let text = safe(&line.text).trim_end().replace('\n', &format!("\n{:LABEL$} ", ""));
    let label = &line.label;
    above(|| writeln!(anstream::stdout(), "{bold}{label:<LABEL$}{bold:#} {style}{text}{style:#}"))
}

fn print_json(value: Value) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{}", json::line(value))
}
