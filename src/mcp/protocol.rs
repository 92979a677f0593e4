//! The methods of MCP that a server with tools needs.

use serde_json::{Value, json};

use super::message::{ErrorCode, Message, error, result};
use super::tools;
use crate::handoff::Desk;

/// The versions of the protocol that are served, newest first: for tools they are the same.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// Answers a message.
pub(super) fn answer(
    desk: &Desk<'_>,
    now_ms: &impl Fn() -> u64,
    message: Message,
) -> Option<Value> {
    let Message::Request { id, method, params } = message else { return None };
    Some(match method.as_str() {
        "initialize" => result(id, initialized(&params)),
        "ping" => result(id, json!({})),
        "tools/list" => result(id, json!({ "tools": tools::listed(desk.role) })),
        "tools/call" => match tools::called(desk, now_ms, &params) {
            Ok(outcome) => result(id, outcome),
            Err(message) => error(&id, ErrorCode::InvalidParams, &message),
        },
        _ => {
            let message = format!("there is no method `{}`", method.escape_debug());
            error(&id, ErrorCode::MethodNotFound, &message)
        }
    })
}

/// Agrees on a version: the client's, or where that is unknown the newest of ours, which it may refuse.
fn initialized(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str();
    let version = VERSIONS.iter().find(|version| asked == Some(version)).unwrap_or(&VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": { "listChanged": false } },
        "serverInfo": { "name": "agentd", "version": env!("CARGO_PKG_VERSION") },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_s_version_is_taken_where_it_is_known() {
        for version in VERSIONS {
            let agreed = initialized(&json!({ "protocolVersion": version }));
            assert_eq!(agreed["protocolVersion"], version);
        }
        for params in [json!({ "protocolVersion": "2099-01-01" }), json!({}), json!([1])] {
            assert_eq!(initialized(&params)["protocolVersion"], "2025-11-25", "{params}");
        }
    }
}
