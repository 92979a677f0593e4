//! What the message of a failed run means. CLIs tell an HTTP status where they have one; otherwise only their words
//! are left. Only error messages are read here, never an agent's answer.

use serde::Deserialize;

use super::facts::COMMON;
use super::{AgentError, Exit};

/// How much of a message is kept.
const LONGEST: usize = 600;

/// What a message means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    TooLarge,
    NotLoggedIn,
    RateLimited,
    Overloaded,
    Unreachable,
    Refused,
    Broken,
}

impl Kind {
    fn with(self, message: &str) -> AgentError {
        let message = said(message);
        match self {
            Self::TooLarge => AgentError::PromptTooLarge { message },
            Self::NotLoggedIn => AgentError::NotLoggedIn { message },
            Self::RateLimited => AgentError::RateLimited { message },
            Self::Overloaded => AgentError::Overloaded { message },
            Self::Unreachable => AgentError::Unreachable { message },
            Self::Refused => AgentError::Refused { message },
            Self::Broken => AgentError::BrokenAnswer { message },
        }
    }
}

/// Returns what an HTTP status means, with the message that came with it.
pub(super) fn by_status(status: u64, message: &str) -> Option<AgentError> {
    let kind = match status {
        401 | 403 => Kind::NotLoggedIn,
        413 => Kind::TooLarge,
        429 => Kind::RateLimited,
        408 | 500..=599 => Kind::Overloaded,
        // A prompt over the model's window is an ordinary bad request for most servers.
        400..=499 if find(message) == Some(Kind::TooLarge) => Kind::TooLarge,
        400..=499 => Kind::Refused,
        _ => return None,
    };
    Some(kind.with(message))
}

/// Returns what a message without a status means; a failure of the CLI's own where it is unknown.
pub(super) fn by_words(message: &str, exit: &Exit<'_>) -> AgentError {
    match find(message) {
        Some(kind) => kind.with(message),
        None => AgentError::Failed { code: exit.code, message: said(message) },
    }
}

/// Returns why a run without a final record has none: the exit code, and what was printed on standard error.
pub(super) fn without_record(exit: &Exit<'_>, noise: Option<&str>) -> AgentError {
    match exit.code {
        0 => AgentError::NoFinalRecord,
        // A CLI that handles a signal exits with 128 and the signal's number, as a shell reports it.
        129..=159 => AgentError::Killed { signal: exit.code - 128 },
        _ => by_words(noise.unwrap_or(exit.stderr), exit),
    }
}

fn find(message: &str) -> Option<Kind> {
    let message = message.to_lowercase();
    let mut kinds = COMMON.messages.iter();
    let found = kinds.find(|(_, all)| all.iter().any(|words| message.contains(words.as_str())));
    found.map(|(kind, _)| *kind)
}

/// Returns a message in the length that is kept, from its beginning.
pub(super) fn said(message: &str) -> String {
    let message = message.trim();
    if message.is_empty() {
        return "it printed no reason".to_owned();
    }
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}
