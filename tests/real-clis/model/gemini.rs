//! Google's Gemini API, for Gemini CLI.

use serde_json::{Value, json};

use super::behaviour::{Content, Message};
use super::{Api, list, text, tokens};

/// Google's Gemini API.
pub(crate) struct Gemini;

impl Api for Gemini {
    fn asks(&self, path: &str) -> bool {
        path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent")
    }

    fn streams(&self, path: &str, _: &Value) -> bool {
        path.ends_with(":streamGenerateContent")
    }

    fn tools(&self, request: &Value) -> Vec<String> {
        let tools =
            list(request, "/tools").iter().flat_map(|tool| list(tool, "/functionDeclarations"));
        tools.map(|tool| text(tool, "/name").to_owned()).collect()
    }

    fn results(&self, request: &Value) -> usize {
        let parts = list(request, "/contents").iter().flat_map(|content| list(content, "/parts"));
        parts.filter(|part| part.get("functionResponse").is_some()).count()
    }

    fn user_texts(&self, request: &Value) -> Vec<String> {
        let contents = list(request, "/contents").iter();
        let parts = contents
            .filter(|content| text(content, "/role") == "user")
            .flat_map(|content| list(content, "/parts"));
        parts.filter_map(|part| part.get("text")?.as_str()).map(str::to_owned).collect()
    }

    fn whole(&self, message: &Message<'_>) -> Value {
        let part = match &message.content {
            Content::Text(text) => json!({ "text": text }),
            Content::Tool(tool) => {
                let id = format!("call_{}", message.number);
                json!({ "functionCall": { "id": id, "name": tool.name, "args": tool.input.json() } })
            }
        };
        // What was read from the cache is among the prompt; thoughts are not among the candidates.
        let prompt = tokens::FRESH + tokens::CACHE_READ;
        json!({
            "candidates": [{
                "index": 0,
                "content": { "role": "model", "parts": [part] },
                "finishReason": "STOP",
            }],
            "usageMetadata": {
                "promptTokenCount": prompt,
                "cachedContentTokenCount": tokens::CACHE_READ,
                "candidatesTokenCount": tokens::ANSWER,
                "thoughtsTokenCount": tokens::REASONING,
                "totalTokenCount": prompt + tokens::ANSWER + tokens::REASONING,
            },
            "modelVersion": message.model,
            "responseId": format!("response_{}", message.number),
        })
    }

    fn events(&self, message: &Message<'_>) -> Vec<(Option<String>, String)> {
        vec![(None, self.whole(message).to_string())]
    }

    fn error(&self, status: u16) -> Value {
        let word = match status {
            401 => "UNAUTHENTICATED",
            404 => "NOT_FOUND",
            429 => "RESOURCE_EXHAUSTED",
            _ => "INTERNAL",
        };
        let message = format!("the stub says {status}");
        json!({ "error": { "code": status, "message": message, "status": word } })
    }
}
