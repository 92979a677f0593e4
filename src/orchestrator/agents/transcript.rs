//! Reads what an agent prints, as it prints it, by the rules for its events.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;

use super::bounded_text::BoundedText;
use super::events::{Ending, Printed, Rule};
use super::{AgentError, Cli, Exit, Progress, Reply, failure, json, progress};
use crate::models::agent::Format;
use crate::models::usage::UsageMetrics;

/// Reads what an agent prints, as it prints it.
pub struct Transcript {
    cli: &'static dyn Cli,
    printed: Cow<'static, Printed>,
    run: Run,
}

/// What is known of a run so far.
#[derive(Default)]
struct Run {
    /// The answer; for one JSON value, all that was printed.
    text: BoundedText,
    model: Option<String>,
    /// The names of the tools that are in use, by the ids of their uses.
    tools: BTreeMap<String, String>,
    denied: Vec<String>,
    /// What each part used that tells so.
    parts: BTreeMap<String, UsageMetrics>,
    /// What the whole run used, as far as it tells.
    whole: Option<UsageMetrics>,
    /// The message of an error, and its HTTP status.
    error: Option<(String, u64)>,
    ended: Option<Ending>,
    /// The first line that is no event.
    noise: Option<String>,
}

impl Transcript {
    pub(super) fn new(cli: &'static dyn Cli, printed: Cow<'static, Printed>) -> Self {
        let ended = (printed.format == Format::Text).then_some(Ending::Success);
        Self { cli, printed, run: Run { ended, ..Run::default() } }
    }

    /// Takes the next line of standard output, without its line break; returns what there is to show of it.
    pub fn line(&mut self, line: &str) -> Option<Progress> {
        if self.printed.format == Format::JsonLines {
            return self.run.event_line(&self.printed.event, line);
        }
        self.run.text.push(line);
        self.run.text.push("\n");
        if self.printed.format == Format::Text { progress::words(line) } else { None }
    }

    /// Returns the reply or says why there is none, once the program has exited.
    pub fn finish(&mut self, exit: &Exit<'_>) -> Result<Reply, AgentError> {
        let Self { cli, printed, run } = self;
        let mut malformed = None;
        if printed.format == Format::Json {
            match serde_json::from_str(&run.text.take()?) {
                Ok(value) => drop(run.event(&printed.event, &value)),
                Err(error) => malformed = Some(format!("not JSON: {error}")),
            }
        }
        let told =
            run.error.take().filter(|_| exit.code != 0 || run.ended != Some(Ending::Success));
        let has_failed = exit.code != 0 || matches!(run.ended, None | Some(Ending::Failure));
        if told.is_some() || has_failed {
            let message = told.as_ref().map(|(message, _)| message.as_str());
            if let Some(error) = cli.failure(message, exit) {
                return Err(error);
            }
            // What is no event may be the reason where there is no other.
            let noise = run.noise.as_deref();
            let noise = noise.filter(|_| printed.fails_on_stdout && run.ended.is_none());
            return Err(match (told, malformed) {
                (Some((message, status)), _) => failure::by_status(status, &message)
                    .unwrap_or_else(|| failure::by_words(&message, exit)),
                (None, Some(message)) if exit.code == 0 => AgentError::MalformedOutput { message },
                (None, _) if exit.code == 0 && run.ended.is_some() => {
                    failure::by_words(exit.stderr, exit)
                }
                (None, _) => failure::without_record(exit, noise),
            });
        }
        let mut text = run.text.take()?;
        if printed.format == Format::Text {
            // Each line was given its line break back, the last one too.
            text.pop();
        }
        match run.ended {
            Some(Ending::Unasked) if text.trim().is_empty() => {
                let message = "the agent did not send it to a model".to_owned();
                return Err(AgentError::PromptTooLarge { message });
            }
            _ if text.trim().is_empty() => return Err(AgentError::EmptyAnswer),
            Some(Ending::Unanswered) => return Err(AgentError::NoFinalRecord),
            Some(Ending::Success | Ending::Unasked | Ending::Failure) | None => {}
        }
        if let Some(denial) = &printed.stderr {
            let lines = exit.stderr.lines().filter(|line| line.contains(&denial.says));
            run.denied.extend(lines.map(|_| denial.tool.clone()));
        }
        let usage = match &printed.report {
            Some(report) => report.read(exit.report.unwrap_or_default()),
            None => run.whole.take().unwrap_or_default(),
        };
        let denied = std::mem::take(&mut run.denied);
        Ok(Reply { text, usage, model: run.model.take(), denied })
    }

    /// Returns what was used as far as it was told until now, also where no reply comes of it; `report` is what is in the
    /// run's report. A run that failed may end by counting nothing, though messages came before it.
    pub fn usage(&self, report: Option<&str>) -> Option<UsageMetrics> {
        if let Some(own) = &self.printed.report {
            return report.map(|report| own.read(report));
        }
        let mut sum = UsageMetrics::default();
        self.run.parts.values().for_each(|part| sum += part);
        match &self.run.whole {
            Some(whole) if whole.total() >= sum.total() => Some(whole.clone()),
            // What the parts cost is told by the whole alone.
            Some(whole) => Some(UsageMetrics { cost_usd: whole.cost_usd, ..sum }),
            None => Some(sum),
        }
    }
}

impl Run {
    fn event_line(&mut self, rules: &[Rule], line: &str) -> Option<Progress> {
        match serde_json::from_str::<Value>(line) {
            Ok(event) if event.is_object() || event.is_array() => self.event(rules, &event),
            Ok(_) | Err(_) => {
                if self.noise.is_none() && !line.trim().is_empty() {
                    self.noise = Some(line.to_owned());
                }
                None
            }
        }
    }

    fn event(&mut self, rules: &[Rule], event: &Value) -> Option<Progress> {
        let mut shown = None;
        for rule in rules {
            for value in rule.fitting(event) {
                let has_text = self.take_text(rule, value);
                self.follow(rule, value);
                shown = shown.or_else(|| self.shown(rule, value));
                let Some(ending) = rule.ends.filter(|_| has_text) else { continue };
                // A failure is not undone by what comes after it.
                if self.ended != Some(Ending::Failure) {
                    self.ended = Some(ending);
                }
                return shown;
            }
        }
        shown
    }

    /// Takes a piece of the answer, and returns whether it is there if it should be.
    fn take_text(&mut self, rule: &Rule, value: &Value) -> bool {
        let is_true = |at: &String| {
            value
                .pointer(at)
                .is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
        };
        let text = rule.text.as_deref().and_then(|at| value.pointer(at)?.as_str());
        let is_joined = text.is_some() && rule.joins.as_ref().is_some_and(is_true);
        if rule.clears || (text.is_some() && !is_joined) {
            self.text.clear();
        }
        let is_other =
            rule.unless.as_deref().is_some_and(|at| json::items(value, at).next().is_some());
        if let Some(text) = text.filter(|_| !is_other) {
            self.text.push(text);
        }
        rule.text.is_none() || text.is_some()
    }

    fn follow(&mut self, rule: &Rule, value: &Value) {
        if rule.begins && self.ended != Some(Ending::Failure) {
            self.ended = None;
        }
        let named =
            |at: &String| Some(json::text(value, at).to_owned()).filter(|it| !it.is_empty());
        self.model = rule.model.as_ref().and_then(named).or(self.model.take());
        let mut messages = rule.error.iter().filter_map(|at| json::shown(value, at));
        if let Some(message) = messages.find(|message| !message.is_empty()) {
            let status = rule.status.as_ref().map_or(0, |at| json::count(value, at));
            self.error = Some((message.into_owned(), status));
        }
        if let Some(tool) = &rule.tool
            && let Some(id) = &tool.id
        {
            let name = json::text(value, &tool.name).to_owned();
            self.tools.insert(json::text(value, id).to_owned(), name);
        }
        let tool = match &rule.ends_tool {
            Some(id) => self.tools.remove(json::text(value, id)),
            None => rule.denied_tool.iter().find_map(named),
        };
        let tool = tool.filter(|tool| rule.denied.iter().any(|denial| denial.is_told(value, tool)));
        self.denied.extend(tool);
        if let Some(counts) = &rule.usage {
            match &counts.of {
                Some(part) => {
                    let part = self.parts.entry(json::text(value, part).to_owned()).or_default();
                    let told = counts.read(value, &UsageMetrics::default());
                    if told.total() > part.total() {
                        *part = told;
                    }
                }
                None => {
                    self.whole = Some(counts.read(value, &self.whole.take().unwrap_or_default()));
                }
            }
        }
    }

    /// Returns what there is to show of an event, and how much was written so far.
    fn shown(&self, rule: &Rule, value: &Value) -> Option<Progress> {
        let words =
            rule.shows.as_ref().and_then(|text| progress::words(&json::filled(text, value)));
        let tool = rule.tool.as_ref().and_then(|tool| {
            let input = value.pointer(&tool.input).unwrap_or(&Value::Null);
            progress::tool(json::text(value, &tool.name), input)
        });
        let parts: u64 = self.parts.values().map(|part| part.output).sum();
        let written = self.whole.as_ref().map_or(parts, |whole| whole.output);
        let output_tokens = (written > 0).then_some(written);
        words.or(tool).map(|shown| Progress { output_tokens, ..shown })
    }
}
