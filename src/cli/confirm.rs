//! Questions to whoever sits at the terminal.

use std::io::{self, IsTerminal as _, Write as _};

use crate::cli::{Failure, Kind, Outcome};
use crate::process;

/// Returns whether somebody can be asked.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a yes; anything else is a no.
pub(super) fn confirm(question: &str) -> Outcome<bool> {
    let answer = ask(&format!("{question} [y/N]"))?;
    Ok(["y", "yes"].contains(&answer.as_str()))
}

/// Asks, and returns the answer in lower case; no answer is an empty one.
pub(super) fn ask(question: &str) -> Outcome<String> {
    let unread = |error| Failure::new(Kind::Io, format!("cannot ask on the terminal: {error}"));
    let mut stderr = anstream::stderr().lock();
    write!(stderr, "{question} ").and_then(|()| stderr.flush()).map_err(unread)?;
    let mut answer = String::new();
    process::idle_unless_asked_to_end(|| io::stdin().read_line(&mut answer)).map_err(unread)?;
    if answer.is_empty() {
        // The input has ended: the next line should not stand behind the question.
        writeln!(stderr).map_err(unread)?;
    }
    Ok(answer.trim().to_ascii_lowercase())
}
