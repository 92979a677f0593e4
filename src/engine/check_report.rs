//! The report on a run of the project's checks, for reviewer and user: `CHECKS.md`.

use std::fmt;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::entry::Finished;
use crate::flow::Outcome;
use crate::template::words::words;

/// What stands in the place of checks where there are none.
const NONE: &str =
    "No checks are configured (`[verify] commands`): nothing was run, and nothing is verified.";

/// What stands before the names of files in ignored places.
const NO_COMMIT_HOLDS: &str = "Agents wrote to these places, which git ignores or cannot take. No commit contains these files and no check saw them: \
     they are not part of the change.";
/// How many of them are named.
const MOST_NAMED: usize = 50;

words! {
    /// What a check is for.
    Purpose {
        /// It shows that the project works.
        Test = "test",
        /// It looks for weaknesses.
        Security = "security",
    }
}

/// A check that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The command, as it was written.
    pub command: String,
    /// What it is for.
    pub purpose: Purpose,
    /// Why it failed, if it did.
    pub failure: Option<String>,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// The end of what it printed on standard output.
    pub stdout: String,
    /// The end of what it printed on standard error.
    pub stderr: String,
}

/// What a run of the checks shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckResult {
    /// Nothing: no checks are configured.
    None,
    /// Every check passed.
    Green,
    /// Every check passed, except these: they failed before the change too, and that is tolerated.
    Except(Vec<String>),
    /// A check failed.
    Red,
}

impl CheckResult {
    /// Judges a run. The commands in `tolerated` may fail.
    pub fn of(checks: &[Checked], tolerated: &[String]) -> Self {
        let failed = checks.iter().filter(|check| check.failure.is_some());
        let failed: Vec<_> = failed.map(|check| check.command.clone()).collect();
        if checks.is_empty() {
            Self::None
        } else if failed.is_empty() {
            Self::Green
        } else if failed.iter().all(|command| tolerated.contains(command)) {
            Self::Except(failed)
        } else {
            Self::Red
        }
    }

    /// Returns what a step that ended showed.
    pub(super) fn recorded(finished: &Finished) -> Self {
        let plain = match finished.outcome {
            Outcome::Green => Self::Green,
            _ => Self::Red,
        };
        finished.checks.clone().unwrap_or(plain)
    }

    /// Returns what the result counts as in a flow: what is not red holds nothing up.
    pub const fn outcome(&self) -> Outcome {
        match self {
            Self::None | Self::Green | Self::Except(_) => Outcome::Green,
            Self::Red => Outcome::Red,
        }
    }

    /// Returns the commands that failed and are tolerated.
    pub fn exceptions(&self) -> &[String] {
        match self {
            Self::Except(commands) => commands,
            Self::None | Self::Green | Self::Red => &[],
        }
    }
}

impl fmt::Display for CheckResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none configured"),
            Self::Green => f.write_str("green"),
            Self::Except(commands) => {
                let commands: Vec<_> = commands.iter().map(|command| one_line(command)).collect();
                write!(f, "checked, except {}", commands.join(", "))
            }
            Self::Red => f.write_str("red"),
        }
    }
}

/// What a run of the checks found.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'a> {
    /// The result.
    pub result: &'a CheckResult,
    /// What is expected of checks that failed before the change.
    pub expected: Option<&'a str>,
    /// What agents left in places that git ignores.
    pub ignored: &'a [String],
}

/// Writes the file: what was found, and each check. Of what a check printed, the end is kept, at most `most` bytes over all.
pub fn document(
    checks: &[Checked],
    commit: &str,
    Findings { result, expected, ignored }: Findings<'_>,
    most: usize,
) -> String {
    let mut text =
        format!("# Check report\n\nagentd ran the project's checks on commit {commit}.\n");
    // Writing to a string cannot fail.
    let _ = match result {
        CheckResult::None => writeln!(text, "\n{NONE}"),
        result => writeln!(text, "\nResult: {result}."),
    };
    if let Some(expected) = expected {
        let _ = writeln!(text, "\n{expected}");
    }
    if !ignored.is_empty() {
        let _ = writeln!(text, "\n{NO_COMMIT_HOLDS}\n");
        for path in ignored.iter().take(MOST_NAMED) {
            let _ = writeln!(text, "- `{}`", one_line(path));
        }
        if let Some(more) = ignored.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            let _ = writeln!(text, "- and {more} more");
        }
    }
    let share = most / (2 * checks.len().max(1));
    for check in checks {
        let kind = match check.purpose {
            Purpose::Test => "check",
            Purpose::Security => "security check",
        };
        let result = match &check.failure {
            None => "PASSED, exit code 0".to_owned(),
            Some(reason) => format!("FAILED, {reason}"),
        };
        let seconds = std::time::Duration::from_millis(check.milliseconds).as_secs_f64();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## {}\n\n- kind: {kind}\n- result: {result}\n- seconds: {seconds:.1}\n",
            one_line(&check.command)
        );
        for (name, output) in
            [("standard output", &check.stdout), ("standard error", &check.stderr)]
        {
            text.push_str(&block(name, output, share));
        }
    }
    text
}

/// Shows a command on one line.
pub(super) fn one_line(command: &str) -> String {
    command.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the last lines that a command printed, on standard output and then on standard error.
pub(super) fn last_lines(check: &Checked) -> String {
    const MOST: usize = 10;
    let last = |output: &str| {
        let lines: Vec<_> = output.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(MOST)..].iter().map(|line| cut(line)).collect::<Vec<_>>()
    };
    [last(&check.stdout), last(&check.stderr)].concat().join("\n")
}

/// Shortens a line to what a person can read.
fn cut(line: &str) -> String {
    const MOST: usize = 400;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// Shows the end of an output in a code block that nothing in it can close.
fn block(name: &str, output: &str, most: usize) -> String {
    if output.trim().is_empty() {
        return format!("- {name}: nothing\n");
    }
    let mut start = output.len().saturating_sub(most);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    let left_out = match start {
        0 => String::new(),
        bytes => format!(" (its first {bytes} bytes are left out)"),
    };
    let kept = output[start..].trim_end();
    let longest = kept.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("\n{name}{left_out}:\n\n{fence}text\n{kept}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(failure: Option<&str>, stdout: &str) -> Checked {
        Checked {
            command: "cargo\n test".to_owned(),
            purpose: Purpose::Test,
            failure: failure.map(str::to_owned),
            milliseconds: 1250,
            stdout: stdout.to_owned(),
            stderr: String::new(),
        }
    }

    fn found(result: &CheckResult) -> Findings<'_> {
        Findings { result, expected: None, ignored: &[] }
    }

    #[test]
    fn files_in_ignored_places_are_named_up_to_a_number() {
        let ignored: Vec<_> = (0..52).map(|number| format!("lib/{number}\n# x")).collect();
        let findings = Findings { ignored: &ignored, ..found(&CheckResult::Green) };
        let text = document(&[], "abc", findings, 100);
        assert!(text.contains("\n- `lib/0 # x`\n") && text.ends_with("\n- and 2 more\n"), "{text}");
    }

    #[test]
    fn one_red_check_makes_all_red_and_none_is_not_green() {
        let failed = || check(Some("exit code 1"), "");
        let passed = || check(None, "");
        assert_eq!(CheckResult::of(&[], &[]), CheckResult::None);
        assert_eq!(CheckResult::of(&[passed()], &[]), CheckResult::Green);
        assert_eq!(CheckResult::of(&[passed(), failed()], &[]), CheckResult::Red);
        let outcomes = [CheckResult::None, CheckResult::Green, CheckResult::Red];
        assert_eq!(
            outcomes.map(|result| (result.to_string(), result.outcome())),
            [
                ("none configured".to_owned(), Outcome::Green),
                ("green".to_owned(), Outcome::Green),
                ("red".to_owned(), Outcome::Red)
            ]
        );
        let text = document(&[failed()], "abc", found(&CheckResult::Red), 100);
        assert!(text.contains("\n\nResult: red.\n\n## cargo test\n\n- kind: check\n"), "{text}");
        assert!(text.contains("\n- result: FAILED, exit code 1\n"), "{text}");
        let text = document(&[], "abc", found(&CheckResult::None), 100);
        assert!(text.contains("nothing was run") && !text.contains("green"), "{text}");
    }

    #[test]
    fn a_tolerated_check_is_an_exception_and_any_other_is_red() {
        let named = |command: &str, failure: Option<&str>| Checked {
            command: command.to_owned(),
            ..check(failure, "")
        };
        let failed = |command: &str| named(command, Some("exit code 1"));
        let tolerated = ["old".to_owned()];
        let result = CheckResult::of(&[failed("old"), named("new", None)], &tolerated);
        assert_eq!(result.to_string(), "checked, except old");
        assert_eq!(result.outcome(), Outcome::Green);
        assert_eq!(CheckResult::of(&[failed("old"), failed("new")], &tolerated), CheckResult::Red);
        let repaired = CheckResult::of(&[named("old", None)], &tolerated);
        assert_eq!(repaired, CheckResult::Green);
    }

    #[test]
    fn of_what_a_command_printed_the_last_lines_are_shown() {
        let numbers: Vec<_> = (0..100).map(|number| number.to_string()).collect();
        let printed = Checked { stderr: "x".repeat(5000), ..check(None, &numbers.join("\n")) };
        let lines = last_lines(&printed);
        assert!(lines.starts_with("90\n91\n") && lines.contains("\n99\nxxx"), "{lines}");
        assert!(lines.ends_with("x…") && lines.len() < 500, "{lines}");
    }

    #[test]
    fn output_cannot_leave_its_block_and_only_its_end_is_kept() {
        let text = document(
            &[check(None, "éééééé\n```\nok\n````x")],
            "abc",
            found(&CheckResult::Green),
            40,
        );
        assert!(text.contains("left out"), "{text}");
        assert!(text.contains("\n`````text\n"), "{text}");
        assert!(text.ends_with("````x\n`````\n- standard error: nothing\n"), "{text}");
    }
}
