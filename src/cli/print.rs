//! Prints results on standard output: text for people, JSON for programs.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;

use clap::Args;
use serde_json::Value;

use super::failure::Outcome;
use crate::output::escape_control::escape_control;
use crate::output::sanitize::safe;
use crate::output::screen::{Audience, Screen};
use crate::output::{json, logger};
use crate::process;

/// The output format of a result.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Format {
    /// Print JSON.
    #[arg(long)]
    pub(super) json: bool,
}

impl Format {
    /// Prints a result: for programs an object with the version of its format, for people text.
    pub(super) fn print(self, object: Value, text: &str) -> Outcome {
        if self.json { print_object(object) } else { print_text(text) }
    }

    /// Prints what was done: an object for programs; text for people, unless they asked for quiet.
    pub(super) fn report(self, object: Value, text: &str) -> Outcome {
        if self.json { print_object(object) } else { report(text) }
    }
}

// The output format of events. A doc comment would become the help text of a command that has none.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct EventFormat {
    /// Print events as JSON lines; the last line says where the change stopped.
    #[arg(long)]
    pub(super) json: bool,
}

impl EventFormat {
    /// Returns the screen that shows the events.
    pub(super) fn screen(self) -> Arc<Screen> {
        Arc::new(Screen::new(if self.json { Audience::Programs } else { Audience::people() }))
    }
}

/// Prints text for people, sanitized.
pub(super) fn print_text(text: &str) -> Outcome {
    Ok(process::idle(|| anstream::stdout().write_all(safe(text).as_bytes()))?)
}

/// Reports to people what was done, unless they asked for quiet.
pub(super) fn report(text: &str) -> Outcome {
    if logger::is_quiet() { Ok(()) } else { print_text(text) }
}

/// Prints bytes unchanged; on a terminal, control characters are escaped.
pub(super) fn print_exactly(bytes: &[u8]) -> Outcome {
    if std::io::stdout().is_terminal() {
        print_raw(escape_control(&String::from_utf8_lossy(bytes)).as_bytes())
    } else {
        print_raw(bytes)
    }
}

/// Prints bytes unchanged, on a terminal too.
pub(super) fn print_raw(bytes: &[u8]) -> Outcome {
    let mut stdout = std::io::stdout().lock();
    Ok(process::idle(|| stdout.write_all(bytes).and_then(|()| stdout.flush()))?)
}

/// Prints JSON for programs, without secrets.
pub(super) fn print_json(value: Value) -> Outcome {
    let text = json::pretty(value);
    Ok(process::idle(|| writeln!(std::io::stdout().lock(), "{text}"))?)
}

/// Prints an object with the version of its format.
fn print_object(mut object: Value) -> Outcome {
    object["version"] = 1.into();
    print_json(object)
}
