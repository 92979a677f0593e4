//! Questions to whoever sits at the terminal.

use std::io::{self, IsTerminal as _, Write as _};

use super::failure::{Failure, Kind, Outcome};

/// Says whether somebody can be asked.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a yes; anything else is a no.
pub(super) fn confirm(question: &str) -> Outcome<bool> {
    let unread = |error| Failure::new(Kind::Io, format!("cannot ask on the terminal: {error}"));
    let mut stderr = anstream::stderr().lock();
    write!(stderr, "{question} [y/N] ").and_then(|()| stderr.flush()).map_err(unread)?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer).map_err(unread)?;
    if answer.is_empty() {
        // The input has ended: the next line should not stand behind the question.
        writeln!(stderr).map_err(unread)?;
    }
    Ok(["y", "yes"].contains(&answer.trim().to_ascii_lowercase().as_str()))
}
