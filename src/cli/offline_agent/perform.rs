//! Follows a script: does what each step says, with the system's own means.

use std::io::{self, Write};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};
use tokio::signal::unix::{SignalKind, signal};

use super::super::failure::{Failure, Kind, Outcome};
use super::super::input;
use super::{OfflineAgent, write};
use crate::files::own;
use crate::orchestrator::offline::script::{Line, Step, Stream};
use crate::orchestrator::offline::speak::{self, Exchange, Spoken};

/// How much is printed at once.
const BLOCK: usize = 1 << 16;

/// A script that is being followed.
pub(super) struct Performance<'a> {
    agent: &'a OfflineAgent,
    /// Which call this is, once it is counted.
    call: u64,
    /// The prompt, once it is read.
    prompt: Option<String>,
}

impl<'a> Performance<'a> {
    pub(super) const fn new(agent: &'a OfflineAgent) -> Self {
        Self { agent, call: 0, prompt: None }
    }

    pub(super) fn follow(mut self, lines: &[Line]) -> Outcome {
        for line in lines {
            if line.when.holds(self.call) {
                self.take(&line.step)?;
            }
        }
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Outcome {
        match step {
            Step::Count(path) => self.call = count(path)?,
            Step::Read => {
                self.prompt()?;
            }
            Step::Close => close_stdin()?,
            Step::Stubborn => ignore_sigterm()?,
            Step::Play => {
                let prompt = self.prompt()?.to_owned();
                self.agent.play(&prompt)?;
            }
            Step::Answer(text) => {
                let spoken = self.spoken(text)?;
                self.agent.say(&spoken)?;
            }
            Step::Cut(text) => {
                let mut spoken = self.spoken(text)?;
                spoken.lines.pop();
                self.agent.say(&spoken)?;
            }
            Step::Error(status) => {
                let spoken = speak::error(self.agent.speak, self.prompt()?, *status);
                self.agent.say(&spoken)?;
            }
            Step::Say(stream, text) => print(*stream, format!("{text}\n").as_bytes())?,
            Step::Flood(stream, bytes) => {
                let line = [b"x".repeat(1023), b"\n".to_vec()].concat();
                repeat(*stream, &line.repeat(BLOCK / 1024), *bytes)?;
            }
            Step::Line(stream, bytes) => repeat(*stream, &b"x".repeat(BLOCK), *bytes)?,
            Step::Garbage(bytes) => {
                let block: Vec<u8> = (0..=u8::MAX).rev().collect();
                repeat(Stream::Stdout, &block, *bytes)?;
            }
            Step::Write(path, text) => write(path, text)?,
            Step::Leave { count, seconds } => leave(*count, &format!("sleep {seconds} &"))?,
            Step::Escape { count, seconds } => {
                leave(*count, &format!("(setsid sleep {seconds} &)"))?;
            }
            Step::Wait(milliseconds) => thread::sleep(Duration::from_millis(*milliseconds)),
            Step::Hang => loop {
                thread::sleep(Duration::from_hours(1));
            },
            Step::Exit(code) => return Err(Failure::new(Kind::Exit(*code), "")),
            Step::Die(number) => die(*number)?,
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
        Ok(speak::answer(speak, Exchange { prompt: self.prompt()?, answer }))
    }
}

/// Counts a call, and gives its number.
fn count(path: &Path) -> Outcome<u64> {
    let counted = || -> io::Result<u64> {
        let mut file = own::append(path)?;
        file.write_all(b".")?;
        Ok(file.metadata()?.len())
    };
    counted().map_err(|error| Failure::io("cannot count in", path, &error))
}

/// Closes standard input: what stands in its place is at its end, and the other side has nobody to write to.
fn close_stdin() -> Outcome {
    let nothing = std::fs::File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(nothing.as_fd()).map_err(io::Error::from)?;
    Ok(())
}

/// Lets SIGTERM come to nothing: whoever listens once is never ended by it.
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

/// Prints a block again and again, until so many bytes are printed.
fn repeat(stream: Stream, block: &[u8], bytes: u64) -> Outcome {
    let mut left = bytes;
    while left > 0 {
        let length = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
        print(stream, &block[..length])?;
        left -= length as u64;
    }
    Ok(())
}

/// Has a shell start processes that outlive it.
fn leave(count: u32, start: &str) -> Outcome {
    let script = vec![start; count as usize].join("\n");
    let started = Command::new("sh").args(["-c", &script]).stdin(Stdio::null()).status();
    started.map_err(|error| Failure::io("cannot start", Path::new("sh"), &error))?;
    Ok(())
}

fn die(number: i32) -> Outcome {
    let signal = Signal::from_named_raw(number)
        .ok_or_else(|| Failure::new(Kind::Usage, format!("there is no signal {number}")))?;
    // The first may only undo a handler of Rust's own.
    loop {
        kill_process(getpid(), signal).map_err(io::Error::from)?;
        thread::sleep(Duration::from_millis(10));
    }
}
