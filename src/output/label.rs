//! The word before a message: `error:`, `warning:`, `help:`.

use anstyle::{AnsiColor, Style};

/// Returns a word in bold and colour, with a colon.
pub(crate) fn label(word: &str, color: AnsiColor) -> String {
    let style = Style::new().bold().fg_color(Some(color.into()));
    format!("{style}{word}:{style:#}")
}
