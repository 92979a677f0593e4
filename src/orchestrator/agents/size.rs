//! How large a prompt may be, checked before anything is run: some CLIs answer nothing at all to one that is too
//! large for them.

use super::{AgentError, Request};

/// What a CLI counts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Characters.
    Characters,
    /// What JavaScript calls the length of a text: a character beyond the first 65,536 counts twice.
    Utf16,
}

/// Refuses a prompt that is larger than the CLI or the configuration allows.
pub(super) fn check(
    request: &Request<'_>,
    stdin: &str,
    limits: &[(Unit, u64)],
) -> Result<(), AgentError> {
    if let Some(allowed) = request.settings.max_prompt {
        refuse_above(allowed, stdin, Unit::Bytes, "`max_prompt` allows")?;
    }
    for (unit, allowed) in limits {
        refuse_above(*allowed, stdin, *unit, "the agent takes")?;
    }
    Ok(())
}

fn refuse_above(allowed: u64, stdin: &str, unit: Unit, who: &str) -> Result<(), AgentError> {
    let (size, name) = match unit {
        Unit::Bytes => (stdin.len(), "bytes"),
        Unit::Characters => (stdin.chars().count(), "characters"),
        Unit::Utf16 => (stdin.encode_utf16().count(), "UTF-16 units"),
    };
    if size as u64 <= allowed {
        return Ok(());
    }
    Err(AgentError::PromptTooLarge {
        message: format!("it has {size} {name}, and {who} {allowed}"),
    })
}
