//! What Copilot prints: many small events, of which messages, tools, errors and the last `result` count here.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::models::usage::UsageMetrics;
use crate::orchestrator::agents::{AgentError, Exit, Progress, Reply, Transcript};
use crate::orchestrator::agents::{failure, json, progress};

/// The tools that write or run commands, which are not there at all where they are not allowed.
const LEFT_OUT: [&str; 3] = ["bash", "create", "edit"];

/// Reads a run of Copilot.
#[derive(Default)]
pub(super) struct Reader {
    text: String,
    model: Option<String>,
    /// The names of the tools that are in use, by the ids of their uses.
    tools: BTreeMap<String, String>,
    denied: Vec<String>,
    error: Option<Value>,
    exit_code: Option<u64>,
}

impl Transcript for Reader {
    fn line(&mut self, line: &str) -> Option<Progress> {
        let event = json::object(line)?;
        let data = event.pointer("/data").unwrap_or(&Value::Null);
        match json::text(&event, "/type") {
            "assistant.message" => self.message(data),
            "tool.execution_start" => {
                let name = json::text(data, "/toolName");
                self.tools.insert(json::text(data, "/toolCallId").to_owned(), name.to_owned());
                progress::tool(name, data.pointer("/arguments")?)
            }
            "tool.execution_complete" => {
                self.note_denial(data);
                None
            }
            "model.call_failure" => progress::words(json::text(data, "/errorMessage")),
            "session.error" => {
                self.error = Some(data.clone());
                None
            }
            "result" => {
                self.exit_code = event.pointer("/exitCode").and_then(Value::as_u64);
                None
            }
            _ => None,
        }
    }

    fn finish(&mut self, exit: &Exit<'_>) -> Result<Reply, AgentError> {
        if let Some(error) =
            self.error.take().filter(|_| exit.code != 0 || self.exit_code != Some(0))
        {
            let message = json::text(&error, "/message");
            let status = json::count(&error, "/statusCode");
            return Err(failure::by_status(status, message)
                .unwrap_or_else(|| failure::by_words(message, exit)));
        }
        if exit.code != 0 || self.exit_code.is_none() {
            return Err(failure::without_record(exit, None));
        }
        if self.exit_code != Some(0) {
            return Err(failure::by_words(exit.stderr, exit));
        }
        if self.text.trim().is_empty() {
            return Err(AgentError::EmptyAnswer);
        }
        Ok(Reply {
            text: std::mem::take(&mut self.text),
            usage: usage(exit.report.unwrap_or_default()),
            model: self.model.take(),
            denied: std::mem::take(&mut self.denied),
        })
    }

    fn usage(&self, report: Option<&str>) -> Option<UsageMetrics> {
        report.map(usage)
    }
}

impl Reader {
    /// Takes a message. One that asks for tools is not the last, whatever it says.
    fn message(&mut self, data: &Value) -> Option<Progress> {
        let text = json::text(data, "/content");
        let model = json::text(data, "/model");
        if !model.is_empty() {
            self.model = Some(model.to_owned());
        }
        self.text.clear();
        if json::list(data, "/toolRequests").is_empty() {
            self.text.push_str(text);
        }
        progress::words(text)
    }

    /// Notes a tool that was refused: it is not allowed, or not there for that reason.
    fn note_denial(&mut self, data: &Value) {
        let id = json::text(data, "/toolCallId");
        let Some(name) = self.tools.remove(id) else { return };
        let left_out = json::text(data, "/error/message").ends_with("does not exist.")
            && LEFT_OUT.contains(&name.as_str());
        if json::text(data, "/error/code") == "denied" || left_out {
            self.denied.push(name);
        }
    }
}

/// Adds up what all models used: what is read includes the cache, what is written includes the reasoning.
fn usage(report: &str) -> UsageMetrics {
    let mut sum = UsageMetrics::default();
    let report: Value = serde_json::from_str(report).unwrap_or_default();
    let models = report.pointer("/modelMetrics").and_then(Value::as_object);
    for model in models.into_iter().flat_map(serde_json::Map::values) {
        let count = |name: &str| json::count(model, &format!("/usage/{name}"));
        let (cache_read, cache_write) = (count("cacheReadTokens"), count("cacheWriteTokens"));
        sum += &UsageMetrics {
            input: count("inputTokens").saturating_sub(cache_read + cache_write),
            cache_read,
            cache_write,
            output: count("outputTokens"),
            reasoning: count("reasoningTokens"),
            ..UsageMetrics::default()
        };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_not_allowed_is_denied_and_one_that_never_was_is_not() {
        let mut reader = Reader::default();
        for (name, code, message) in [
            ("create", "failure", "Tool 'create' does not exist."),
            ("fly", "failure", "Tool 'fly' does not exist."),
            ("edit", "failure", "no match"),
            ("web_fetch", "denied", "Permission denied"),
        ] {
            reader.line(&format!(
                r#"{{"type":"tool.execution_start","data":{{"toolCallId":"{name}_1","toolName":"{name}","arguments":{{}}}}}}"#
            ));
            reader.line(&format!(
                r#"{{"type":"tool.execution_complete","data":{{"toolCallId":"{name}_1","success":false,"error":{{"code":"{code}","message":"{message}"}}}}}}"#
            ));
        }
        assert_eq!(reader.denied, ["create", "web_fetch"]);
    }
}
