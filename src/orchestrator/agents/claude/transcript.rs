//! What Claude Code prints: `system` at the start and on retries, `assistant` and `user` for every message, and one
//! `result` at the end. The result says "success" even where the server failed: `is_error` counts.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::models::usage::UsageMetrics;
use crate::orchestrator::agents::{AgentError, Exit, Progress, Reply, Transcript};
use crate::orchestrator::agents::{failure, json, progress};

/// Reads a run of Claude Code.
#[derive(Default)]
pub(super) struct Reader {
    model: Option<String>,
    result: Option<Value>,
    /// The tools that it wanted to use and that are left out.
    left_out: Vec<String>,
    /// What each message used, which is printed once for each of its parts.
    messages: BTreeMap<String, UsageMetrics>,
    /// What the result says of the whole.
    whole: Option<UsageMetrics>,
    /// The first line that is no JSON.
    noise: Option<String>,
}

impl Transcript for Reader {
    fn line(&mut self, line: &str) -> Option<Progress> {
        let Some(event) = json::object(line) else {
            if self.noise.is_none() && !line.trim().is_empty() {
                self.noise = Some(line.to_owned());
            }
            return None;
        };
        match json::text(&event, "/type") {
            "system" => self.system(&event),
            "assistant" => self.message(&event),
            "user" => {
                let results = json::list(&event, "/message/content").iter();
                self.left_out.extend(results.filter_map(left_out));
                None
            }
            "result" => {
                self.whole = Some(usage(&event));
                self.result = Some(event);
                None
            }
            _ => None,
        }
    }

    fn finish(&mut self, exit: &Exit<'_>) -> Result<Reply, AgentError> {
        let Some(result) = self.result.take() else {
            return Err(failure::without_record(exit, self.noise.as_deref()));
        };
        let text = json::text(&result, "/result");
        let failed = result.pointer("/is_error") != Some(&Value::Bool(false));
        if failed || json::text(&result, "/subtype") != "success" {
            return Err(error(&result, exit));
        }
        if exit.code != 0 {
            // The result is the model's answer then: its words say nothing of why the program failed.
            return Err(failure::without_record(exit, None));
        }
        if text.trim().is_empty() {
            return Err(AgentError::EmptyAnswer);
        }
        if json::count(&result, "/num_turns") == 0 {
            return Err(AgentError::NoFinalRecord);
        }
        let denials = json::list(&result, "/permission_denials").iter();
        let denials = denials.map(|denial| json::text(denial, "/tool_name").to_owned());
        Ok(Reply {
            text: text.to_owned(),
            usage: usage(&result),
            model: self.model.take(),
            denied: self.left_out.drain(..).chain(denials).collect(),
        })
    }

    /// A run that failed may have a result that counts nothing, though messages came before it.
    fn usage(&self, _: Option<&str>) -> Option<UsageMetrics> {
        let mut sum = UsageMetrics::default();
        for message in self.messages.values() {
            sum += message;
        }
        match &self.whole {
            Some(whole) if whole.total() >= sum.total() => Some(whole.clone()),
            // What the messages cost is told by the result alone.
            Some(whole) => Some(UsageMetrics { cost_usd: whole.cost_usd, ..sum }),
            None => Some(sum),
        }
    }
}

impl Reader {
    /// Shows what a message is about, and how much was written so far.
    fn message(&mut self, event: &Value) -> Option<Progress> {
        let told = event.pointer("/message").map(usage).unwrap_or_default();
        let known = self.messages.entry(json::text(event, "/message/id").to_owned()).or_default();
        if told.total() > known.total() {
            *known = told;
        }
        let sum = self.messages.values().map(|message| message.output).sum();
        let shown = json::list(event, "/message/content").iter().find_map(shown)?;
        Some(Progress { output_tokens: (sum > 0).then_some(sum), ..shown })
    }

    fn system(&mut self, event: &Value) -> Option<Progress> {
        match json::text(event, "/subtype") {
            "init" => {
                self.model = Some(json::text(event, "/model").to_owned());
                None
            }
            "api_retry" => {
                let (attempt, most) =
                    (json::count(event, "/attempt"), json::count(event, "/max_retries"));
                let reason = json::text(event, "/error");
                progress::words(&format!("retry {attempt} of {most}: {reason}"))
            }
            _ => None,
        }
    }
}

fn shown(block: &Value) -> Option<Progress> {
    match json::text(block, "/type") {
        "text" => progress::words(json::text(block, "/text")),
        "thinking" => progress::words("thinking"),
        "tool_use" => progress::tool(json::text(block, "/name"), block.pointer("/input")?),
        _ => None,
    }
}

/// Gives the tool that a result says is left out. It is no denial for Claude Code, since nobody was asked.
fn left_out(result: &Value) -> Option<String> {
    let said = json::text(result, "/content");
    let (_, rest) = said.split_once("No such tool available: ")?;
    let (name, why) = rest.split_once(". ")?;
    let is_left_out = ["is disabled for this session", "not enabled in this context"];
    is_left_out.iter().any(|words| why.contains(words)).then(|| name.to_owned())
}

/// Reads what a result or a message says of what was used.
fn usage(result: &Value) -> UsageMetrics {
    UsageMetrics {
        input: json::count(result, "/usage/input_tokens"),
        cache_read: json::count(result, "/usage/cache_read_input_tokens"),
        cache_write: json::count(result, "/usage/cache_creation_input_tokens"),
        output: json::count(result, "/usage/output_tokens"),
        cost_usd: result.pointer("/total_cost_usd").and_then(Value::as_f64),
        ..UsageMetrics::default()
    }
}

/// Says why a run whose result is no success failed.
fn error(result: &Value, exit: &Exit<'_>) -> AgentError {
    let mut message = json::text(result, "/result").to_owned();
    for error in json::list(result, "/errors").iter().filter_map(Value::as_str) {
        message.push_str(if message.is_empty() { "" } else { "; " });
        message.push_str(error);
    }
    if message.is_empty() {
        json::text(result, "/subtype").clone_into(&mut message);
    }
    let status = json::count(result, "/api_error_status");
    failure::by_status(status, &message).unwrap_or_else(|| failure::by_words(&message, exit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_left_out_is_denied_and_one_that_never_was_is_not() {
        let mut reader = Reader::default();
        for said in [
            "No such tool available: Write. Write exists but is not enabled in this context. Use one of the available tools instead.",
            "<tool_use_error>Error: No such tool available: Bash. Bash is disabled for this session, in subagents as well as here.</tool_use_error>",
            "No such tool available: Fly. Use one of the available tools instead.",
            "File does not exist.",
        ] {
            let result = serde_json::json!({
                "type": "user",
                "message": { "content": [{ "type": "tool_result", "is_error": true, "content": said }] },
            });
            reader.line(&result.to_string());
        }
        assert_eq!(reader.left_out, ["Write", "Bash"]);
    }
}
