//! Commands that only a person may run. They are refused below an agent, which could approve its own work.

use super::args::Command;
use super::{Failure, Outcome};
use crate::process;

/// Refuses a command that decides something if an agent, or a process it started, has called it.
pub(super) fn check(command: Option<&Command>) -> Outcome {
    let Some(name) = command.and_then(name) else { return Ok(()) };
    let Some(pid) = process::guard_above() else { return Ok(()) };
    let message =
        format!("`agentd {name}` is for a person, but an agent called it (process {pid})");
    Err(Failure::precondition(message, "call it from your own terminal"))
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
