//! OpenAI's Responses API, for Codex.

use serde_json::{Value, json};

use super::behaviour::{Content, Input, Message};
use super::{Api, list, text, tokens};

/// OpenAI's Responses API.
pub(crate) struct Responses;

/// The tool that looks for other tools, and what it gives.
const SEARCH: &str = "tool_search";
const FOUND: &str = "tool_search_output";

impl Api for Responses {
    fn asks(&self, path: &str) -> bool {
        path.ends_with("/responses")
    }

    fn streams(&self, _: &str, request: &Value) -> bool {
        request["stream"] == true
    }

    fn tools(&self, request: &Value) -> Vec<String> {
        let name = |tool: &Value| match text(tool, "/name") {
            "" => text(tool, "/type").to_owned(),
            name => name.to_owned(),
        };
        // Those of servers are in namespaces, and are told of only once they were looked for.
        let found = list(request, "/input").iter().flat_map(|item| list(item, "/tools"));
        let tools = list(request, "/tools").iter().chain(found);
        let names = tools.flat_map(|tool| match list(tool, "/tools") {
            [] => vec![name(tool)],
            inner => inner.iter().map(|inner| format!("{}.{}", name(tool), name(inner))).collect(),
        });
        names.collect()
    }

    fn results(&self, request: &Value) -> usize {
        let items = list(request, "/input").iter().map(|item| text(item, "/type"));
        items.filter(|kind| kind.ends_with("_call_output") || *kind == FOUND).count()
    }

    fn user_texts(&self, request: &Value) -> Vec<String> {
        let items = list(request, "/input").iter();
        let parts = items
            .filter(|item| text(item, "/role") == "user")
            .flat_map(|item| list(item, "/content"));
        parts.filter_map(|part| part.get("text")?.as_str()).map(str::to_owned).collect()
    }

    fn whole(&self, message: &Message<'_>) -> Value {
        // What was read from the cache is among the input, and reasoning among the output.
        let input = tokens::FRESH + tokens::CACHE_READ;
        let output = tokens::ANSWER + tokens::REASONING;
        json!({
            "id": format!("resp_{}", message.number),
            "object": "response",
            "created_at": 0,
            "status": "completed",
            "model": message.model,
            "output": [item(message)],
            "usage": {
                "input_tokens": input,
                "input_tokens_details": { "cached_tokens": tokens::CACHE_READ },
                "output_tokens": output,
                "output_tokens_details": { "reasoning_tokens": tokens::REASONING },
                "total_tokens": input + output,
            },
        })
    }

    fn events(&self, message: &Message<'_>) -> Vec<(Option<String>, String)> {
        let whole = self.whole(message);
        let item = &whole["output"][0];
        let mut opening = whole.clone();
        opening["status"] = json!("in_progress");
        opening["output"] = json!([]);
        opening["usage"] = Value::Null;
        let mut started = item.clone();
        started["status"] = json!("in_progress");
        if started.get("content").is_some() {
            started["content"] = json!([]);
        }
        let mut events = vec![
            json!({ "type": "response.created", "response": opening }),
            json!({ "type": "response.output_item.added", "output_index": 0, "item": started }),
        ];
        if let Content::Text(text) = &message.content {
            let at = |kind: &str| json!({ "type": kind, "item_id": item["id"], "output_index": 0, "content_index": 0 });
            let mut delta = at("response.output_text.delta");
            delta["delta"] = json!(text);
            let mut done = at("response.output_text.done");
            done["text"] = json!(text);
            events.extend([delta, done]);
        }
        events.extend([
            json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
            json!({ "type": "response.completed", "response": whole }),
        ]);
        let numbered = events.into_iter().enumerate().map(|(number, mut event)| {
            event["sequence_number"] = json!(number);
            (Some(text(&event, "/type").to_owned()), event.to_string())
        });
        numbered.collect()
    }

    fn error(&self, status: u16) -> Value {
        error(status)
    }
}

/// The one item of an answer.
fn item(message: &Message<'_>) -> Value {
    let number = message.number;
    match &message.content {
        Content::Text(text) => json!({
            "type": "message",
            "id": format!("msg_{number}"),
            "role": "assistant",
            "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Content::Tool(tool) if tool.name == SEARCH => json!({
            "type": "tool_search_call",
            "id": format!("item_{number}"),
            "call_id": format!("call_{number}"),
            "status": "completed",
            "execution": "client",
            "arguments": tool.input.json(),
        }),
        Content::Tool(tool) => {
            let (kind, key) = match tool.input {
                Input::Text(_) => ("custom_tool_call", "input"),
                Input::Json(_) => ("function_call", "arguments"),
            };
            let mut item = json!({
                "type": kind,
                "id": format!("item_{number}"),
                "call_id": format!("call_{number}"),
                "status": "completed",
                "name": tool.name,
            });
            item[key] = json!(tool.input.text());
            if let Some((namespace, name)) = tool.name.split_once('.') {
                item["namespace"] = json!(namespace);
                item["name"] = json!(name);
            }
            item
        }
    }
}

/// Writes an error as all of OpenAI's APIs do.
pub(super) fn error(status: u16) -> Value {
    let (kind, code) = match status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        429 => ("rate_limit_error", Some("rate_limit_exceeded")),
        _ => ("server_error", None),
    };
    let message = format!("the stub says {status}");
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}
