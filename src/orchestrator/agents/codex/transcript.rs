//! What Codex prints: `item.…` for every message, command and change of files, then `turn.completed` or `turn.failed`.
//! The final message is the last that the agent wrote. An item of type `error` is a mere warning.

use serde_json::Value;

use crate::models::usage::UsageMetrics;
use crate::orchestrator::agents::{AgentError, Exit, Progress, Reply, Transcript};
use crate::orchestrator::agents::{failure, json, progress};

/// Reads a run of Codex.
#[derive(Default)]
pub(super) struct Reader {
    text: String,
    completed: Option<UsageMetrics>,
    /// What the last turn that came to its end says was used.
    used: Option<UsageMetrics>,
    failed: Option<String>,
    denied: Vec<String>,
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
            "turn.started" => {
                self.completed = None;
                None
            }
            "item.started" | "item.completed" => self.item(&event),
            "turn.completed" => {
                let usage = usage(&event);
                let output_tokens = Some(usage.output);
                self.used = Some(usage.clone());
                self.completed = Some(usage);
                Some(Progress { activity: "done".to_owned(), output_tokens })
            }
            "turn.failed" => {
                self.failed = Some(json::text(&event, "/error/message").to_owned());
                None
            }
            "error" => progress::words(json::text(&event, "/message")),
            _ => None,
        }
    }

    fn finish(&mut self, exit: &Exit<'_>) -> Result<Reply, AgentError> {
        if let Some(message) = self.failed.take() {
            return Err(error(&message, exit));
        }
        let Some(usage) = self.completed.take().filter(|_| exit.code == 0) else {
            return Err(failure::without_record(exit, self.noise.as_deref()));
        };
        if self.text.trim().is_empty() {
            return Err(AgentError::EmptyAnswer);
        }
        let refused = exit.stderr.lines().filter(|line| line.contains("patch rejected"));
        self.denied.extend(refused.map(|_| "apply_patch".to_owned()));
        Ok(Reply {
            text: std::mem::take(&mut self.text),
            usage,
            model: None,
            denied: std::mem::take(&mut self.denied),
        })
    }

    fn usage(&self, _: Option<&str>) -> Option<UsageMetrics> {
        self.used.clone()
    }
}

impl Reader {
    fn item(&mut self, event: &Value) -> Option<Progress> {
        let starts = json::text(event, "/type") == "item.started";
        let item = event.pointer("/item")?;
        match json::text(item, "/type") {
            "agent_message" if !starts => {
                json::text(item, "/text").clone_into(&mut self.text);
                progress::words(&self.text)
            }
            "reasoning" => progress::words(json::text(item, "/text")),
            "error" => progress::words(json::text(item, "/message")),
            "file_change" if starts => {
                let paths =
                    json::list(item, "/changes").iter().map(|change| json::text(change, "/path"));
                progress::words(&format!("edit {}", paths.collect::<Vec<_>>().join(" ")))
            }
            "mcp_tool_call" if starts => {
                let (server, tool) = (json::text(item, "/server"), json::text(item, "/tool"));
                progress::words(&format!("{server} {tool}"))
            }
            kind if starts => progress::tool(kind, item),
            kind => {
                self.note_denial(kind, item);
                None
            }
        }
    }

    /// Notes a command or a server's tool that needed leave, which nobody is there to give.
    fn note_denial(&mut self, kind: &str, item: &Value) {
        let message = json::text(item, "/error/message");
        if json::text(item, "/status") == "declined" || message.contains("requires approval") {
            let tool = json::text(item, "/tool");
            self.denied.push(if tool.is_empty() { kind } else { tool }.to_owned());
        }
    }
}

/// What is read includes the cache, what is written includes the reasoning.
fn usage(event: &Value) -> UsageMetrics {
    let count = |name: &str| json::count(event, &format!("/usage/{name}"));
    let (cache_read, cache_write) =
        (count("cached_input_tokens"), count("cache_write_input_tokens"));
    UsageMetrics {
        input: count("input_tokens").saturating_sub(cache_read + cache_write),
        cache_read,
        cache_write,
        output: count("output_tokens"),
        reasoning: count("reasoning_output_tokens"),
        ..UsageMetrics::default()
    }
}

/// Says why a turn failed. A bad request is told by the server's own answer, any other by its status.
fn error(message: &str, exit: &Exit<'_>) -> AgentError {
    if let Some(answer) = json::object(message) {
        let said = match json::text(&answer, "/error/message") {
            "" => message,
            said => said,
        };
        return failure::by_status(400, said).unwrap_or_else(|| failure::by_words(said, exit));
    }
    let status = message.split("status").nth(1).and_then(|rest| {
        let digits = rest.trim_start_matches([':', ' ']).split(' ').next()?;
        digits.parse().ok()
    });
    status
        .and_then(|status| failure::by_status(status, message))
        .unwrap_or_else(|| failure::by_words(message, exit))
}
