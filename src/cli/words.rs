//! Words of the command line that are read in more than one command.

use crate::template::nearest::nearest;
use crate::template::{Command, Phase, Role};

/// Reads a phase.
pub(super) fn phase(word: &str) -> Result<Phase, String> {
    Phase::from_word(word).ok_or_else(|| unknown(word, "phases", Phase::WORDS))
}

/// Reads a role of the team.
pub(super) fn role(word: &str) -> Result<Role, String> {
    Role::from_word(word).ok_or_else(|| unknown(word, "roles", Role::WORDS))
}

/// Reads a command of the team.
pub(super) fn command(word: &str) -> Result<Command, String> {
    Command::from_word(word).ok_or_else(|| unknown(word, "commands", Command::WORDS))
}

fn unknown(word: &str, kind: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the {kind} are {}", known.join(", ")),
    }
}
