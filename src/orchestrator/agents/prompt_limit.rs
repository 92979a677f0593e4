//! How large a prompt may be, checked before anything is run: some CLIs answer nothing at all to one that is too
//! large for them.

use serde::Deserialize;

use super::facts::Facts;
use super::{AgentError, Request};

/// The largest prompt that a CLI takes.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PromptLimit {
    unit: Unit,
    most: u64,
}

/// What a CLI counts.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Characters.
    Characters,
    /// What JavaScript calls the length of a text: a character beyond the first 65,536 counts twice.
    Utf16,
}

/// Refuses a prompt that is larger than the configuration or the CLI allows.
pub(super) fn check(request: &Request<'_>, facts: &Facts, stdin: &str) -> Result<(), AgentError> {
    let configured = request.settings.max_prompt;
    let configured =
        configured.map(|most| (PromptLimit { unit: Unit::Bytes, most }, "`max_prompt` allows"));
    let own = facts.call.largest_prompt.iter().map(|limit| (*limit, "the agent's limit is"));
    for (PromptLimit { unit, most }, who) in configured.into_iter().chain(own) {
        let (size, name) = match unit {
            Unit::Bytes => (stdin.len(), "bytes"),
            Unit::Characters => (stdin.chars().count(), "characters"),
            Unit::Utf16 => (stdin.encode_utf16().count(), "UTF-16 units"),
        };
        if size as u64 > most {
            let message = format!("it has {size} {name}, and {who} {most}");
            return Err(AgentError::PromptTooLarge { message });
        }
    }
    Ok(())
}
