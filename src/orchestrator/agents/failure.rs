//! What the message of a failed run means. CLIs tell an HTTP status where they have one; otherwise only their words
//! are left. Only error messages are read here, never an agent's answer.

use super::{AgentError, Exit};

/// How much of a message is kept.
const LONGEST: usize = 600;

/// What a message means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
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

/// Words of error messages, in small letters, and what they mean; the first that is found counts.
const WORDS: [(&str, Kind); 42] = [
    ("prompt is too long", Kind::TooLarge),
    ("prompt as too long", Kind::TooLarge),
    ("input is too long", Kind::TooLarge),
    ("request too large", Kind::TooLarge),
    ("exceeds the maximum length", Kind::TooLarge),
    ("exceeds the maximum number of tokens", Kind::TooLarge),
    ("exceeds the model's prompt budget", Kind::TooLarge),
    ("context window", Kind::TooLarge),
    ("context length", Kind::TooLarge),
    ("please run /login", Kind::NotLoggedIn),
    ("not logged in", Kind::NotLoggedIn),
    ("invalid api key", Kind::NotLoggedIn),
    ("api key not valid", Kind::NotLoggedIn),
    ("api key not found", Kind::NotLoggedIn),
    ("missing environment variable", Kind::NotLoggedIn),
    ("no authentication information", Kind::NotLoggedIn),
    ("failed to authenticate", Kind::NotLoggedIn),
    ("authentication failed", Kind::NotLoggedIn),
    ("set an auth method", Kind::NotLoggedIn),
    ("codex login", Kind::NotLoggedIn),
    ("rate limit", Kind::RateLimited),
    ("rate_limit", Kind::RateLimited),
    ("usage limit", Kind::RateLimited),
    ("hit your limit", Kind::RateLimited),
    ("quota", Kind::RateLimited),
    ("too many requests", Kind::RateLimited),
    ("overloaded", Kind::Overloaded),
    ("high demand", Kind::Overloaded),
    ("internal server error", Kind::Overloaded),
    ("unable to connect", Kind::Unreachable),
    ("could not connect", Kind::Unreachable),
    ("connection failed", Kind::Unreachable),
    ("error sending request", Kind::Unreachable),
    ("fetch failed", Kind::Unreachable),
    ("econnrefused", Kind::Unreachable),
    ("enotfound", Kind::Unreachable),
    ("connection to the api was lost", Kind::Broken),
    ("stream disconnected", Kind::Broken),
    ("terminated", Kind::Broken),
    ("response body", Kind::Broken),
    ("parse", Kind::Broken),
    ("in json at position", Kind::Broken),
];

/// Says what an HTTP status means, with the message that came with it.
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

/// Says what a message without a status means; a failure of the CLI's own where it is unknown.
pub(super) fn by_words(message: &str, exit: &Exit<'_>) -> AgentError {
    match find(message) {
        Some(kind) => kind.with(message),
        None => AgentError::Failed { code: exit.code, message: said(message) },
    }
}

/// Says why a run without a final record has none: the exit code, and what was printed on standard error.
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
    WORDS.iter().find(|(words, _)| message.contains(words)).map(|(_, kind)| *kind)
}

/// Gives a message in the length that is kept, from its beginning.
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
