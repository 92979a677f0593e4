//! What Codex CLI prints with `exec --json`.

use serde_json::{Value, json};

use super::{Exchange, ID, Tokens};

pub(super) fn answer(exchange: Exchange<'_>) -> Vec<Value> {
    let tokens = Tokens::of(exchange);
    vec![
        json!({ "type": "thread.started", "thread_id": ID }),
        // A mere warning has the type of an error.
        json!({ "type": "item.completed", "item": {
            "id": "item_0", "type": "error", "message": "Model metadata not found.",
        } }),
        json!({ "type": "turn.started" }),
        json!({ "type": "item.completed", "item": {
            "id": "item_1", "type": "agent_message", "text": exchange.answer,
        } }),
        json!({ "type": "turn.completed", "usage": {
            "input_tokens": tokens.read, "cached_input_tokens": tokens.cached,
            "cache_write_input_tokens": 0, "output_tokens": tokens.written,
            "reasoning_output_tokens": tokens.reasoning,
        } }),
    ]
}

pub(super) fn error(status: u16, words: &str) -> Vec<Value> {
    let message = match status {
        400 => json!({ "error": { "message": words, "type": "server_error" } }).to_string(),
        429 => "exceeded retry limit, last status: 429 Too Many Requests".to_owned(),
        500..=599 => {
            "We’re currently experiencing high demand, which may cause temporary errors.".to_owned()
        }
        _ => format!("unexpected status {status} : {words}, url: http://127.0.0.1/v1/responses"),
    };
    vec![
        json!({ "type": "thread.started", "thread_id": ID }),
        json!({ "type": "turn.started" }),
        json!({ "type": "error", "message": message }),
        json!({ "type": "turn.failed", "error": { "message": message } }),
    ]
}
