//! How a command fails: with a message that names the object, what to do next, and an exit code.

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

    /// Reports that the command cannot run in the current state.
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

    /// Reports something that exceeds its size limit.
    pub(super) fn limit(message: impl Into<String>) -> Self {
        Self::new(Kind::Limit, message).help(AFTER_LIMIT)
    }

    /// Reports a link in a place where agentd writes: it could lead anywhere.
    pub(super) fn link(path: &Path) -> Self {
        let message = format!("`{}` is a link, and may lead outside the project", path.display());
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

    /// Returns the failure with the exit code of a signal that came before it.
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
            // Nothing can be done if standard error is gone.
            let _ = writeln!(stderr, "{} {message}", label("error", AnsiColor::Red));
            if let Some(text) = self.help.or(after_io) {
                let _ = writeln!(stderr, "{} {}", label("help", AnsiColor::Cyan), safe(&text));
            }
        }
        ExitCode::from(self.kind.exit_code())
    }
}

/// What an error means on the command line: its kind, and what to do next.
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
    /// Adds what to do next, if known.
    pub(super) fn or_help(self, help: Option<String>) -> Self {
        Self { help: self.help.or(help), ..self }
    }

    /// Advises on an I/O error. Often the machine is fine.
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

    /// Advises on something of the wrong kind, or too large.
    pub(super) fn of_limits(kind: Kind) -> Self {
        match kind {
            Kind::Outside => kind.advise(AFTER_REFUSAL),
            Kind::Limit => kind.advise(AFTER_LIMIT),
            _ => kind.into(),
        }
    }
}

/// The advice for a failing disk or file system.
const AFTER_IO: &str = "check that the disk has space and that the file can be read and written; then run the same command again";

/// The advice for something below `agentd/` that is not what it must be.
const AFTER_REFUSAL: &str = "below `agentd/`, agentd opens only regular files with a single name, and follows no link: check what it is and who created it, then remove it or replace it with a plain copy";

/// The advice for something that is too large.
const AFTER_LIMIT: &str = "make it smaller or move it away: nothing that large belongs there";

/// Returns the advice for an I/O error.
pub(super) const fn after_io(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::NotFound => "there is no such file or folder: create it, or name another",
        io::ErrorKind::NotADirectory => {
            "a file is in the place of a folder; move it away, or name another"
        }
        io::ErrorKind::IsADirectory => "a folder is in the place of a file; name a file",
        io::ErrorKind::AlreadyExists => {
            "the name is already taken; move that file away, or choose another name"
        }
        _ => AFTER_IO,
    }
}

/// An error of a lower layer, with what it means on the command line. Each becomes a [`Failure`] with its own message.
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

/// Adds to an I/O error what failed and with which path.
pub(super) trait PathContext<T> {
    /// Fails with `what`, the path and the reason.
    fn or_fail(self, what: &str, path: &Path) -> Outcome<T>;
}

impl<T> PathContext<T> for io::Result<T> {
    fn or_fail(self, what: &str, path: &Path) -> Outcome<T> {
        self.map_err(|error| Failure::io(what, path, &error))
    }
}
