//! What a described program prints: the answer itself, or JSON in which the configuration says where things are.

use serde_json::Value;

use crate::models::agent::{Format, Lines, Shape};
use crate::models::usage::UsageMetrics;
use crate::orchestrator::agents::gathered::Gathered;
use crate::orchestrator::agents::{AgentError, Exit, Progress, Reply, Transcript};
use crate::orchestrator::agents::{failure, json, progress};

/// Reads a run of a described program.
pub(super) struct Reader {
    shape: Shape,
    /// The answer so far; for one JSON value, all that was printed.
    text: Gathered,
    /// Whether there was anything in the place where the answer is.
    found: bool,
    error: Option<String>,
    usage: UsageMetrics,
}

impl Reader {
    pub(super) fn new(shape: Shape) -> Self {
        let usage = UsageMetrics::default();
        Self { shape, text: Gathered::default(), found: false, error: None, usage }
    }

    /// Looks into a JSON value for what the shape points at.
    fn look(&mut self, value: &Value) {
        let at = |pointer: &Option<String>| pointer.as_deref().and_then(|path| value.pointer(path));
        let count = |pointer: &Option<String>, known: u64| {
            let there = pointer.as_deref().filter(|path| value.pointer(path).is_some());
            there.map_or(known, |path| json::count(value, path))
        };
        if let Some(text) = at(&self.shape.text).and_then(Value::as_str) {
            match self.shape.lines {
                Lines::Last => self.text.clear(),
                Lines::Joined => {}
            }
            self.text.push(text);
            self.found = true;
        }
        if let Some(error) = at(&self.shape.error).filter(|error| !error.is_null()) {
            let message = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
            self.error = Some(message);
        }
        let pointers = &self.shape.usage;
        self.usage = UsageMetrics {
            input: count(&pointers.input, self.usage.input),
            cache_read: count(&pointers.cache_read, self.usage.cache_read),
            cache_write: count(&pointers.cache_write, self.usage.cache_write),
            output: count(&pointers.output, self.usage.output),
            reasoning: count(&pointers.reasoning, self.usage.reasoning),
            cost_usd: at(&pointers.cost_usd).and_then(Value::as_f64).or(self.usage.cost_usd),
            duration: self.usage.duration,
        };
    }
}

impl Transcript for Reader {
    fn line(&mut self, line: &str) -> Option<Progress> {
        match self.shape.output {
            Format::Text | Format::Json => {
                self.text.push(line);
                self.text.push("\n");
                if self.shape.output == Format::Text { progress::words(line) } else { None }
            }
            Format::JsonLines => {
                let value = serde_json::from_str(line).ok()?;
                self.look(&value);
                progress::words(json::text(&value, self.shape.text.as_deref()?))
            }
        }
    }

    fn finish(&mut self, exit: &Exit<'_>) -> Result<Reply, AgentError> {
        let mut malformed = None;
        if self.shape.output == Format::Json {
            match serde_json::from_str(&self.text.take()?) {
                Ok(value) => self.look(&value),
                Err(error) => malformed = Some(format!("no JSON: {error}")),
            }
        }
        if let Some(message) = self.error.take() {
            return Err(failure::by_words(&message, exit));
        }
        if exit.code != 0 {
            return Err(failure::without_record(exit, None));
        }
        if let Some(message) = malformed {
            return Err(AgentError::MalformedOutput { message });
        }
        if self.shape.output != Format::Text && !self.found {
            return Err(AgentError::NoFinalRecord);
        }
        let mut text = self.text.take()?;
        if self.shape.output == Format::Text {
            // Each line was given its line break back, the last one too.
            text.pop();
        }
        if text.trim().is_empty() {
            return Err(AgentError::EmptyAnswer);
        }
        Ok(Reply { text, usage: self.usage.clone(), ..Reply::default() })
    }

    fn usage(&self, _: Option<&str>) -> Option<UsageMetrics> {
        Some(self.usage.clone())
    }
}
