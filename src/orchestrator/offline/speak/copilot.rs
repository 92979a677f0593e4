//! What GitHub Copilot CLI prints with `--output-format json`, and what it writes with `--usage-output-file`.

use serde_json::{Value, json};

use super::{Exchange, ID, MODEL, TIME, Tokens};

pub(super) fn answer(exchange: Exchange<'_>) -> Vec<Value> {
    let message = json!({
        "messageId": ID, "originatingMessageId": ID, "model": MODEL, "content": exchange.answer,
        "toolRequests": [], "interactionId": ID, "turnId": "0", "rte": false, "apiCallId": "call-0001",
    });
    let asked = json!({
        "content": exchange.prompt, "transformedContent": exchange.prompt, "messageId": ID,
        "supportedNativeDocumentMimeTypes": [], "delivery": "idle", "interactionId": ID, "turnId": "0",
        "parentAgentTaskId": ID,
    });
    let finished = json!({
        "turnId": "0", "dispatchDurationMs": 1, "outcome": "success", "interactionId": ID,
    });
    let delta = json!({ "messageId": ID, "deltaContent": exchange.answer });
    vec![
        passing("session.skills_loaded", &json!({ "skills": [] })),
        passing("session.mcp_servers_loaded", &json!({ "servers": [] })),
        passing("session.tools_updated", &json!({ "model": MODEL })),
        event("user.message", &asked),
        event("assistant.turn_start", &json!({ "turnId": "0", "interactionId": ID })),
        passing("model.call_start", &json!({ "turnId": "0", "model": MODEL })),
        passing("assistant.message_start", &json!({ "messageId": ID })),
        passing("assistant.message_delta", &delta),
        passing("model.call_finished", &finished),
        event("assistant.message", &message),
        passing("model.call_final_result", &json!({ "model": MODEL, "result": "success" })),
        event("assistant.turn_end", &json!({ "turnId": "0" })),
        passing("assistant.idle", &json!({})),
        result(0),
    ]
}

pub(super) fn error(status: u16, words: &str) -> Vec<Value> {
    let kind = match status {
        401 => "authentication",
        429 => "rate_limit",
        _ => "query",
    };
    vec![
        passing("session.mcp_servers_loaded", &json!({ "servers": [] })),
        passing(
            "model.call_failure",
            &json!({
                "model": MODEL, "statusCode": status, "errorMessage": words, "failureKind": "api",
            }),
        ),
        event(
            "session.error",
            &json!({
                "errorType": kind, "message": format!("Last error: {status} {words}"), "statusCode": status,
            }),
        ),
        passing("assistant.idle", &json!({})),
        result(1),
    ]
}

/// Gives what is written to the file for usage: what is read includes the cache, what is written the reasoning.
pub(super) fn report(exchange: Exchange<'_>) -> String {
    let tokens = Tokens::of(exchange);
    let usage = json!({
        "inputTokens": tokens.read, "outputTokens": tokens.written, "cacheReadTokens": tokens.cached,
        "cacheWriteTokens": 0, "reasoningTokens": tokens.reasoning,
    });
    let metrics = json!({
        "requests": { "count": 1, "cost": 0 }, "usage": usage, "totalNanoAiu": 0,
        "aiCreditsStatus": "unavailable",
    });
    // The same figures stand in it three times.
    let report = json!({
        "totalPremiumRequestCost": 0, "totalUserRequests": 1, "totalNanoAiu": 0,
        "aiCreditsStatus": "unavailable", "totalApiDurationMs": 1, "sessionStartTime": TIME,
        "codeChanges": { "linesAdded": 0, "linesRemoved": 0, "filesModifiedCount": 0, "filesModified": [] },
        "modelMetrics": { MODEL: metrics },
        "agentMetrics": { "main": {
            "totalApiDurationMs": 1, "totalNanoAiu": 0, "modelMetrics": { MODEL: metrics },
        } },
        "providerModelMetrics": [{
            "provider": null, "modelId": MODEL, "metrics": metrics, "modelDisplayName": MODEL,
        }],
        "currentModel": MODEL,
        "lastCallInputTokens": tokens.read, "lastCallOutputTokens": tokens.written,
    });
    format!("{report:#}\n")
}

/// Gives an event that is printed and not kept.
fn passing(kind: &str, data: &Value) -> Value {
    let mut event = event(kind, data);
    event["ephemeral"] = json!(true);
    event
}

fn event(kind: &str, data: &Value) -> Value {
    json!({ "type": kind, "data": data, "id": ID, "timestamp": TIME, "parentId": ID })
}

fn result(code: u8) -> Value {
    json!({
        "type": "result", "timestamp": TIME, "sessionId": ID, "exitCode": code,
        "usage": {
            "premiumRequests": 0, "totalApiDurationMs": 1, "sessionDurationMs": 1,
            "codeChanges": { "linesAdded": 0, "linesRemoved": 0, "filesModified": [] },
        },
    })
}
