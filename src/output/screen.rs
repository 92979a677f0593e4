//! Shows a change as it goes on: lines for people, with a spinner below them on a terminal, or JSON lines for programs.

use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use super::shown::shown;
use super::spinner::{Spinner, above};
use super::story::{Line, Tone, tell};
use super::{events, json_line, logger};
use crate::workflow::event::{Event, Watch};

/// How wide the labels are.
const LABEL: usize = 10;

/// Who the events are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// People.
    People,
    /// Programs.
    Programs,
    /// Nobody: only errors are told.
    Nobody,
}

impl Audience {
    /// Gives people, unless they asked for quiet.
    pub(crate) fn people() -> Self {
        if logger::is_quiet() { Self::Nobody } else { Self::People }
    }
}

/// Shows events.
pub(crate) struct Screen {
    audience: Audience,
    spinner: Spinner,
}

impl Screen {
    /// Shows events to an audience. There is a spinner only for people at a terminal.
    pub(crate) fn new(audience: Audience) -> Self {
        let spinner = match audience {
            Audience::People => Spinner::on_terminal(),
            Audience::Programs | Audience::Nobody => Spinner::hidden(),
        };
        Self { audience, spinner }
    }

    /// Shows a line of our own to people.
    pub(crate) fn line(&self, label: &str, text: &str, tone: Tone) {
        if self.audience == Audience::People {
            print(&Line { label: label.to_owned(), text: text.to_owned(), tone });
        }
    }

    /// Shows a line of our own to programs.
    pub(crate) fn object(&self, mut value: Value) {
        if self.audience == Audience::Programs {
            value["version"] = events::VERSION.into();
            print_json(value);
        }
    }

    /// Takes the spinner away.
    pub(crate) fn clear(&self) {
        self.spinner.clear();
    }
}

impl Watch for Screen {
    fn event(&self, event: &Event<'_>) {
        match self.audience {
            Audience::People => {
                self.spinner.follow(event);
                tell(event).iter().for_each(print);
            }
            Audience::Programs => print_json(events::json(event)),
            Audience::Nobody => {}
        }
    }
}

fn print(line: &Line) {
    let style = match line.tone {
        Tone::Plain => Style::new(),
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Notice => AnsiColor::Yellow.on_default(),
        Tone::Bad => AnsiColor::Red.on_default(),
    };
    let bold = Style::new().bold();
    // A line break in a text must not look like a line of our own.
    let text = shown(&line.text).trim_end().replace('\n', &format!("\n{:LABEL$} ", ""));
    let label = &line.label;
    // Nothing can be done about a standard output that is gone; the change goes on.
    above(|| {
        let _ =
            writeln!(anstream::stdout(), "{bold}{label:<LABEL$}{bold:#} {style}{text}{style:#}");
    });
}

fn print_json(value: Value) {
    let _ = writeln!(io::stdout().lock(), "{}", json_line::written(value));
}
