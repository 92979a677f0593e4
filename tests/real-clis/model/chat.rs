//! OpenAI's Chat Completions API, for Copilot with a provider of one's own.

use serde_json::{Value, json};

use super::behaviour::{Content, Input, Message};
use super::{Api, list, responses, text, tokens};

/// OpenAI's Chat Completions API.
pub(crate) struct Chat;

impl Api for Chat {
    fn asks(&self, path: &str) -> bool {
        path.ends_with("/chat/completions")
    }

    fn streams(&self, _: &str, request: &Value) -> bool {
        request["stream"] == true
    }

    fn tools(&self, request: &Value) -> Vec<String> {
        let name = |tool: &Value| {
            let kind = text(tool, "/type");
            text(tool, &format!("/{kind}/name")).to_owned()
        };
        list(request, "/tools").iter().map(name).collect()
    }

    fn results(&self, request: &Value) -> usize {
        let messages = list(request, "/messages").iter();
        messages.filter(|message| text(message, "/role") == "tool").count()
    }

    fn user_texts(&self, request: &Value) -> Vec<String> {
        let mut texts = Vec::new();
        for message in list(request, "/messages") {
            if text(message, "/role") != "user" {
                continue;
            }
            texts.extend(message["content"].as_str().map(str::to_owned));
            let parts = list(message, "/content").iter();
            texts.extend(parts.filter_map(|part| part.get("text")?.as_str()).map(str::to_owned));
        }
        texts
    }

    fn whole(&self, message: &Message<'_>) -> Value {
        let (said, finish) = said(message);
        let mut whole = frame(message, "chat.completion");
        whole["choices"] = json!([{ "index": 0, "message": said, "finish_reason": finish }]);
        whole["usage"] = usage();
        whole
    }

    fn events(&self, message: &Message<'_>) -> Vec<(Option<String>, String)> {
        let (mut said, finish) = said(message);
        if let Some(call) = said.pointer_mut("/tool_calls/0") {
            call["index"] = json!(0);
        }
        let chunk = |choices: Value| {
            let mut chunk = frame(message, "chat.completion.chunk");
            chunk["choices"] = choices;
            chunk
        };
        let mut last = chunk(json!([]));
        last["usage"] = usage();
        let chunks = [
            chunk(json!([{ "index": 0, "delta": said, "finish_reason": null }])),
            chunk(json!([{ "index": 0, "delta": {}, "finish_reason": finish }])),
            last,
        ];
        let data = chunks.iter().map(ToString::to_string).chain(["[DONE]".to_owned()]);
        data.map(|data| (None, data)).collect()
    }

    fn error(&self, status: u16) -> Value {
        responses::error(status)
    }
}

fn frame(message: &Message<'_>, object: &str) -> Value {
    let id = format!("chatcmpl-{}", message.number);
    json!({ "id": id, "object": object, "created": 0, "model": message.model })
}

/// Gives the message and why it ends.
fn said(message: &Message<'_>) -> (Value, &'static str) {
    match &message.content {
        Content::Text(text) => (json!({ "role": "assistant", "content": text }), "stop"),
        Content::Tool(tool) => {
            let id = format!("call_{}", message.number);
            let (kind, key) = match tool.input {
                Input::Text(_) => ("custom", "input"),
                Input::Json(_) => ("function", "arguments"),
            };
            let mut call = json!({ "id": id, "type": kind });
            call[kind] = json!({ "name": tool.name });
            call[kind][key] = json!(tool.input.text());
            let said = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
            (said, "tool_calls")
        }
    }
}

/// What was read from the cache is among the prompt, and reasoning among the completion.
fn usage() -> Value {
    let prompt = tokens::FRESH + tokens::CACHE_READ;
    let completion = tokens::ANSWER + tokens::REASONING;
    json!({
        "prompt_tokens": prompt,
        "prompt_tokens_details": { "cached_tokens": tokens::CACHE_READ },
        "completion_tokens": completion,
        "completion_tokens_details": { "reasoning_tokens": tokens::REASONING },
        "total_tokens": prompt + completion,
    })
}
