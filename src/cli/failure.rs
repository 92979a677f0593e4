//! How a command fails: with a message that names the thing, help, and an exit code that is a contract.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};

use super::run_failure::unusable;
use crate::config::ConfigError;
use crate::files::own::Refused;
use crate::models::envelope::EnvelopeError;
use crate::orchestrator::prompts::TemplateNotFound;
use crate::output::secrets::hide;
use crate::output::visible::visible;
use crate::prompt::PromptError;
use crate::prompt::project::ProjectPromptError;
use crate::template::RenderError;

/// What to do about a machine that does not read or write as it should.
const AFTER_IO: &str =
    "see that the disk has room and that the file may be read and written; then run the same again";

/// What to do about something below `agentd/` that is not what it must be.
pub(super) const AFTER_REFUSAL: &str = "below `agentd/`, agentd opens only regular files that have one name, and follows no link: see what it is and who made it, then remove it or put a plain copy in its place";

/// What to do about something that is larger than it may be.
pub(super) const AFTER_LIMIT: &str =
    "make it smaller or move it away: nothing that large belongs there";

/// Returns the kind of a failure to read or write.
pub(super) fn io_kind(error: &io::Error) -> Kind {
    if Refused::is(error) {
        Kind::Outside
    } else if Refused::is_too_large(error) {
        Kind::Limit
    } else {
        Kind::Io
    }
}

/// Says what to do about something that could not be read or written. Often nothing is wrong with the machine.
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

/// What a command gives back.
pub(super) type Outcome<T = ()> = Result<T, Failure>;

/// Why a command failed.
#[derive(Debug)]
pub(super) struct Failure {
    kind: Kind,
    pub(super) message: String,
    help: Option<String>,
}

/// The kind of a failure decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whoever read our output has gone, which is no failure.
    ClosedPipe,
    /// Something that cannot happen has happened.
    Bug,
    /// The command line is wrong.
    Usage,
    /// A template is wrong, or cannot be found or rendered.
    Template,
    /// The command cannot run as things stand.
    Precondition,
    /// An agent failed, or is not there.
    Agent,
    /// An agent took too long.
    TimedOut,
    /// An answer holds no marker, or it is not clear what it says.
    Marker,
    /// A verdict is not PASS, or a task has failed.
    NotPassed,
    /// Another run has the change.
    Locked,
    /// Reading or writing failed.
    Io,
    /// A limit was exceeded.
    Limit,
    /// A path leads out of its root.
    Outside,
    /// A signal asked for an end; the exit code tells which.
    Interrupted(u8),
    /// The offline agent ends as the program that it plays.
    Exit(u8),
}

impl Kind {
    const fn exit_code(self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Bug => 1,
            Self::Usage => 2,
            Self::Template => 3,
            Self::Precondition => 4,
            Self::Agent => 5,
            Self::TimedOut => 6,
            Self::Marker => 7,
            Self::NotPassed => 8,
            Self::Locked => 9,
            Self::Io => 10,
            Self::Limit => 11,
            Self::Outside => 12,
            Self::Interrupted(code) | Self::Exit(code) => code,
        }
    }
}

impl Failure {
    /// Returns what kind of failure it is.
    pub(super) const fn kind(&self) -> Kind {
        self.kind
    }

    pub(super) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), help: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Gives what to do next.
    pub(super) fn help_text(&self) -> Option<&str> {
        self.help.as_deref()
    }

    pub(super) fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::of_io(format!("{what} `{}`: {error}", path.display()), error)
    }

    /// Tells that reading or writing failed, and why.
    pub(super) fn of_io(message: String, error: &io::Error) -> Self {
        let help = match io_kind(error) {
            Kind::Outside => AFTER_REFUSAL,
            Kind::Limit => AFTER_LIMIT,
            _ => after_io(error.kind()),
        };
        Self::new(io_kind(error), message).help(help)
    }

    /// Tells that something below `agentd/` is not what it must be.
    pub(super) fn refused(message: String) -> Self {
        Self::new(Kind::Outside, message).help(AFTER_REFUSAL)
    }

    /// A link could lead anywhere, and agentd writes below it.
    pub(super) fn link(path: &Path) -> Self {
        let message = format!("`{}` is a link, and may lead out of the project", path.display());
        Self::new(Kind::Outside, message).help("remove it; agentd writes only inside the project")
    }

    /// Gives the failure the exit code of a signal that came before it.
    pub(super) fn interrupted_by(mut self, exit_code: u8) -> Self {
        self.kind = Kind::Interrupted(exit_code);
        self
    }

    /// Tells the user and gives the exit code.
    pub(super) fn report(mut self) -> ExitCode {
        if self.kind == Kind::Io && self.help.is_none() {
            self.help = Some(AFTER_IO.to_owned());
        }
        if !self.message.is_empty() {
            let styled = |color: AnsiColor| Style::new().bold().fg_color(Some(color.into()));
            let (error, help) = (styled(AnsiColor::Red), styled(AnsiColor::Cyan));
            let mut stderr = anstream::stderr().lock();
            // Nothing can be done about a standard error that is gone.
            let _ = writeln!(stderr, "{error}error:{error:#} {}", visible(&hide(&self.message)));
            if let Some(text) = self.help {
                let _ = writeln!(stderr, "{help}help:{help:#} {}", visible(&hide(&text)));
            }
        }
        ExitCode::from(self.kind.exit_code())
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

impl From<TemplateNotFound> for Failure {
    fn from(error: TemplateNotFound) -> Self {
        Self::new(Kind::Template, format!("TemplateNotFound: {error}")).help(error.help)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        let message = error.to_string();
        match error {
            RenderError::MissingValue { name, .. } => Self::new(Kind::Template, message)
                .help(format!("give it with `--var {name}=VALUE`")),
            RenderError::MissingInclude { .. } => Self::new(Kind::Template, message)
                .help("includes are read from the folder given with `--session DIR`"),
            RenderError::Unlinked { .. } => Self::new(Kind::Template, message),
            RenderError::Include { fault, .. } => unusable(&fault, message),
        }
    }
}

impl From<PromptError> for Failure {
    fn from(error: PromptError) -> Self {
        let message = error.to_string();
        match error {
            PromptError::Render(error) => error.into(),
            PromptError::Section { .. } => Self::new(Kind::Usage, message),
            PromptError::Tool(_) => Self::new(Kind::Precondition, message),
            PromptError::Project(ProjectPromptError::Unreadable { source, .. }) => {
                Self::of_io(message, &source)
            }
            PromptError::Project(ProjectPromptError::Invalid { .. }) => {
                Self::new(Kind::Template, message)
            }
        }
    }
}

impl From<EnvelopeError> for Failure {
    fn from(error: EnvelopeError) -> Self {
        Self::new(Kind::Bug, format!("the prompt's document is wrong: {error}"))
            .help("this is a bug in agentd: please report it with the command line")
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let kind = match &error {
            ConfigError::Faults(_) | ConfigError::UnknownAgent { .. } => Kind::Precondition,
            ConfigError::Unreadable { is_refused: true, .. } => {
                return Self::refused(error.to_string());
            }
            ConfigError::Unreadable { kind: io::ErrorKind::FileTooLarge, .. } => {
                return Self::new(Kind::Limit, error.to_string()).help(AFTER_LIMIT);
            }
            ConfigError::Unreadable { kind, .. } => {
                return Self::new(Kind::Io, error.to_string()).help(after_io(*kind));
            }
        };
        let failure = Self::new(kind, error.to_string());
        match error.help() {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}
