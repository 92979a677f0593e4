//! Puts an answer or an error into the shape that a real CLI prints: its records, what it says of tokens, and its exit
//! code. With it, every adapter is run as a whole without the CLI that it is for. Nothing in it is taken from a clock.

mod claude;
mod codex;
mod copilot;
mod gemini;

use serde_json::Value;

/// A CLI whose output is spoken; `Text` is none, the answer as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cli {
    #[default]
    Text,
    Claude,
    Gemini,
    Codex,
    Copilot,
}

impl Cli {
    /// Every CLI, with its name.
    pub(crate) const NAMES: [(&'static str, Self); 5] = [
        ("text", Self::Text),
        ("claude", Self::Claude),
        ("gemini", Self::Gemini),
        ("codex", Self::Codex),
        ("copilot", Self::Copilot),
    ];
}

/// What was asked and answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) answer: &'a str,
}

/// What a CLI prints, and how it exits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spoken {
    /// Standard output, line by line; the last one ends the run.
    pub(crate) lines: Vec<String>,
    /// Standard error.
    pub(crate) stderr: String,
    /// What goes into the file for usage, if the CLI writes one.
    pub(crate) report: Option<String>,
    /// The exit code.
    pub(crate) code: u8,
}

/// Gives what a CLI prints when it answers.
pub(crate) fn answer(cli: Cli, exchange: Exchange<'_>) -> Spoken {
    let records = match cli {
        Cli::Text => {
            let lines = exchange.answer.trim_end().split('\n').map(str::to_owned).collect();
            return Spoken { lines, ..Spoken::default() };
        }
        Cli::Claude => claude::answer(exchange),
        Cli::Gemini => gemini::answer(exchange),
        Cli::Codex => codex::answer(exchange),
        Cli::Copilot => copilot::answer(exchange),
    };
    let report = (cli == Cli::Copilot).then(|| copilot::report(exchange));
    Spoken { lines: lines(&records), report, ..Spoken::default() }
}

/// Gives what a CLI prints when its model's server answers with an HTTP status.
pub(crate) fn error(cli: Cli, prompt: &str, status: u16) -> Spoken {
    let words = words(status);
    let (records, code) = match cli {
        Cli::Text => {
            let stderr = format!("error {status}: {words}\n");
            return Spoken { stderr, code: 1, ..Spoken::default() };
        }
        Cli::Claude => (claude::error(status, words), 1),
        // Its exit code is the status, of which a byte is left.
        Cli::Gemini => (gemini::error(prompt, status, words), status.to_le_bytes()[0]),
        Cli::Codex => (codex::error(status, words), 1),
        Cli::Copilot => (copilot::error(status, words), 1),
    };
    Spoken { lines: lines(&records), code, ..Spoken::default() }
}

fn lines(records: &[Value]) -> Vec<String> {
    records.iter().map(Value::to_string).collect()
}

/// Says what a status means, as servers do.
const fn words(status: u16) -> &'static str {
    match status {
        401 => "invalid API key",
        403 => "permission denied",
        413 => "request too large",
        429 => "rate limit exceeded",
        529 => "overloaded",
        400..=499 => "invalid request",
        _ => "internal server error",
    }
}

/// The model that every CLI names.
const MODEL: &str = "offline-model";

/// The id of every session and record.
const ID: &str = "00000000-0000-4000-8000-000000000000";

/// The time of every record.
const TIME: &str = "2026-01-01T00:00:00.000Z";

/// What an exchange would use, at four bytes a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tokens {
    /// All that is read.
    read: u64,
    /// How much of it comes from a cache.
    cached: u64,
    /// All that is written.
    written: u64,
    /// How much of it is reasoning.
    reasoning: u64,
}

impl Tokens {
    fn of(exchange: Exchange<'_>) -> Self {
        let count = |text: &str| 1 + text.len() as u64 / 4;
        let (read, reasoning) = (count(exchange.prompt), 7);
        let written = count(exchange.answer) + reasoning;
        Self { read, cached: read / 4, written, reasoning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cli_ends_its_answer_with_a_record_of_its_own() {
        let exchange = Exchange { prompt: "Add login", answer: "Done.\n<review>PASS</review>\n" };
        for (name, cli) in Cli::NAMES {
            let spoken = answer(cli, exchange);
            assert_eq!((spoken.code, spoken.report.is_some()), (0, name == "copilot"));
            let last = spoken.lines.last().unwrap();
            let kind = serde_json::from_str::<Value>(last).ok();
            let kind = kind.as_ref().and_then(|record| record["type"].as_str());
            let expected = match cli {
                Cli::Text => None,
                Cli::Claude | Cli::Gemini | Cli::Copilot => Some("result"),
                Cli::Codex => Some("turn.completed"),
            };
            assert_eq!(kind, expected, "{name}");
        }
    }
}
