//! What Gemini CLI prints: `init`, the prompt, then pieces of the model's messages between the uses of tools, and a
//! `result` at the end. The final message is what comes after the last tool.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::models::usage::UsageMetrics;
use crate::orchestrator::agents::gathered::Gathered;
use crate::orchestrator::agents::{AgentError, Exit, Progress, Reply, Transcript};
use crate::orchestrator::agents::{failure, json, progress};

/// Exit codes of its own; others are an HTTP status cut to a byte.
const NOT_LOGGED_IN: i32 = 41;
const NOT_TRUSTED: i32 = 55;

/// The tools that write or run commands, which are not there at all where the rules leave them out.
const LEFT_OUT: [&str; 3] = ["replace", "run_shell_command", "write_file"];

/// Reads a run of Gemini CLI.
#[derive(Default)]
pub(super) struct Reader {
    model: Option<String>,
    text: Gathered,
    /// The names of the tools that are in use, by the ids of their uses.
    tools: BTreeMap<String, String>,
    denied: Vec<String>,
    result: Option<Value>,
    used: Option<UsageMetrics>,
}

impl Transcript for Reader {
    fn line(&mut self, line: &str) -> Option<Progress> {
        let event = json::object(line)?;
        match json::text(&event, "/type") {
            "init" => {
                self.model = Some(json::text(&event, "/model").to_owned());
                None
            }
            "message" if json::text(&event, "/role") == "assistant" => {
                let piece = json::text(&event, "/content");
                if event.pointer("/delta") != Some(&Value::Bool(true)) {
                    self.text.clear();
                }
                self.text.push(piece);
                progress::words(piece)
            }
            "tool_use" => {
                self.text.clear();
                let name = json::text(&event, "/tool_name");
                self.tools.insert(json::text(&event, "/tool_id").to_owned(), name.to_owned());
                progress::tool(name, event.pointer("/parameters")?)
            }
            "tool_result" => {
                self.text.clear();
                self.note_denial(&event);
                None
            }
            "error" => progress::words(json::text(&event, "/message")),
            "result" => {
                self.used = Some(usage(&event));
                self.result = Some(event);
                None
            }
            _ => None,
        }
    }

    fn finish(&mut self, exit: &Exit<'_>) -> Result<Reply, AgentError> {
        match (exit.code, self.result.take()) {
            (NOT_LOGGED_IN, _) => {
                Err(AgentError::NotLoggedIn { message: failure::said(reason(exit.stderr)) })
            }
            (NOT_TRUSTED, _) => {
                Err(AgentError::PermissionRefused { message: failure::said(reason(exit.stderr)) })
            }
            (0, None) => Err(AgentError::NoFinalRecord),
            (_, None) => Err(without_record(exit)),
            (0, Some(result)) if json::text(&result, "/status") == "success" => self.reply(&result),
            (_, Some(result)) => Err(error(&result, exit)),
        }
    }

    fn usage(&self, _: Option<&str>) -> Option<UsageMetrics> {
        self.used.clone()
    }
}

impl Reader {
    fn reply(&mut self, result: &Value) -> Result<Reply, AgentError> {
        let text = self.text.take()?;
        if text.trim().is_empty() {
            let asked = result.pointer("/stats/models").and_then(Value::as_object);
            // It does not ask a model about a prompt that it takes for larger than the model's window.
            if asked.is_some_and(serde_json::Map::is_empty) {
                let message = "the agent did not send it to a model".to_owned();
                return Err(AgentError::PromptTooLarge { message });
            }
            return Err(AgentError::EmptyAnswer);
        }
        Ok(Reply {
            text,
            usage: usage(result),
            model: self.model.take(),
            denied: std::mem::take(&mut self.denied),
        })
    }

    /// Notes a tool that was refused: it was used outside the workspace, or the rules leave it out.
    fn note_denial(&mut self, event: &Value) {
        let id = json::text(event, "/tool_id");
        let Some(name) = self.tools.remove(id) else { return };
        let message = json::text(event, "/error/message").to_lowercase();
        let refused =
            ["not in workspace", "denied", "policy"].iter().any(|word| message.contains(word));
        let left_out = json::text(event, "/error/type") == "tool_not_registered"
            && LEFT_OUT.contains(&name.as_str());
        if json::text(event, "/status") == "error" && (refused || left_out) {
            self.denied.push(name);
        }
    }
}

/// The counts of all models together: what is read includes the cache, what is written leaves out the thoughts.
fn usage(result: &Value) -> UsageMetrics {
    let count = |name: &str| json::count(result, &format!("/stats/{name}"));
    let (read, cached) = (count("input_tokens"), count("cached"));
    let output = count("total_tokens").saturating_sub(read).max(count("output_tokens"));
    UsageMetrics {
        input: read.saturating_sub(cached),
        cache_read: cached,
        output,
        reasoning: output - count("output_tokens"),
        ..UsageMetrics::default()
    }
}

/// Says why a run whose result is no success failed.
fn error(result: &Value, exit: &Exit<'_>) -> AgentError {
    let message = json::text(result, "/error/message");
    // Advice may follow, as it does on a limit.
    let (inner, advice) = message
        .strip_prefix("[API Error: ")
        .and_then(|rest| rest.rsplit_once(']'))
        .unwrap_or((message, ""));
    let answer: Value = serde_json::from_str(inner).unwrap_or_default();
    let said = match json::text(&answer, "/error/message") {
        "" => &format!("{inner}{advice}"),
        told => told,
    };
    let told = match json::count(&answer, "/error/code") {
        0 => status(exit.code),
        status => Some(status),
    };
    told.and_then(|status| failure::by_status(status, said))
        .unwrap_or_else(|| failure::by_words(said, exit))
}

/// Says why a run failed that printed no result: by its exit code, with what it printed on standard error.
fn without_record(exit: &Exit<'_>) -> AgentError {
    let said = reason(exit.stderr);
    match status(exit.code).and_then(|status| failure::by_status(status, said)) {
        Some(error) => error,
        None => failure::without_record(&Exit { stderr: said, ..*exit }, None),
    }
}

/// Finds the HTTP status that an exit code was cut from. Those above 511 would be exit codes of any program.
fn status(code: i32) -> Option<u64> {
    let status = u64::try_from(code).ok()? + 256;
    matches!(status, 400..=431 | 500..=511).then_some(status)
}

/// Finds the reason among what it prints on standard error: no stack traces and no remarks on the terminal.
fn reason(stderr: &str) -> &str {
    let remark = |line: &str| {
        line.trim().is_empty()
            || ["Warning:", "Ripgrep", "    at ", "[STARTUP]", "YOLO"]
                .iter()
                .any(|start| line.starts_with(start))
    };
    stderr.lines().find(|line| !remark(line)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_code_is_a_status_only_where_one_was_cut_to_it() {
        for (code, expected) in [
            (145, Some(401)),
            (173, Some(429)),
            (244, Some(500)),
            (1, None),
            (17, None),
            (55, None),
        ] {
            assert_eq!(status(code), expected, "{code}");
        }
    }

    #[test]
    fn a_tool_that_the_rules_leave_out_is_denied_and_one_that_never_was_is_not() {
        let mut reader = Reader::default();
        for name in ["write_file", "fly"] {
            reader.line(&format!(r#"{{"type":"tool_use","tool_id":"{name}_1","tool_name":"{name}","parameters":{{}}}}"#));
            reader.line(&format!(
                r#"{{"type":"tool_result","tool_id":"{name}_1","status":"error","error":{{"type":"tool_not_registered","message":"Tool \"{name}\" not found."}}}}"#
            ));
        }
        assert_eq!(reader.denied, ["write_file"]);
    }
}
