//! Shows log records to a person on standard error: `warning: …`.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use super::label::label;
use super::sanitize::safe;
use super::spinner::above;
use anstyle::AnsiColor;
use log::{Level, LevelFilter, Log, Metadata, Record};

/// Starts showing records up to `level`.
pub(crate) fn start(level: LevelFilter) {
    static LOGGER: Logger = Logger;
    // A second start within one process (a test, say) only changes the level.
    let _ = log::set_logger(&LOGGER);
    log::set_max_level(level);
}

/// Returns whether only errors are shown.
pub(crate) fn is_quiet() -> bool {
    log::max_level() < LevelFilter::Warn
}

struct Logger;

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level() && metadata.target().starts_with("agentd")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        let (word, color) = match record.level() {
            Level::Error => ("error", AnsiColor::Red),
            Level::Warn => ("warning", AnsiColor::Yellow),
            Level::Info => ("info", AnsiColor::Green),
            Level::Debug => ("debug", AnsiColor::Cyan),
            Level::Trace => ("trace", AnsiColor::Magenta),
        };
        let message = record.args().to_string();
        if record.level() == Level::Warn && !is_news(&message) {
            return;
        }
        // Nothing can be done if standard error is gone.
        above(|| {
            let _ = writeln!(anstream::stderr(), "{} {}", label(word, color), safe(&message));
        });
    }

    fn flush(&self) {}
}

/// Returns whether a warning is new: every call of an agent would repeat it.
fn is_news(message: &str) -> bool {
    static GIVEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    given.insert(message.to_owned())
}
