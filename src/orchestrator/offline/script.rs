//! A script for the offline agent: a list of steps, one on each line, with which it misbehaves in a way that a test
//! asks for. Empty lines and lines that begin with `#` are passed over.
//!
//! | step | what it does |
//! |---|---|
//! | `count FILE` | counts this call in `FILE`, one byte a call |
//! | `on N STEP`, `from N STEP` | takes the step in call `N` only, or from call `N` on |
//! | `read`, `close` | reads standard input to its end, or closes it unread |
//! | `stubborn` | ignores SIGTERM from here on |
//! | `play` | plays the phase that the prompt asks for |
//! | `answer TEXT` | answers with a text, in the shape of the CLI that is spoken |
//! | `cut TEXT` | the same, but the last record never comes |
//! | `error STATUS` | fails as the CLI does when the server answers with an HTTP status, and exits |
//! | `say TEXT`, `complain TEXT` | prints a line as it is on standard output or standard error |
//! | `flood STREAM BYTES` | prints so many bytes in lines on `stdout` or `stderr` |
//! | `line STREAM BYTES` | prints so many bytes without a line break |
//! | `garbage BYTES` | prints bytes that are no text |
//! | `write FILE TEXT` | writes a file |
//! | `leave COUNT SECONDS` | leaves processes that hold the pipes open and sleep |
//! | `escape COUNT SECONDS` | the same, each in a session of its own and an orphan at once |
//! | `wait MILLISECONDS`, `hang` | waits for a while, or for ever |
//! | `exit CODE`, `die SIGNAL` | exits with a code, or ends by a signal's number |
//!
//! In a text `\n` is a line break. After the last step the agent exits with 0. Files start at the working folder.

use std::path::PathBuf;

use thiserror::Error;

/// A step, and in which calls it is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) when: When,
    pub(crate) step: Step,
}

/// In which calls a step is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    On(u64),
    From(u64),
}

impl When {
    /// Says whether it is now.
    pub(crate) const fn holds(self, call: u64) -> bool {
        match self {
            Self::Always => true,
            Self::On(wanted) => call == wanted,
            Self::From(first) => call >= first,
        }
    }
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Count(PathBuf),
    Read,
    Close,
    Stubborn,
    Play,
    Answer(String),
    Cut(String),
    Error(u16),
    Say(Stream, String),
    Flood(Stream, u64),
    Line(Stream, u64),
    Garbage(u64),
    Write(PathBuf, String),
    Leave { count: u32, seconds: String },
    Escape { count: u32, seconds: String },
    Wait(u64),
    Hang,
    Exit(u8),
    Die(i32),
}

/// Where something is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// A line that is no step.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line} of the script is no step: `{text}`")]
pub(crate) struct NoStep {
    line: usize,
    text: String,
}

/// Reads a script.
pub(crate) fn read(text: &str) -> Result<Vec<Line>, NoStep> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let steps = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    steps
        .map(|(line, text)| read_line(text).ok_or_else(|| NoStep { line, text: text.to_owned() }))
        .collect()
}

fn read_line(line: &str) -> Option<Line> {
    let (word, rest) = split(line);
    let when = |rest: &str, make: fn(u64) -> When| {
        let (number, step) = split(rest);
        Some(Line { when: make(number.parse().ok()?), step: step_of(step)? })
    };
    match word {
        "on" => when(rest, When::On),
        "from" => when(rest, When::From),
        _ => Some(Line { when: When::Always, step: step_of(line)? }),
    }
}

fn step_of(line: &str) -> Option<Step> {
    let (word, rest) = split(line);
    let (first, second) = split(rest);
    let text = |text: &str| text.replace("\\n", "\n");
    let step = match word {
        "count" => Step::Count(named(rest)?),
        "play" => Step::Play,
        "read" => Step::Read,
        "close" => Step::Close,
        "stubborn" => Step::Stubborn,
        "answer" => Step::Answer(text(rest)),
        "cut" => Step::Cut(text(rest)),
        "error" => Step::Error(rest.parse().ok()?),
        "say" => Step::Say(Stream::Stdout, text(rest)),
        "complain" => Step::Say(Stream::Stderr, text(rest)),
        "flood" => Step::Flood(stream(first)?, second.parse().ok()?),
        "line" => Step::Line(stream(first)?, second.parse().ok()?),
        "garbage" => Step::Garbage(rest.parse().ok()?),
        "write" => Step::Write(named(first)?, text(second)),
        "leave" => Step::Leave { count: first.parse().ok()?, seconds: seconds(second)? },
        "escape" => Step::Escape { count: first.parse().ok()?, seconds: seconds(second)? },
        "wait" => Step::Wait(rest.parse().ok()?),
        "hang" => Step::Hang,
        "exit" => Step::Exit(rest.parse().ok()?),
        "die" => Step::Die(rest.parse().ok()?),
        _ => return None,
    };
    Some(step)
}

fn split(line: &str) -> (&str, &str) {
    line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}

fn named(word: &str) -> Option<PathBuf> {
    (!word.is_empty()).then(|| word.into())
}

fn stream(word: &str) -> Option<Stream> {
    match word {
        "stdout" => Some(Stream::Stdout),
        "stderr" => Some(Stream::Stderr),
        _ => None,
    }
}

/// Takes a number of seconds as it is written, by which a test finds the process that sleeps so long.
fn seconds(word: &str) -> Option<String> {
    let is_number = word.parse::<f64>().is_ok_and(f64::is_finite);
    (is_number && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
        .then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_line_by_line() {
        let text = "# twice\ncount calls\n\non 1 error 429\nfrom 2 answer a\\nb\n  write x y z \nleave 2 3600.5\n";
        let always = |step| Line { when: When::Always, step };
        assert_eq!(
            read(text).unwrap(),
            [
                always(Step::Count("calls".into())),
                Line { when: When::On(1), step: Step::Error(429) },
                Line { when: When::From(2), step: Step::Answer("a\nb".to_owned()) },
                always(Step::Write("x".into(), "y z".to_owned())),
                always(Step::Leave { count: 2, seconds: "3600.5".to_owned() }),
            ]
        );
    }

    #[test]
    fn what_is_no_step_is_named_with_its_line() {
        for wrong in [
            "dance",
            "exit 256",
            "exit",
            "flood up 1",
            "on play",
            "leave 1 ;ls",
            "write",
            "leave 1 inf",
        ] {
            let error = read(&format!("read\n{wrong}")).unwrap_err();
            assert_eq!(error, NoStep { line: 2, text: wrong.to_owned() });
        }
    }
}
