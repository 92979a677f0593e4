//! The exit codes, which are a contract with scripts (docs/guide.md), and the kinds of failure that they stand for.

use std::io;

use crate::files::own::Refused;
use crate::template::IncludeFault;

/// The kind of a failure decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The reader of our output has gone, which is not a failure.
    ClosedPipe,
    /// An internal invariant was violated.
    Bug,
    /// The command line is wrong.
    Usage,
    /// A template is wrong, or cannot be found or rendered.
    Template,
    /// The command cannot run in the current state.
    Precondition,
    /// Checks fail before a change, and a person must choose what to do.
    RedBaseline,
    /// An agent failed, or is not installed.
    Agent,
    /// An agent timed out.
    TimedOut,
    /// An answer holds no marker, or its markers are unclear.
    Marker,
    /// A verdict is not PASS, or a task has failed.
    NotPassed,
    /// Another run uses the change.
    Locked,
    /// Reading or writing failed.
    Io,
    /// A limit was exceeded.
    Limit,
    /// A path leads outside its root.
    Outside,
    /// A signal ended the command; it decides the exit code.
    Interrupted(u8),
    /// The offline agent exits like the program that it imitates.
    Exit(u8),
}

impl Kind {
    /// Returns the exit code.
    pub(super) const fn exit_code(self) -> u8 {
        match self {
            Self::ClosedPipe => 0,
            Self::Bug => 1,
            Self::Usage => 2,
            Self::Template => 3,
            Self::Precondition | Self::RedBaseline => 4,
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

    /// Returns the kind of an I/O error.
    pub(super) fn of_io(error: &io::Error) -> Self {
        if Refused::is(error) {
            Self::Outside
        } else if Refused::is_too_large(error) {
            Self::Limit
        } else {
            Self::Io
        }
    }

    /// Returns the kind of a failure to use a file of a project or a change.
    pub(super) const fn of_fault(fault: &IncludeFault) -> Self {
        match fault {
            IncludeFault::Outside | IncludeFault::NotAFile | IncludeFault::Shared => Self::Outside,
            IncludeFault::TooLarge(_) | IncludeFault::TooLargeTogether { .. } => Self::Limit,
            IncludeFault::Unreadable(_) => Self::Io,
        }
    }
}
