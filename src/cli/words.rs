//! Words of the command line that are read in more than one command.

use crate::template::Phase;
use crate::template::nearest::nearest;

/// Reads a phase.
pub(super) fn phase(word: &str) -> Result<Phase, String> {
    Phase::from_word(word).ok_or_else(|| match nearest(word, Phase::WORDS.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the phases are {}", Phase::WORDS.join(", ")),
    })
}
