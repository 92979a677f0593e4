//! Commands that decide for a person. Beneath an agent they are refused: it would approve its own work.

use super::args::Command;
use super::{Failure, Outcome};
use crate::process;

/// Refuses a command that decides something where an agent, or what it started, has called it.
pub(super) fn check(command: Option<&Command>) -> Outcome {
    let Some(name) = command.and_then(name) else { return Ok(()) };
    let Some(pid) = process::guard_above() else { return Ok(()) };
    let message =
        format!("`agentd {name}` is for a person: an agent called it, beneath process {pid}");
    Err(Failure::precondition(message, "call it from a terminal of your own"))
}

/// Returns the name of a command that decides something.
const fn name(command: &Command) -> Option<&'static str> {
    Some(match command {
        Command::Approve(_) => "approve",
        Command::Reject(_) => "reject",
        Command::Cancel(_) => "cancel",
        Command::Merge(_) => "merge",
        Command::Rebase(_) => "rebase",
        Command::Discard(_) => "discard",
        Command::Prune(_) => "prune",
        Command::Trust(_) => "trust",
        _ => return None,
    })
}
