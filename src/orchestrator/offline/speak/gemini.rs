//! What Gemini CLI prints with `-o stream-json`.

use serde_json::{Value, json};

use super::{Exchange, ID, MODEL, TIME, Tokens};

pub(super) fn answer(exchange: Exchange<'_>) -> Vec<Value> {
    let tokens = Tokens::of(exchange);
    let mut records = opening(exchange.prompt);
    // It prints a message in pieces.
    let middle = exchange.answer.char_indices().nth(exchange.answer.chars().count() / 2);
    let (first, second) = exchange.answer.split_at(middle.map_or(0, |(at, _)| at));
    for piece in [first, second].into_iter().filter(|piece| !piece.is_empty()) {
        records.push(json!({
            "type": "message", "timestamp": TIME, "role": "assistant", "content": piece, "delta": true,
        }));
    }
    records.push(json!({
        "type": "result", "timestamp": TIME, "status": "success", "stats": stats(&tokens),
    }));
    records
}

pub(super) fn error(prompt: &str, status: u16, words: &str) -> Vec<Value> {
    let name = match status {
        401 => "UNAUTHENTICATED",
        429 => "RESOURCE_EXHAUSTED",
        400..=499 => "INVALID_ARGUMENT",
        _ => "INTERNAL",
    };
    let answer = json!({ "error": { "code": status, "message": words, "status": name } });
    let nothing = Tokens { read: 0, cached: 0, written: 0, reasoning: 0 };
    let mut records = opening(prompt);
    records.push(json!({
        "type": "result", "timestamp": TIME, "status": "error",
        "error": { "type": "unknown", "message": format!("[API Error: {answer}]") },
        "stats": stats(&nothing),
    }));
    records
}

fn opening(prompt: &str) -> Vec<Value> {
    vec![
        json!({ "type": "init", "timestamp": TIME, "session_id": ID, "model": MODEL }),
        json!({ "type": "message", "timestamp": TIME, "role": "user", "content": prompt }),
    ]
}

/// What is read includes the cache; what is written leaves out the thoughts, the total does not.
fn stats(tokens: &Tokens) -> Value {
    let counts = json!({
        "total_tokens": tokens.read + tokens.written,
        "input_tokens": tokens.read,
        "output_tokens": tokens.written - tokens.reasoning,
        "cached": tokens.cached,
        "input": tokens.read - tokens.cached,
    });
    let mut stats = counts.clone();
    stats["duration_ms"] = json!(1);
    stats["tool_calls"] = json!(0);
    stats["models"] = json!({ MODEL: counts });
    stats
}
