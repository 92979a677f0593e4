//! Puts an answer or an error into the shape that a real CLI prints: its records, what it says of tokens, and its exit
//! code. With it, every adapter is run as a whole without the CLI that it is for. Nothing in it is taken from a clock.
//!
//! A CLI's file says on each line for what a record is printed: `answer`, `report` (the file of what was used) or `error`. A
//! line `let NAME PATTERN TEXT` says what `$NAME` stands for where the status of an error fits; the first that fits counts.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::models::wildcard::matches;

/// A CLI whose output is spoken; without records it prints the answer as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cli {
    pub(crate) name: &'static str,
    records: Option<&'static str>,
}

/// Every CLI that can be spoken.
pub(crate) const CLIS: [Cli; 5] = [
    Cli { name: "text", records: None },
    Cli { name: "claude", records: Some(include_str!("speak/claude.txt")) },
    Cli { name: "gemini", records: Some(include_str!("speak/gemini.txt")) },
    Cli { name: "codex", records: Some(include_str!("speak/codex.txt")) },
    Cli { name: "copilot", records: Some(include_str!("speak/copilot.txt")) },
];

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

/// The values of variables.
type Values = BTreeMap<String, String>;

/// Returns what a CLI prints when it answers.
pub(crate) fn answer(cli: Cli, prompt: &str, answer: &str) -> Spoken {
    let Some(records) = cli.records else {
        let lines = answer.trim_end().split('\n').map(str::to_owned).collect();
        return Spoken { lines, ..Spoken::default() };
    };
    // At four bytes a token; a quarter of what is read comes from a cache.
    let count = |text: &str| 1 + text.len() / 4;
    let (read, spoken, reasoning) = (count(prompt), count(answer), 7);
    let (cached, written) = (read / 4, spoken + reasoning);
    let middle = answer.char_indices().nth(answer.chars().count() / 2);
    let (first, second) = answer.split_at(middle.map_or(0, |(at, _)| at));
    let quoted = |text: &str| Value::from(text).to_string();
    let mut values = values([
        ("PROMPT", quoted(prompt)),
        ("ANSWER", quoted(answer)),
        ("FIRST", quoted(first)),
        ("SECOND", quoted(second)),
        ("READ", read.to_string()),
        ("CACHED", cached.to_string()),
        ("FRESH", (read - cached).to_string()),
        ("WRITTEN", written.to_string()),
        ("SPOKEN", spoken.to_string()),
        ("REASONING", reasoning.to_string()),
        ("TOTAL", (read + written).to_string()),
    ]);
    let lines = printed(records, "answer", &mut values);
    let report = printed(records, "report", &mut values).pop();
    Spoken { lines, report, ..Spoken::default() }
}

/// Returns what a CLI prints when its model's server answers with an HTTP status.
pub(crate) fn error(cli: Cli, prompt: &str, status: u16) -> Spoken {
    let words = match status {
        401 => "invalid API key",
        403 => "permission denied",
        413 => "request too large",
        429 => "rate limit exceeded",
        529 => "overloaded",
        400..=499 => "invalid request",
        _ => "internal server error",
    };
    let Some(records) = cli.records else {
        let stderr = format!("error {status}: {words}\n");
        return Spoken { stderr, code: 1, ..Spoken::default() };
    };
    let mut values = values([
        ("PROMPT", Value::from(prompt).to_string()),
        ("STATUS", status.to_string()),
        ("WORDS", words.to_owned()),
    ]);
    let lines = printed(records, "error", &mut values);
    // The exit code of Gemini is the status, of which a byte is left.
    let code = if cli.name == "gemini" { status.to_le_bytes()[0] } else { 1 };
    Spoken { lines, code, ..Spoken::default() }
}

fn values<const N: usize>(more: [(&str, String); N]) -> Values {
    let same = [
        ("MODEL", "offline-model"),
        ("ID", "00000000-0000-4000-8000-000000000000"),
        ("TIME", "2026-01-01T00:00:00.000Z"),
    ];
    let same = same.map(|(name, value)| (name, value.to_owned()));
    same.into_iter().chain(more).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Fills in the records that are printed on an occasion.
fn printed(records: &str, occasion: &str, values: &mut Values) -> Vec<String> {
    let mut printed = Vec::new();
    for line in records.lines() {
        let Some((kind, rest)) = line.split_once(' ') else { continue };
        if kind == occasion {
            printed.push(filled(rest, values));
        } else if let Some((name, rest)) = rest.split_once(' ').filter(|_| kind == "let")
            && let Some((pattern, text)) = rest.split_once(' ')
            && let Some(status) = values.get("STATUS")
            && matches(pattern, status)
            && !values.contains_key(name)
        {
            let text = filled(text, values);
            values.insert(name.to_owned(), text);
        }
    }
    printed
}

/// Puts values in place of variables; what a value holds is not looked at again.
fn filled(text: &str, values: &Values) -> String {
    let mut pieces = text.split('$');
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
        let (name, rest) = piece.split_at(piece.find(|c| !is_name(c)).unwrap_or(piece.len()));
        out.push_str(values.get(name).map_or("", String::as_str));
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cli_ends_its_answer_with_a_record_of_its_own() {
        for (cli, expected) in CLIS.into_iter().zip([
            None,
            Some("result"),
            Some("result"),
            Some("turn.completed"),
            Some("result"),
        ]) {
            let spoken = answer(cli, "Add $ID", "Done: $ANSWER.\n<review>PASS</review>\n");
            assert_eq!((spoken.code, spoken.report.is_some()), (0, cli.name == "copilot"));
            let last = spoken.lines.last().unwrap();
            let kind = serde_json::from_str::<Value>(last).ok();
            let kind = kind.as_ref().and_then(|record| record["type"].as_str());
            assert_eq!(kind, expected, "{}", cli.name);
        }
    }

    #[test]
    fn every_record_is_json_with_all_its_values() {
        for cli in CLIS.into_iter().filter(|cli| cli.records.is_some()) {
            let failed =
                [400, 401, 413, 429, 500, 529].map(|status| error(cli, "Go", status).lines);
            let answered = answer(cli, "Go", "Done");
            for line in answered.lines.iter().chain(&answered.report).chain(failed.iter().flatten())
            {
                assert!(serde_json::from_str::<Value>(line).is_ok(), "{}: {line}", cli.name);
                assert!(!line.contains('$') && !line.contains("\"\",\"status\""), "{line}");
            }
        }
    }
}
