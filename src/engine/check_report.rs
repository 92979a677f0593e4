//! The report on a run of the project's checks, for reviewer and user: `CHECKS.md`.

use std::fmt::Write as _;

/// What stands in the place of checks where there are none.
const NONE: &str =
    "No checks are configured (`[verify] commands`): nothing was run, and nothing is shown by it.";

/// What a check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It shows that the project works.
    Test,
    /// It looks for weaknesses.
    Security,
}

/// A check that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The command, as it was written.
    pub command: String,
    /// What it is for.
    pub purpose: Purpose,
    /// How it ended.
    pub end: Ended,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
    /// The end of what it printed on standard output.
    pub stdout: String,
    /// The end of what it printed on standard error.
    pub stderr: String,
}

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Well.
    Passed,
    /// Not well, for this reason.
    Failed(String),
}

/// Returns whether every check passed: nothing is red where nothing is checked.
pub fn is_green(checks: &[Checked]) -> bool {
    checks.iter().all(|check| check.end == Ended::Passed)
}

/// Returns whether the report is one of no checks at all.
pub fn is_none(text: &str) -> bool {
    // Before it come the title and the commit; what a check printed comes later.
    text.split("\n\n").nth(2).is_some_and(|part| part.trim_end() == NONE)
}

/// Writes the file. Of what a check printed, the end is kept, at most `most` bytes over all.
pub fn document(checks: &[Checked], commit: &str, most: usize) -> String {
    let mut text =
        format!("# Check report\n\nagentd ran the project's checks on commit {commit}.\n");
    if checks.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{NONE}");
    }
    let share = most / (2 * checks.len().max(1));
    for check in checks {
        let kind = match check.purpose {
            Purpose::Test => "check",
            Purpose::Security => "security check",
        };
        let result = match &check.end {
            Ended::Passed => "PASSED, exit code 0".to_owned(),
            Ended::Failed(reason) => format!("FAILED, {reason}"),
        };
        let seconds = std::time::Duration::from_millis(check.milliseconds).as_secs_f64();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## {}\n\n- kind: {kind}\n- result: {result}\n- seconds: {seconds:.1}\n",
            heading(&check.command)
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
fn heading(command: &str) -> String {
    command.split_whitespace().collect::<Vec<_>>().join(" ")
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

    fn check(end: Ended, stdout: &str) -> Checked {
        Checked {
            command: "cargo\n test".to_owned(),
            purpose: Purpose::Test,
            end,
            milliseconds: 1250,
            stdout: stdout.to_owned(),
            stderr: String::new(),
        }
    }

    #[test]
    fn one_red_check_makes_all_red_and_none_makes_nothing_red() {
        let failed = || check(Ended::Failed("exit code 1".to_owned()), "");
        assert!(is_green(&[]));
        assert!(is_green(&[check(Ended::Passed, "")]));
        assert!(!is_green(&[check(Ended::Passed, ""), failed()]));
        let text = document(&[failed()], "abc", 100);
        assert!(
            text.contains("## cargo test\n\n- kind: check\n- result: FAILED, exit code 1\n"),
            "{text}"
        );
        assert!(document(&[], "abc", 100).contains("nothing was run"));
    }

    #[test]
    fn output_cannot_leave_its_block_and_only_its_end_is_kept() {
        let text = document(&[check(Ended::Passed, "éééééé\n```\nok\n````x")], "abc", 40);
        assert!(text.contains("left out"), "{text}");
        assert!(text.contains("\n`````text\n"), "{text}");
        assert!(text.ends_with("````x\n`````\n- standard error: nothing\n"), "{text}");
    }
}
