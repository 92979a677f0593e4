//! What the events mean that a program prints: rules, as a file of facts has them or as a configuration describes them.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::json;
use crate::models::agent::{Format, Lines, Shape, UsagePointers};
use crate::models::usage::UsageMetrics;
use crate::models::wildcard::matches;

/// What is at JSON pointers, as patterns.
type Condition = BTreeMap<String, String>;

/// What a program prints.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Printed {
    pub(super) format: Format,
    /// What its events mean. All rules that fit an event are followed, up to one that says how the run ends.
    pub(super) event: Vec<Rule>,
    /// Where the report counts tokens that is written beside what is printed.
    pub(super) report: Option<Report>,
    /// Whether a failure may be told on standard output, in a line that is no event.
    pub(super) fails_on_stdout: bool,
    /// A line of standard error that tells of a tool that was not allowed.
    pub(super) stderr: Option<StderrDenial>,
}

/// A line of standard error that tells of a tool that was not allowed.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StderrDenial {
    pub(super) says: String,
    pub(super) tool: String,
}

/// Where a report counts tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Report {
    /// The list or object whose items are added up.
    each: String,
    usage: UsagePointers,
}

/// What an event means. Every text is a JSON pointer unless it is said to be another.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Rule {
    /// What the event must hold.
    when: Condition,
    /// A list of which each item is looked at in place of the event.
    each: Option<String>,
    /// What an item must hold.
    item: Condition,
    pub(super) model: Option<String>,
    /// The answer, which takes the place of what came before.
    pub(super) text: Option<String>,
    /// Where it is true, the text is added to what came before.
    pub(super) joins: Option<String>,
    /// A list that says, when there is something in it, that the text is not the answer.
    pub(super) unless: Option<String>,
    /// Whether what came before is not the answer.
    pub(super) clears: bool,
    /// What is shown to those who watch, with pointers in braces; `*` in one stands for every item of a list.
    pub(super) shows: Option<String>,
    pub(super) tool: Option<Tool>,
    /// The id of a tool whose use has ended.
    pub(super) ends_tool: Option<String>,
    /// When the tool was not allowed.
    pub(super) denied: Vec<Denial>,
    /// The name of such a tool where it has no id; the first that is there.
    pub(super) denied_tool: Vec<String>,
    pub(super) usage: Option<UsagePointers>,
    /// The message of an error; the first that is there.
    pub(super) error: Vec<String>,
    /// The HTTP status of an error.
    pub(super) status: Option<String>,
    /// Whether an end that came before does not count.
    pub(super) begins: bool,
    pub(super) ends: Option<Ending>,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ending {
    Success,
    /// No model has been asked.
    Unasked,
    /// No model has answered.
    Unanswered,
    Failure,
}

/// The use of a tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) input: String,
}

/// When a tool was not allowed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Denial {
    /// Patterns in small letters.
    when: Condition,
    /// The tools that are not there at all where they are not allowed; for any other it means something else.
    tools: Vec<String>,
}

impl Printed {
    /// Describes what a program prints as a configuration does.
    pub(super) fn described(shape: &Shape) -> Self {
        let of_pointer = |pointer: &String| Condition::from([(pointer.clone(), "*".to_owned())]);
        let mut event = vec![Rule { usage: Some(shape.usage.clone()), ..Rule::default() }];
        event.extend(shape.error.as_ref().map(|error| Rule {
            when: of_pointer(error),
            error: vec![error.clone()],
            ends: Some(Ending::Failure),
            ..Rule::default()
        }));
        event.extend(shape.text.as_ref().map(|text| Rule {
            when: of_pointer(text),
            text: Some(text.clone()),
            // The whole of an event is always there.
            joins: (shape.lines == Lines::Joined).then(String::new),
            shows: Some(format!("{{{text}}}")),
            ends: Some(Ending::Success),
            ..Rule::default()
        }));
        Self { format: shape.output, event, ..Self::default() }
    }
}

impl Rule {
    /// Lists what the rule looks at in an event that it fits.
    pub(super) fn fitting<'v>(&self, event: &'v Value) -> Vec<&'v Value> {
        if !holds(&self.when, event, matches) {
            return Vec::new();
        }
        let Some(each) = &self.each else { return vec![event] };
        json::items(event, each).filter(|item| holds(&self.item, item, matches)).collect()
    }
}

impl Denial {
    /// Returns whether the end of a tool's use says that it was not allowed.
    pub(super) fn is_told(&self, event: &Value, tool: &str) -> bool {
        holds(&self.when, event, |pattern, text| matches(pattern, &text.to_lowercase()))
            && (self.tools.is_empty() || self.tools.iter().any(|name| name == tool))
    }
}

fn holds(condition: &Condition, value: &Value, fits: fn(&str, &str) -> bool) -> bool {
    let is_fitting = |pointer, pattern: &str| {
        json::shown(value, pointer).is_some_and(|text| fits(pattern, &text))
    };
    condition.iter().all(|(pointer, pattern)| is_fitting(pointer, pattern))
}

impl UsagePointers {
    /// Counts what an event tells, which adds to what is known or takes its place.
    pub(super) fn read(&self, event: &Value, known: &UsageMetrics) -> UsageMetrics {
        let there = |at: &Option<String>| {
            let at = at.as_deref()?;
            event.pointer(at).map(|_| json::count(event, at))
        };
        let cache_read = there(&self.cache_read).unwrap_or(known.cache_read);
        let cache_write = there(&self.cache_write).unwrap_or(known.cache_write);
        let mut input = there(&self.input).unwrap_or(known.input);
        let mut output = there(&self.output).unwrap_or(known.output);
        let mut reasoning = there(&self.reasoning).unwrap_or(known.reasoning);
        if let Some(total) = there(&self.total) {
            let written = total.saturating_sub(input).max(output);
            reasoning = written - output;
            output = written;
        }
        if self.input_with_cache {
            input = input.saturating_sub(cache_read + cache_write);
        }
        let cost = self.cost_usd.as_deref().and_then(|at| event.pointer(at)?.as_f64());
        let cost_usd = cost.or(known.cost_usd);
        UsageMetrics { input, cache_read, cache_write, output, reasoning, cost_usd, ..*known }
    }
}

impl Report {
    /// Adds up what a report tells.
    pub(super) fn read(&self, report: &str) -> UsageMetrics {
        let report: Value = serde_json::from_str(report).unwrap_or_default();
        let mut sum = UsageMetrics::default();
        for item in json::items(&report, &self.each) {
            sum += &self.usage.read(item, &UsageMetrics::default());
        }
        sum
    }
}
