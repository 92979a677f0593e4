//! The XML document round a prompt: `guard` decides how text is written so that it can forge nothing, `write`
//! puts it between the tags, `read` takes it out again.

mod guard;
mod read;
mod write;

use thiserror::Error;

use super::prompt::ContextKind;

#[cfg(feature = "cli")]
pub(crate) use guard::has_forbidden;
pub(crate) use guard::sanitized;
pub(super) use read::read;
pub(super) use write::{to_stream, to_string};

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The size of the document in bytes.
    pub bytes: usize,
    /// How many characters that XML forbids were replaced by U+FFFD.
    pub replaced: usize,
}

/// Why a document is not a prompt.
#[derive(Debug, Error)]
pub enum EnvelopeError {
    /// It is not well-formed XML.
    #[error("the document is not well-formed at byte {offset}: {reason}")]
    Malformed {
        /// Where.
        offset: u64,
        /// Why.
        reason: String,
    },
    /// It holds something that a prompt does not have in this place.
    #[error("unexpected {what} at byte {offset}")]
    Unexpected {
        /// Where.
        offset: u64,
        /// What.
        what: String,
    },
    /// It was read back as something else than what was written.
    #[error("the document does not parse back into the prompt that it was written from")]
    Differs,
}

const PROMPT: &str = "prompt";
const SYSTEM_PROMPT: &str = "system_prompt";
const CONTEXT: &str = "context";
const INSTRUCTIONS: &str = "instructions";

/// Returns the tag and the name attribute of a kind of context.
const fn tag(kind: ContextKind) -> (&'static str, &'static str) {
    match kind {
        ContextKind::File => ("file", "path"),
        ContextKind::Artifact => ("artifact", "name"),
        ContextKind::Thought => ("thought", "name"),
    }
}
