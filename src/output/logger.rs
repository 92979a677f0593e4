//! Shows log records to a person on standard error: `warning: …`.

use std::io::Write as _;

use super::secrets::hide;
use super::visible::visible;
use anstyle::{AnsiColor, Style};
use log::{Level, LevelFilter, Log, Metadata, Record};

/// Starts showing records up to `level`.
pub(crate) fn start(level: LevelFilter) {
    static LOGGER: Logger = Logger;
    // A second start within one process (a test, say) only changes the level.
    let _ = log::set_logger(&LOGGER);
    log::set_max_level(level);
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
        let style = Style::new().bold().fg_color(Some(color.into()));
        // Nothing can be done about a standard error that is gone.
        let message = record.args().to_string();
        let _ =
            writeln!(anstream::stderr(), "{style}{word}:{style:#} {}", visible(&hide(&message)));
    }

    fn flush(&self) {}
}
