//! One run of an agent's program: what is to be run, and how it ended.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

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
    /// A folder that stands in for one of the user's, where the agent takes settings from files only.
    pub overlay: Option<Overlay>,
}

/// The part of a run's folder that is the agent's own: the rest is evidence, which no agent writes.
pub const OWN: &str = "own";

/// A folder of a run that shows what is in a folder of the user's, but for one setting. Whatever else is there are links to
/// the user's own files, and the folder is gone when the run has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The user's folder.
    pub from: PathBuf,
    /// The file of settings below it, JSON with or without comments. What lies beside it is shown too.
    pub settings: PathBuf,
    /// What else in the user's folder is shown.
    pub shown: Vec<PathBuf>,
    /// The keys that lead to the setting.
    pub key: Vec<String>,
    /// What is set.
    pub value: Value,
}

impl Overlay {
    /// Where it is in the run's folder.
    pub const FOLDER: &'static str = "own/overlay";
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
    /// The folder of its own files; of these, what stands in for a folder of the user's is removed at the end.
    pub own: OsString,
    /// Whether that folder holds a grant that it is confined to.
    pub is_confined: bool,
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
