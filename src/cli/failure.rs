//! How a command fails: with a message that names the thing, what to do next, and an exit code.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anstyle::AnsiColor;

pub(super) use super::exit_codes::Kind;
use crate::output::label::label;
use crate::output::sanitize::safe;
use crate::template::IncludeFault;

/// What a command returns.
pub(super) type Outcome<T = ()> = Result<T, Failure>;

/// Why a command failed.
#[derive(Debug)]
pub(super) struct Failure {
    kind: Kind,
    pub(super) message: String,
    help: Option<String>,
}

impl Failure {
    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None }
    }

    /// Reports that the command line is wrong.
    pub(super) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(Kind::Usage, message).help(help)
    }

    /// Reports that the command cannot run as things stand.
    pub(super) fn precondition(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(Kind::Precondition, message).help(help)
    }

    /// Reports that something at a path could not be read or written.
    pub(super) fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::advised(format!("{what} `{}`: {error}", path.display()), Advice::of_io(error))
    }

    /// Reports that a file of a project or a change cannot be used.
    pub(super) fn fault(fault: &IncludeFault, message: String) -> Self {
        Self::advised(message, Advice::of_fault(fault))
    }

    /// Reports something that is larger than it may be.
    pub(super) fn limit(message: impl Into<String>) -> Self {
        Self::new(Kind::Limit, message).help(AFTER_LIMIT)
    }

    /// Reports a link in a place where agentd writes: it could lead anywhere.
    pub(super) fn link(path: &Path) -> Self {
        let message = format!("`{}` is a link, and may lead out of the project", path.display());
        Self::new(Kind::Outside, message).help("remove it; agentd writes only inside the project")
    }

    fn advised(message: String, Advice { kind, help }: Advice) -> Self {
        Self { kind, message, help }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns what kind of failure it is.
    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns what to do next.
    pub(super) fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// Ends with the exit code of a signal that came before the failure.
    pub(super) fn interrupted_by(mut self, exit_code: u8) -> Self {
        self.kind = Kind::Interrupted(exit_code);
        self
    }

    /// Prints the failure and returns the exit code.
    pub(super) fn report(self) -> ExitCode {
        let after_io = (self.kind == Kind::Io).then(|| AFTER_IO.to_owned());
        if !self.message.is_empty() {
            let mut stderr = anstream::stderr().lock();
            let message = safe(&self.message);
            // Nothing can be done about a standard error that is gone.
            let _ = writeln!(stderr, "{} {message}", label("error", AnsiColor::Red));
            if let Some(text) = self.help.or(after_io) {
                let _ = writeln!(stderr, "{} {}", label("help", AnsiColor::Cyan), safe(&text));
            }
        }
        ExitCode::from(self.kind.exit_code())
    }
}

/// What an error means to whoever typed a command: its kind, and what to do next.
#[derive(Debug)]
pub(super) struct Advice {
    kind: Kind,
    help: Option<String>,
}

impl Kind {
    /// Returns what to do next.
    pub(super) fn advise(self, help: impl Into<String>) -> Advice {
        Advice { kind: self, help: Some(help.into()) }
    }
}

impl From<Kind> for Advice {
    fn from(kind: Kind) -> Self {
        Self { kind, help: None }
    }
}

impl Advice {
    /// Adds what to do next, if that is known.
    pub(super) fn or_help(self, help: Option<String>) -> Self {
        Self { help: self.help.or(help), ..self }
    }

    /// Advises on a failure to read or write. Often nothing is wrong with the machine.
    pub(super) fn of_io(error: &io::Error) -> Self {
        match Kind::of_io(error) {
            Kind::Io => Kind::Io.advise(after_io(error.kind())),
            kind => Self::of_limits(kind),
        }
    }

    /// Advises on a file of a project or a change that cannot be used.
    pub(super) fn of_fault(fault: &IncludeFault) -> Self {
        Self::of_limits(Kind::of_fault(fault))
    }

    /// Advises on what is not what it must be, or too large.
    pub(super) fn of_limits(kind: Kind) -> Self {
        match kind {
            Kind::Outside => kind.advise(AFTER_REFUSAL),
            Kind::Limit => kind.advise(AFTER_LIMIT),
            _ => kind.into(),
        }
    }
}

/// What to do about a machine that does not read or write as it should.
const AFTER_IO: &str =
    "see that the disk has room and that the file may be read and written; then run the same again";

/// What to do about something below `agentd/` that is not what it must be.
const AFTER_REFUSAL: &str = "below `agentd/`, agentd opens only regular files that have one name, and follows no link: see what it is and who made it, then remove it or put a plain copy in its place";

/// What to do about something that is larger than it may be.
const AFTER_LIMIT: &str = "make it smaller or move it away: nothing that large belongs there";

/// Returns what to do about something that could not be read or written.
pub(super) const fn after_io(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "there is no such file or folder: make it, or name another",
        io::ErrorKind::NotADirectory => {
            "there is a file where a folder is needed; move it away, or name another"
        }
        io::ErrorKind::IsADirectory => "it is a folder where a file is needed; name a file",
        io::ErrorKind::AlreadyExists => {
            "there is something of this name already; move it away, or name another"
        }
        _ => AFTER_IO,
    }
}

/// An error of a layer below, with what it means here. Each becomes a [`Failure`] with its own message.
pub(super) trait Advise: std::error::Error {
    /// Returns the kind of the failure, and what to do next.
    fn advice(&self) -> Advice;
}

impl<E: Advise> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::advised(error.to_string(), error.advice())
    }
}

/// An I/O error without a path is one of standard output.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::new(Kind::ClosedPipe, ""),
            _ => Self::new(Kind::Io, format!("cannot write to standard output: {error}")),
        }
    }
}

/// Names what could not be done with which path.
pub(super) trait PathContext<T> {
    /// Fails with `what`, the path and the reason.
    fn or_fail(self, what: &str, path: &Path) -> Outcome<T>;
}

impl<T> PathContext<T> for io::Result<T> {
    fn or_fail(self, what: &str, path: &Path) -> Outcome<T> {
        self.map_err(|error| Failure::io(what, path, &error))
    }
}
