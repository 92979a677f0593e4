//! Anthropic's Messages API, for Claude Code.

use serde_json::{Value, json};

use super::behaviour::{Content, Message};
use super::{Api, list, text, tokens};

/// Anthropic's Messages API.
pub(crate) struct Anthropic;

impl Api for Anthropic {
    fn asks(&self, path: &str) -> bool {
        path.ends_with("/messages")
    }

    fn streams(&self, _: &str, request: &Value) -> bool {
        request["stream"] == true
    }

    fn tools(&self, request: &Value) -> Vec<String> {
        list(request, "/tools").iter().map(|tool| text(tool, "/name").to_owned()).collect()
    }

    fn results(&self, request: &Value) -> usize {
        let blocks =
            list(request, "/messages").iter().flat_map(|message| list(message, "/content"));
        blocks.filter(|block| text(block, "/type") == "tool_result").count()
    }

    fn user_texts(&self, request: &Value) -> Vec<String> {
        let mut texts = Vec::new();
        for message in list(request, "/messages") {
            if text(message, "/role") != "user" {
                continue;
            }
            texts.extend(message["content"].as_str().map(str::to_owned));
            let blocks = list(message, "/content").iter();
            texts.extend(blocks.filter_map(|block| block.get("text")?.as_str()).map(str::to_owned));
        }
        texts
    }

    fn whole(&self, message: &Message<'_>) -> Value {
        let (block, stop) = match &message.content {
            Content::Text(text) => (json!({ "type": "text", "text": text }), "end_turn"),
            Content::Tool(tool) => {
                let id = format!("toolu_{}", message.number);
                let input = tool.input.json();
                let block =
                    json!({ "type": "tool_use", "id": id, "name": tool.name, "input": input });
                (block, "tool_use")
            }
        };
        json!({
            "id": format!("msg_{}", message.number),
            "type": "message",
            "role": "assistant",
            "model": message.model,
            "content": [block],
            "stop_reason": stop,
            "stop_sequence": null,
            "usage": usage(),
        })
    }

    fn events(&self, message: &Message<'_>) -> Vec<(Option<String>, String)> {
        let whole = self.whole(message);
        let mut opening = whole.clone();
        opening["content"] = json!([]);
        opening["stop_reason"] = Value::Null;
        let mut start = whole["content"][0].clone();
        let delta = match &message.content {
            Content::Text(text) => {
                start["text"] = json!("");
                json!({ "type": "text_delta", "text": text })
            }
            Content::Tool(tool) => {
                start["input"] = json!({});
                json!({ "type": "input_json_delta", "partial_json": tool.input.text() })
            }
        };
        let stop = json!({ "stop_reason": whole["stop_reason"], "stop_sequence": null });
        [
            json!({ "type": "message_start", "message": opening }),
            json!({ "type": "content_block_start", "index": 0, "content_block": start }),
            json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": stop, "usage": usage() }),
            json!({ "type": "message_stop" }),
        ]
        .map(|event| (Some(text(&event, "/type").to_owned()), event.to_string()))
        .to_vec()
    }

    fn error(&self, status: u16) -> Value {
        let kind = match status {
            401 => "authentication_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            _ => "api_error",
        };
        let message = format!("the stub says {status}");
        json!({ "type": "error", "error": { "type": kind, "message": message } })
    }
}

/// What was read from the cache and into it is not among the input.
fn usage() -> Value {
    json!({
        "input_tokens": tokens::FRESH,
        "cache_creation_input_tokens": tokens::CACHE_WRITE,
        "cache_read_input_tokens": tokens::CACHE_READ,
        "output_tokens": tokens::ANSWER + tokens::REASONING,
    })
}
