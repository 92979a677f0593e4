//! How it is told that a change does not go on: with what to do next and the exit code for it.

use super::super::failure::{Failure, Kind, io_kind};
use super::super::run_failure::{fault_kind, unusable};
use crate::engine::archive::ArchiveError;
use crate::engine::change::ChangeError;
use crate::engine::error::EngineError;
use crate::engine::expected::FilesError;
use crate::engine::git::GitError;
use crate::engine::journal::JournalError;
use crate::engine::lock::LockError;
use crate::engine::snapshot::is_too_large;
use crate::process::ProcessError;

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let message = error.to_string();
        match error {
            EngineError::Change(error) => error.into(),
            EngineError::Run(error) => error.into(),
            EngineError::Git(error) => error.into(),
            EngineError::Archive(error) => error.into(),
            EngineError::Process(ProcessError::GuardLost { .. }) => Self::new(Kind::Io, message)
                .help("something has ended the process that guards a run; run the same again"),
            EngineError::Process(ProcessError::Io { source, .. }) => {
                Self::of_io(message, &source)
            }
            EngineError::Process(_) => Self::new(Kind::Io, message),
            EngineError::FilesUnreadable(error) => error.into(),
            EngineError::Io { source, .. } if is_too_large(&source) => too_large(message),
            EngineError::Io { source, .. } => Self::of_io(message, &source),
            EngineError::Files { .. } => Self::new(Kind::Agent, message)
                .help("run it again, with another agent or clearer guidance"),
            EngineError::Schedule { id, .. } => Self::new(Kind::Precondition, message).help(format!(
                "correct the plans, until `agentd schedule check {id}` finds no fault; or `agentd reject {id} \"what to change\"` has it planned again"
            )),
            EngineError::WroteElsewhere { patch, .. } => {
                let failure = Self::new(Kind::Agent, message);
                match patch {
                    Some(patch) => failure
                        .help(format!("it was taken back, and is kept in `{}`", patch.display())),
                    None => failure.help("it was taken back"),
                }
            }
            EngineError::WorktreeSetup { .. } => Self::new(Kind::Precondition, message)
                .help("correct `[worktree] setup` in agentd/config.toml"),
            EngineError::NoAgent { .. } => Self::new(Kind::Agent, message).help(
                "`agentd doctor` shows which agents are installed; `--agent offline` needs none",
            ),
            EngineError::Plans { .. } => Self::new(Kind::Agent, message)
                .help("run it again: the plans that are done are not carried out again"),
            EngineError::Prompt(error) => error.into(),
            EngineError::Blocked { .. } => Self::new(Kind::Agent, message)
                .help("answer it in what you ask for, and run it again"),
            EngineError::NoDay => Self::new(Kind::Bug, message),
            EngineError::Interrupted => Self::new(Kind::Interrupted(130), message),
        }
    }
}

fn too_large(message: String) -> Failure {
    Failure::new(Kind::Limit, message)
        .help("move what is too large out of the change's folder, then run the same again")
}

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        let message = error.to_string();
        match error {
            ChangeError::Io { source, .. } if is_too_large(&source) => too_large(message),
            ChangeError::Journal(JournalError::Io { source, .. })
            | ChangeError::Io { source, .. }
            | ChangeError::Lock(LockError::Io { source, .. }) => Self::of_io(message, &source),
            ChangeError::Journal(JournalError::Damaged { .. }) | ChangeError::Broken { .. } => {
                Self::new(Kind::Precondition, message).help(
                    "it is kept as it is; put back a copy of it, or cut the damaged lines off",
                )
            }
            ChangeError::Journal(JournalError::Version { .. }) => {
                Self::new(Kind::Precondition, message)
                    .help("go on with the agentd that began the change, or move its folder away and begin it again")
            }
            ChangeError::Journal(JournalError::Lost { .. }) => {
                Self::new(Kind::Precondition, message)
                    .help("put back a copy of it; to begin anew, move the change's folder away")
            }
            ChangeError::NotBegun { id } => Self::new(Kind::Precondition, message)
                .help(format!("`agentd run {id} \"…\"` begins it")),
            ChangeError::Archived { .. } => Self::new(Kind::Precondition, message)
                .help("begin another change under an id of its own"),
            ChangeError::Lock(LockError::Held { .. }) => {
                Self::new(Kind::Locked, message).help("wait until it is done, or end it")
            }
            ChangeError::Impossible { id, .. } => Self::new(Kind::Precondition, message)
                .help(format!("`agentd status {id}` shows what can be done")),
        }
    }
}

impl From<FilesError> for Failure {
    fn from(error: FilesError) -> Self {
        let message = error.to_string();
        match error {
            FilesError::Unreadable { fault, .. } => unusable(&fault, message),
            FilesError::TooMany { .. } => Self::new(Kind::Limit, message)
                .help("move away what is too much: nobody can read so many"),
        }
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let kind = match &error {
            GitError::Io { source, .. } => io_kind(source),
            GitError::NotRun { .. } => Kind::Io,
            error if error.is_of_the_machine() => Kind::Io,
            GitError::TooMuchOutput { .. } => Kind::Limit,
            GitError::Interrupted { signal, .. } => Kind::Interrupted(signal.exit_code()),
            _ => Kind::Precondition,
        };
        let failure = Self::new(kind, error.to_string());
        match error.help() {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Self {
        let kind = match &error {
            ArchiveError::Io { source, .. } => io_kind(source),
            ArchiveError::Unusable { fault, .. } if fault_kind(fault) == Kind::Limit => {
                return unusable(fault, error.to_string());
            }
            ArchiveError::Unusable { fault, .. } => fault_kind(fault),
            ArchiveError::Busy => Kind::Locked,
            ArchiveError::Files(_)
            | ArchiveError::Conflicts(_)
            | ArchiveError::Changed { .. }
            | ArchiveError::Stopped => Kind::Precondition,
        };
        Self::new(kind, error.to_string()).help(error.help())
    }
}
