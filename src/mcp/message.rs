//! JSON-RPC 2.0: what a line says, and how it is answered.

use serde_json::{Map, Value, json};

/// A message that came in.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// It wants an answer.
    Request {
        /// By which the answer is known.
        id: Value,
        /// What is asked for.
        method: String,
        /// With what.
        params: Value,
    },
    /// It wants none: a notification, or a response to something that we never asked.
    Silent,
}

/// Why a message is refused, in the numbers of JSON-RPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorCode {
    /// It is no JSON.
    Parse,
    /// It is no message.
    InvalidRequest,
    /// There is no such method.
    MethodNotFound,
    /// The method cannot be called like this.
    InvalidParams,
}

impl ErrorCode {
    const fn number(self) -> i32 {
        match self {
            Self::Parse => -32_700,
            Self::InvalidRequest => -32_600,
            Self::MethodNotFound => -32_601,
            Self::InvalidParams => -32_602,
        }
    }
}

/// Writes the answer to a request.
pub(super) fn result(id: Value, result: Value) -> Value {
    let answer = [("jsonrpc", "2.0".into()), ("id", id), ("result", result)];
    answer.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Writes a refusal; where nobody knows what is refused, the id is null.
pub(super) fn error(id: &Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code.number(), "message": message } })
}

/// Reads a line; what is no message comes back as its refusal.
pub(super) fn incoming(line: &[u8]) -> Result<Message, Value> {
    let invalid = |id: &Value, message| error(id, ErrorCode::InvalidRequest, message);
    let value: Value = serde_json::from_slice(line).map_err(|fault| {
        error(&Value::Null, ErrorCode::Parse, &format!("this is not JSON: {fault}"))
    })?;
    let mut map = match value {
        Value::Object(map) => map,
        Value::Array(_) => {
            return Err(invalid(
                &Value::Null,
                "batches are not supported: send one message per line",
            ));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            return Err(invalid(&Value::Null, "a message is an object"));
        }
    };
    let id = map.remove("id");
    let known = match &id {
        Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
        Some(_) | None => Value::Null,
    };
    if map.get("jsonrpc") != Some(&Value::from("2.0")) {
        return Err(invalid(&known, "`jsonrpc` must be \"2.0\""));
    }
    match (map.remove("method"), id) {
        (Some(Value::String(_)), None) => Ok(Message::Silent),
        (Some(Value::String(_)), Some(_)) if known.is_null() => {
            Err(invalid(&known, "`id` must be text or a number"))
        }
        (Some(Value::String(method)), Some(id)) => {
            let params = map.remove("params").unwrap_or(Value::Object(Map::new()));
            Ok(Message::Request { id, method, params })
        }
        (None, Some(_)) if map.contains_key("result") || map.contains_key("error") => {
            Ok(Message::Silent)
        }
        (_, _) => Err(invalid(&known, "`method` must be text")),
    }
}
