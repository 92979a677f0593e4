//! A script for the offline agent: a list of steps, one per line, with which it misbehaves as a test needs it. Empty
//! lines and lines that start with `#` are ignored.
//!
//! | step | what it does |
//! |---|---|
//! | `count FILE` | counts this call in `FILE`, one byte a call |
//! | `on N STEP`, `from N STEP` | runs the step in call `N` only, or from call `N` on |
//! | `read`, `close` | reads standard input to its end, or closes it unread |
//! | `stubborn` | ignores SIGTERM from here on |
//! | `play` | plays the phase that the prompt asks for |
//! | `answer TEXT` | answers with a text, in the format of the imitated CLI |
//! | `cut TEXT` | the same, but without the last record |
//! | `error STATUS` | fails as the CLI does when the server answers with an HTTP status, and exits |
//! | `say TEXT`, `complain TEXT` | prints a line as it is on standard output or standard error |
//! | `flood STREAM BYTES` | prints so many bytes in lines on `stdout` or `stderr` |
//! | `line STREAM BYTES` | prints so many bytes without a line break |
//! | `garbage BYTES` | prints bytes that are not text |
//! | `write FILE TEXT` | writes a file |
//! | `leave COUNT SECONDS` | leaves processes that hold the pipes open and sleep |
//! | `escape COUNT SECONDS` | the same, each in its own session and orphaned immediately |
//! | `wait MILLISECONDS`, `hang` | waits for a while, or for ever |
//! | `exit CODE`, `die SIGNAL` | exits with a code, or ends by a signal's number |
//!
//! In a text `\n` is a line break. After the last step the agent exits with 0. Files are relative to the working
//! folder.

use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};
use tokio::signal::unix::{SignalKind, signal};

use super::super::failure::{Failure, Kind, Outcome};
use super::super::input;
use super::{OfflineAgent, write};
use crate::files::own;
use crate::orchestrator::OUTBOX;
use crate::orchestrator::offline::speak::{self, Spoken};

/// How much is printed at a time.
const BLOCK: usize = 1 << 16;

/// A step, and the calls in which it runs.
pub(super) struct Line {
    /// The first and the last of these calls.
    calls: (u64, u64),
    step: Step,
}

/// Runs one step.
type Step = Box<dyn Fn(&mut Performance<'_>) -> Outcome>;

/// Reads a script.
pub(super) fn read(text: &str) -> Outcome<Vec<Line>> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let steps = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let no_step = |line: usize, text: &str| {
        Failure::new(Kind::Usage, format!("line {line} of the script is not a step: `{text}`"))
    };
    steps.map(|(line, text)| read_line(text).ok_or_else(|| no_step(line, text))).collect()
}

fn read_line(line: &str) -> Option<Line> {
    let (word, rest) = split(line);
    let (number, after) = split(rest);
    let (calls, step) = match word {
        "on" => (number.parse().map(|call| (call, call)).ok()?, after),
        "from" => (number.parse().map(|call| (call, u64::MAX)).ok()?, after),
        _ => ((0, u64::MAX), line),
    };
    Some(Line { calls, step: step_of(step)? })
}

fn step_of(line: &str) -> Option<Step> {
    let (word, rest) = split(line);
    let (first, second) = split(rest);
    let (text, rest_of_two) = (rest.replace("\\n", "\n"), second.replace("\\n", "\n"));
    Some(match word {
        "count" => {
            let path = named(rest)?;
            Box::new(move |agent| {
                agent.call = count(&path)?;
                Ok(())
            })
        }
        "read" => Box::new(|agent| agent.prompt().map(drop)),
        "close" => Box::new(|_| close_stdin()),
        "stubborn" => Box::new(|_| ignore_sigterm()),
        "play" => Box::new(|agent| {
            let prompt = agent.prompt()?.to_owned();
            agent.agent.play(&prompt)
        }),
        "answer" => Box::new(move |agent| {
            let spoken = agent.spoken(&text)?;
            agent.agent.say(&spoken)
        }),
        "cut" => Box::new(move |agent| {
            let mut spoken = agent.spoken(&text)?;
            spoken.lines.pop();
            agent.agent.say(&spoken)
        }),
        "error" => {
            let status = rest.parse().ok()?;
            Box::new(move |agent| {
                let spoken = speak::error(agent.agent.speak, agent.prompt()?, status);
                agent.agent.say(&spoken)
            })
        }
        "say" => Box::new(move |_| print(Stream::Stdout, format!("{text}\n").as_bytes())),
        "complain" => Box::new(move |_| print(Stream::Stderr, format!("{text}\n").as_bytes())),
        "flood" => {
            let (stream, bytes) = (stream(first)?, second.parse().ok()?);
            let line = [b"x".repeat(1023), b"\n".to_vec()].concat();
            Box::new(move |_| repeat(stream, &line.repeat(BLOCK / 1024), bytes))
        }
        "line" => {
            let (stream, bytes) = (stream(first)?, second.parse().ok()?);
            Box::new(move |_| repeat(stream, &b"x".repeat(BLOCK), bytes))
        }
        "garbage" => {
            let bytes = rest.parse().ok()?;
            let block: Vec<u8> = (0..=u8::MAX).rev().collect();
            Box::new(move |_| repeat(Stream::Stdout, &block, bytes))
        }
        "write" => {
            let path = named(first)?;
            Box::new(move |_| write(&below_outbox(&path), &rest_of_two))
        }
        "leave" => {
            let (count, seconds) = (first.parse().ok()?, seconds(second)?);
            Box::new(move |_| leave(count, &format!("sleep {seconds} &")))
        }
        "escape" => {
            let (count, seconds) = (first.parse().ok()?, seconds(second)?);
            Box::new(move |_| leave(count, &format!("(setsid sleep {seconds} &)")))
        }
        "wait" => {
            let pause = Duration::from_millis(rest.parse().ok()?);
            Box::new(move |_| {
                thread::sleep(pause);
                Ok(())
            })
        }
        "hang" => Box::new(|_| {
            loop {
                thread::sleep(Duration::from_hours(1));
            }
        }),
        "exit" => {
            let code = rest.parse().ok()?;
            Box::new(move |_| Err(Failure::new(Kind::Exit(code), "")))
        }
        "die" => {
            let number = rest.parse().ok()?;
            Box::new(move |_| die(number))
        }
        _ => return None,
    })
}

/// A running script.
pub(super) struct Performance<'a> {
    agent: &'a OfflineAgent,
    /// The number of this call, once counted.
    call: u64,
    /// The prompt, once read.
    prompt: Option<String>,
}

impl<'a> Performance<'a> {
    pub(super) const fn new(agent: &'a OfflineAgent) -> Self {
        Self { agent, call: 0, prompt: None }
    }

    pub(super) fn follow(mut self, lines: &[Line]) -> Outcome {
        for Line { calls: (first, last), step } in lines {
            if (*first..=*last).contains(&self.call) {
                step(&mut self)?;
            }
        }
        Ok(())
    }

    fn prompt(&mut self) -> Outcome<&str> {
        let prompt = match self.prompt.take() {
            Some(prompt) => prompt,
            None => input::instructions("-")?,
        };
        Ok(self.prompt.insert(prompt))
    }

    fn spoken(&mut self, answer: &str) -> Outcome<Spoken> {
        let speak = self.agent.speak;
        Ok(speak::answer(speak, self.prompt()?, answer))
    }
}

/// An output stream.
#[derive(Clone, Copy)]
enum Stream {
    Stdout,
    Stderr,
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

/// Returns a number of seconds as written, by which a test finds the process that sleeps that long.
fn seconds(word: &str) -> Option<String> {
    let is_number = word.parse::<f64>().is_ok_and(f64::is_finite);
    (is_number && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
        .then(|| word.to_owned())
}

/// Returns the path of a file that a script writes: `OUTBOX/…` is below the agent's outbox.
fn below_outbox(path: &Path) -> PathBuf {
    match (path.strip_prefix("OUTBOX"), std::env::var_os(OUTBOX)) {
        (Ok(below), Some(outbox)) => PathBuf::from(outbox).join(below),
        _ => path.to_owned(),
    }
}

/// Counts a call, and returns its number.
fn count(path: &Path) -> Outcome<u64> {
    let counted = || -> io::Result<u64> {
        let mut file = own::append(path)?;
        file.write_all(b".")?;
        Ok(file.metadata()?.len())
    };
    counted().map_err(|error| Failure::io("cannot count in", path, &error))
}

/// Closes standard input: its replacement is at its end, and the writer gets a broken pipe.
fn close_stdin() -> Outcome {
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(nothing.as_fd()).map_err(io::Error::from)?;
    Ok(())
}

/// Ignores SIGTERM: a process with a handler is not ended by it.
fn ignore_sigterm() -> Outcome {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let _inside = runtime.enter();
    let _listening = signal(SignalKind::terminate())?;
    Ok(())
}

fn print(stream: Stream, bytes: &[u8]) -> Outcome {
    match stream {
        Stream::Stdout => {
            let mut stdout = io::stdout().lock();
            stdout.write_all(bytes)?;
            stdout.flush()?;
        }
        Stream::Stderr => io::stderr().lock().write_all(bytes)?,
    }
    Ok(())
}

/// Prints a block repeatedly, until that many bytes are printed.
fn repeat(stream: Stream, block: &[u8], bytes: u64) -> Outcome {
    let mut left = bytes;
    while left > 0 {
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
        print(stream, &block[..length])?;
        left -= length as u64;
    }
    Ok(())
}

/// Makes a shell start processes that outlive it.
fn leave(count: u32, start: &str) -> Outcome {
    let script = vec![start; count as usize].join("\n");
    let started = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).status();
    started.map_err(|error| Failure::io("cannot start", Path::new("sh"), &error))?;
    Ok(())
}

fn die(number: i32) -> Outcome {
    let signal = Signal::from_named_raw(number)
        .ok_or_else(|| Failure::new(Kind::Usage, format!("there is no signal {number}")))?;
    // The first handler may only be Rust's own.
    loop {
        kill_process(getpid(), signal).map_err(io::Error::from)?;
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_line_by_line() {
        let text = "# twice\ncount calls\n\non 1 error 429\nfrom 2 answer a\\nb\n  write x y z \nleave 2 3600.5\n";
        let lines = read(text).unwrap_or_else(|failure| panic!("{}", failure.message));
        let calls: Vec<_> = lines.iter().map(|line| line.calls).collect();
        let always = (0, u64::MAX);
        assert_eq!(calls, [always, (1, 1), (2, u64::MAX), always, always]);
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
            let Err(failure) = read(&format!("read\n{wrong}")) else { panic!("{wrong}") };
            assert_eq!(failure.message, format!("line 2 of the script is not a step: `{wrong}`"));
        }
    }
}
