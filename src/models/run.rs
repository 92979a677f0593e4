//! One run of an agent's program: what is to be run, and how it ended.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A program to run, complete: nothing is added to it later.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invocation {
    /// The program; a name without a slash is looked for in the `PATH` of `env`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment.
    pub env: Vec<(OsString, OsString)>,
    /// What it reads on standard input.
    pub stdin: String,
    /// Files that must be there when it starts, for this run alone.
    pub files: Vec<(PathBuf, String)>,
}

/// What is to be run on a terminal of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaneOrder {
    /// The program; a name without a slash is looked for in the `PATH` of `env`.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Its whole environment, but for what the terminal itself says.
    pub env: Vec<(OsString, OsString)>,
    /// The folder that it runs in.
    pub workspace: OsString,
}

/// How a run ended, as its guard records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndRecord {
    /// The version of this record.
    pub version: u32,
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub milliseconds: u64,
    /// How much it printed on standard output.
    pub stdout_bytes: u64,
    /// How much it printed on standard error.
    pub stderr_bytes: u64,
    /// How many processes were left over and had to be ended.
    pub swept: u32,
    /// Processes that could not be ended.
    pub survivors: Vec<i32>,
}

impl EndRecord {
    /// The version that is written.
    pub const VERSION: u32 = 1;
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum End {
    /// By itself.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// By a signal that did not come from us.
    Killed {
        /// The signal.
        signal: i32,
    },
    /// It took too long, and was ended.
    TimedOut,
    /// It was silent for too long, and was ended.
    Idle,
    /// agentd was interrupted or has gone, and it was ended.
    Cancelled,
    /// It printed too much, and was ended.
    TooMuchOutput,
    /// The program is not there.
    NotFound,
    /// The program is there but cannot be run.
    NotExecutable {
        /// Why.
        reason: String,
    },
}
