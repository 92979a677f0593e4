//! The model server: what it is told to do, the HTTP that carries it, and one file for each vendor's API.

pub(crate) mod anthropic;
pub(crate) mod behaviour;
pub(crate) mod chat;
pub(crate) mod gemini;
pub(crate) mod http;
pub(crate) mod player;
pub(crate) mod responses;
pub(crate) mod server;

use serde_json::Value;

use behaviour::Message;

/// What the model claims to have used. All figures differ, so that each can be found again in what a CLI reports.
pub(crate) mod tokens {
    /// Read anew.
    pub(crate) const FRESH: u64 = 1001;
    /// Written to the cache; only Anthropic's API tells them apart.
    pub(crate) const CACHE_WRITE: u64 = 202;
    /// Read from the cache.
    pub(crate) const CACHE_READ: u64 = 303;
    /// Written, without reasoning.
    pub(crate) const ANSWER: u64 = 44;
    /// Of reasoning.
    pub(crate) const REASONING: u64 = 7;
}

/// One vendor's API.
pub(crate) trait Api: Sync {
    /// Says whether a path asks a model for an answer.
    fn asks(&self, path: &str) -> bool;

    /// Says whether the answer is wanted piece by piece.
    fn streams(&self, path: &str, request: &Value) -> bool;

    /// Gives the names of the tools that the CLI offers.
    fn tools(&self, request: &Value) -> Vec<String>;

    /// Counts the results of tools that the CLI sends back.
    fn results(&self, request: &Value) -> usize;

    /// Gives every text that the CLI sends in the user's name.
    fn user_texts(&self, request: &Value) -> Vec<String>;

    /// Writes an answer as one JSON object.
    fn whole(&self, message: &Message<'_>) -> Value;

    /// Writes an answer as events: their names, where they have any, and their data.
    fn events(&self, message: &Message<'_>) -> Vec<(Option<String>, String)>;

    /// Writes an error.
    fn error(&self, status: u16) -> Value;
}

/// Gives the list at a pointer.
pub(crate) fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Gives the text at a pointer.
pub(crate) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
