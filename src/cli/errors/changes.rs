//! Errors of changes: the engine, git and the archive.

use crate::cli::{Advice, Advise, Kind};
use crate::engine::archive::ArchiveError;
use crate::engine::change::ChangeError;
use crate::engine::documents::is_too_large;
use crate::engine::error::EngineError;
use crate::engine::expected::FilesError;
use crate::engine::git::GitError;
use crate::engine::journal::JournalError;
use crate::engine::lock::LockError;
use crate::files::Failed;
use crate::process::ProcessError;

/// The advice for a change that has ended.
pub(crate) const BEGIN_ANOTHER: &str = "start a new change with another id";

impl Advise for EngineError {
    fn advice(&self) -> Advice {
        match self {
            Self::Change(error) => error.advice(),
            Self::Run(error) => error.advice(),
            Self::Git(error) => error.advice(),
            Self::Archive(error) => error.advice(),
            Self::Prompt(error) => error.advice(),
            Self::FilesUnreadable(error) => error.advice(),
            Self::Process(ProcessError::GuardLost { .. }) => Kind::Io
                .advise("the process that guards a run was killed; run the same command again"),
            Self::Process(ProcessError::Io { source, .. }) => Advice::of_io(source),
            Self::Process(_) => Kind::Io.into(),
            Self::Io(Failed { source, .. }) if is_too_large(source) => too_large(),
            Self::Io(Failed { source, .. }) => Advice::of_io(source),
            Self::Files { .. } => {
                Kind::Agent.advise("run it again, with another agent or clearer guidance")
            }
            Self::Schedule { id, .. } => Kind::Precondition.advise(format!(
                "correct the plans until `agentd schedule check {id}` finds no fault; or `agentd reject {id} \"what to change\"` to have it planned again"
            )),
            Self::WorkspaceSetup { .. } => {
                Kind::Precondition.advise("correct `[workspace] setup` in agentd/config.toml")
            }
            Self::RedBaseline { id, .. } => Kind::RedBaseline.advise(format!(
                "`agentd run {id} --baseline fix` requires the change to make them pass; `agentd run {id} --baseline tolerate` allows them to fail and asks you before the archive; or fix them, commit, and `agentd run {id}` checks again"
            )),
            Self::NoAgent { .. } => Kind::Agent.advise(
                "`agentd doctor` shows which agents are installed; `--agent offline` needs none",
            ),
            Self::Plans { .. } => Kind::Agent
                .advise("run it again: plans that are done are not repeated"),
            Self::Blocked { .. } => {
                Kind::Agent.advise("put the answer into your request, and run it again")
            }
            Self::NoDay => Kind::Bug.into(),
            Self::Interrupted => Kind::Interrupted(130).into(),
        }
    }
}

fn too_large() -> Advice {
    Kind::Limit.advise("move the files that are too large out of the change's folder, then run the same command again")
}

impl Advise for ChangeError {
    fn advice(&self) -> Advice {
        let advise = |help: &str| Kind::Precondition.advise(help);
        match self {
            Self::Io(Failed { source, .. }) if is_too_large(source) => too_large(),
            Self::Journal(JournalError::Io(Failed { source, .. }))
            | Self::Io(Failed { source, .. })
            | Self::Lock(LockError::Io { source, .. }) => Advice::of_io(source),
            Self::Journal(
                JournalError::Damaged { .. }
                | JournalError::Lost { .. }
                | JournalError::Foreign { .. },
            )
            | Self::Broken { .. } => advise(
                "the file was not changed; restore a copy of it, or start a new change with another id",
            ),
            Self::Journal(JournalError::Version { .. }) => advise(
                "continue with the agentd that started the change, or start a new change with another id",
            ),
            Self::NotBegun { id } => advise(&format!("`agentd run {id} \"…\"` starts it")),
            Self::OtherCheckout { .. } => {
                advise("`git worktree list` shows the checkouts: use that one")
            }
            Self::Archived { .. } => advise(BEGIN_ANOTHER),
            Self::Archive(error) => error.advice(),
            Self::Discarding { id } => advise(&format!("`agentd discard {id}` removes the rest")),
            Self::Lock(LockError::Held { .. }) => {
                Kind::Locked.advise("wait until it is done, or end it")
            }
            Self::Impossible { id, .. } => {
                advise(&format!("`agentd status {id}` shows what you can do"))
            }
        }
    }
}

impl Advise for FilesError {
    fn advice(&self) -> Advice {
        match self {
            Self::Unreadable { fault, .. } => Advice::of_fault(fault),
            Self::TooMany { .. } => Kind::Limit.advise(
                "move some of the files out of the change's folder: nobody can read that many",
            ),
        }
    }
}

impl Advise for GitError {
    fn advice(&self) -> Advice {
        let kind = match self {
            Self::Io { source, .. } => Kind::of_io(source),
            Self::NotRun { .. } => Kind::Io,
            error if error.is_of_the_machine() => Kind::Io,
            Self::TooMuchOutput { .. } => Kind::Limit,
            Self::Interrupted { signal, .. } => Kind::Interrupted(signal.exit_code()),
            _ => Kind::Precondition,
        };
        Advice::from(kind).or_help(self.help())
    }
}

impl Advise for ArchiveError {
    fn advice(&self) -> Advice {
        let kind = match self {
            Self::Io { source, .. } => Kind::of_io(source),
            Self::Unusable { fault, .. } if Kind::of_fault(fault) == Kind::Limit => {
                return Advice::of_limits(Kind::Limit);
            }
            Self::Unusable { fault, .. } => Kind::of_fault(fault),
            Self::Busy => Kind::Locked,
            Self::Files(_) | Self::Conflicts(_) | Self::Changed { .. } | Self::Stopped => {
                Kind::Precondition
            }
        };
        kind.advise(self.help())
    }
}
