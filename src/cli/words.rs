//! Words of the command line that are read in more than one command.

use crate::template::nearest::nearest;
use crate::template::{Phase, Role};

/// Reads a phase.
pub(super) fn phase(word: &str) -> Result<Phase, String> {
    Phase::from_word(word).ok_or_else(|| match nearest(word, Phase::WORDS.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the phases are {}", Phase::WORDS.join(", ")),
    })
}

/// Reads a role.
pub(super) fn role(word: &str) -> Result<Role, String> {
    Role::from_word(word).ok_or_else(|| match nearest(word, Role::WORDS.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the roles are {}", Role::WORDS.join(", ")),
    })
}
