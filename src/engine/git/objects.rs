//! Looking up refs and objects. One git answers for as long as agentd runs, since starting another takes longer than the answer.
//!
//! It looks up each ref anew, however refs are kept, and finds objects that others have written since it began.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Mutex, PoisonError};

use super::command::Call;
use super::error::GitError;
use super::running::Running;

/// The largest object that is read.
const LARGEST: u64 = 64 << 20;

/// A git that looks up what it is asked for. It is started when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Objects(Mutex<Option<Session>>);

/// An object, by any name of it.
#[derive(Debug)]
pub(super) struct Object {
    /// Its full hash.
    pub(super) name: String,
    /// What is in it, if that was asked for.
    pub(super) contents: Vec<u8>,
}

#[derive(Debug)]
struct Session {
    running: Running,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Objects {
    /// Finds the object that a name stands for, if there is one. `call` is a call of git on the repository.
    pub(super) fn find(
        &self,
        name: &str,
        call: impl Fn(&[&'static str]) -> Call<'static>,
    ) -> Result<Option<Object>, GitError> {
        self.ask(&format!("info {name}"), false, call)
    }

    /// Reads the object that a name stands for, if there is one.
    pub(super) fn read(
        &self,
        name: &str,
        call: impl Fn(&[&'static str]) -> Call<'static>,
    ) -> Result<Option<Object>, GitError> {
        self.ask(&format!("contents {name}"), true, call)
    }

    fn ask(
        &self,
        question: &str,
        reads: bool,
        call: impl Fn(&[&'static str]) -> Call<'static>,
    ) -> Result<Option<Object>, GitError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut session) = kept.take() {
            // Somebody may have ended it while it waited. Another one is asked then.
            if let Ok(found) = session.ask(question, reads) {
                *kept = Some(session);
                return Ok(found);
            }
            session.end();
        }
        let mut session = Session::start(call(&["cat-file", "--batch-command"]))?;
        match session.ask(question, reads) {
            Ok(found) => {
                *kept = Some(session);
                Ok(found)
            }
            Err(error) => Err(session.why(error)),
        }
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        let kept = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = kept.take() {
            session.end();
        }
    }
}

impl Session {
    fn start(call: Call<'_>) -> Result<Self, GitError> {
        let mut running = call.converse()?;
        match (running.child.stdin.take(), running.child.stdout.take()) {
            (Some(input), Some(output)) => {
                Ok(Self { running, input, output: BufReader::new(output) })
            }
            _ => Err(running.failed(io::ErrorKind::BrokenPipe.into())),
        }
    }

    fn ask(&mut self, question: &str, reads: bool) -> io::Result<Option<Object>> {
        if question.contains('\n') {
            // No name has a line end.
            return Ok(None);
        }
        self.input.write_all(format!("{question}\n").as_bytes())?;
        let mut line = Vec::new();
        self.output.read_until(b'\n', &mut line)?;
        line.pop_if(|last| *last == b'\n').ok_or(io::ErrorKind::UnexpectedEof)?;
        let line = String::from_utf8_lossy(&line).into_owned();
        // `HASH KIND SIZE`, or the name and what is the matter with it.
        let mut words = line.split(' ');
        let (Some(name), Some(_), Some(Ok(size)), None) =
            (words.next(), words.next(), words.next().map(str::parse::<u64>), words.next())
        else {
            return Ok(None);
        };
        let mut contents = Vec::new();
        if reads {
            if size > LARGEST {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            // A line end follows it.
            self.output.by_ref().take(size + 1).read_to_end(&mut contents)?;
            contents.pop_if(|last| *last == b'\n').ok_or(io::ErrorKind::UnexpectedEof)?;
        }
        Ok(Some(Object { name: name.to_owned(), contents }))
    }

    /// Returns why there was no answer.
    fn why(self, error: io::Error) -> GitError {
        let Self { running, input, output } = self;
        drop((input, output));
        running.failed(error)
    }

    /// Ends git.
    fn end(self) {
        self.running.stop();
    }
}
