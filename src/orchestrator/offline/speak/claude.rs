//! What Claude Code prints with `--output-format stream-json`.

use serde_json::{Value, json};

use super::{Exchange, ID, MODEL, Tokens};

pub(super) fn answer(exchange: Exchange<'_>) -> Vec<Value> {
    let tokens = Tokens::of(exchange);
    let message = json!({
        "type": "assistant",
        "message": {
            "id": "msg_0001", "type": "message", "role": "assistant", "model": MODEL,
            "content": [{ "type": "text", "text": exchange.answer }],
            "stop_reason": null, "stop_sequence": null, "usage": counts(&tokens), "context_management": null,
        },
        "parent_tool_use_id": null, "session_id": ID, "uuid": ID,
    });
    let mut result = result(exchange.answer, &usage(&tokens));
    result["total_cost_usd"] = json!(0.01);
    result["stop_reason"] = json!("end_turn");
    result["modelUsage"] = json!({ MODEL: {
        "inputTokens": tokens.read - tokens.cached, "outputTokens": tokens.written,
        "cacheReadInputTokens": tokens.cached, "cacheCreationInputTokens": 0, "webSearchRequests": 0,
        "costUSD": 0.01, "contextWindow": 1_000_000, "maxOutputTokens": 64_000,
    } });
    vec![init(), message, result]
}

pub(super) fn error(status: u16, words: &str) -> Vec<Value> {
    let nothing = Tokens { read: 0, cached: 0, written: 0, reasoning: 0 };
    let mut result = result(&format!("API Error: {status} {words}"), &usage(&nothing));
    // The subtype stays "success" whatever the server said.
    result["is_error"] = json!(true);
    result["api_error_status"] = json!(status);
    result["stop_reason"] = json!("stop_sequence");
    vec![init(), result]
}

fn init() -> Value {
    json!({
        "type": "system", "subtype": "init", "cwd": "/workspace", "session_id": ID,
        "tools": ["Edit", "Read", "Write"], "mcp_servers": [], "model": MODEL, "permissionMode": "default",
        "slash_commands": [], "apiKeySource": "none", "claude_code_version": "2.1.326",
        "output_style": "default", "agents": [], "skills": [], "plugins": [],
        "analytics_disabled": true, "product_feedback_disabled": true, "uuid": ID, "memory_paths": {},
        "fast_mode_state": "off",
    })
}

fn result(text: &str, usage: &Value) -> Value {
    json!({
        "type": "result", "subtype": "success", "is_error": false, "api_error_status": null,
        "duration_ms": 1, "duration_api_ms": 1, "ttft_ms": 1, "ttft_stream_ms": 1,
        "time_to_request_ms": 1, "num_turns": 1, "result": text, "stop_reason": null,
        "session_id": ID, "total_cost_usd": 0, "usage": usage, "modelUsage": {},
        "permission_denials": [], "terminal_reason": "completed", "fast_mode_state": "off", "uuid": ID,
    })
}

/// What is read leaves out the cache; reasoning is not told apart.
fn counts(tokens: &Tokens) -> Value {
    json!({
        "input_tokens": tokens.read - tokens.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": tokens.cached,
        "output_tokens": tokens.written,
    })
}

/// Gives the usage of a whole run, which says more than that of a message.
fn usage(tokens: &Tokens) -> Value {
    let mut usage = counts(tokens);
    usage["server_tool_use"] = json!({ "web_search_requests": 0, "web_fetch_requests": 0 });
    usage["service_tier"] = json!("standard");
    usage["cache_creation"] = json!({
        "ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0,
    });
    usage["inference_geo"] = json!("");
    usage["iterations"] = json!([]);
    usage["speed"] = json!("standard");
    usage
}
