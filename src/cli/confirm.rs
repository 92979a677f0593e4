//! Questions to the person at the terminal.

use std::io::{self, IsTerminal as _, Write as _};

use crate::cli::{Failure, Kind, Outcome};
use crate::process;

/// Returns whether a person can be asked.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a yes-or-no question; anything but a yes is a no.
pub(super) fn confirm(question: &str) -> Outcome<bool> {
    let answer = ask(&format!("{question} [y/N]"))?;
    Ok(["y", "yes"].contains(&answer.as_str()))
}

/// Asks a question and returns the answer in lower case; no answer is an empty string.
pub(super) fn ask(question: &str) -> Outcome<String> {
    Ok(ask_text(question)?.to_ascii_lowercase())
}

/// Asks a question and returns the answer as it was typed, without the blanks around it.
pub(super) fn ask_text(question: &str) -> Outcome<String> {
    let unread = |error| Failure::new(Kind::Io, format!("cannot ask on the terminal: {error}"));
    let mut stderr = anstream::stderr().lock();
    write!(stderr, "{question} ").and_then(|()| stderr.flush()).map_err(unread)?;
    let mut answer = String::new();
    process::idle_unless_asked_to_end(|| io::stdin().read_line(&mut answer)).map_err(unread)?;
    if answer.is_empty() {
        // At the end of the input, the next line must not follow the question directly.
        writeln!(stderr).map_err(unread)?;
    }
    Ok(answer.trim().to_owned())
}
