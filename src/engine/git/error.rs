//! What can go wrong with git, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::commit::Commit;
use super::unfit::Unfit;
use crate::files::is_of_the_machine;
use crate::files::own::Refused;
use crate::models::command::quoted;
use crate::process::Signal;

/// Why something could not be done with git. Unless it says otherwise, nothing was changed.
#[derive(Debug, Error)]
pub enum GitError {
    /// There is no `git` on the search path.
    #[error("`git` is not installed, or not on the search path")]
    NoGit,
    /// Git lacks something that is needed.
    #[error("git {found} is too old")]
    TooOld {
        /// What it says its version is.
        found: String,
    },
    /// A folder is in no repository.
    #[error("`{}` is not in a git repository", folder.display())]
    NotARepository {
        /// The folder.
        folder: PathBuf,
    },
    /// A repository has no checkout here: it is bare, or the folder is git's own.
    #[error("the git repository at `{}` has no checkout", folder.display())]
    NoCheckout {
        /// The folder.
        folder: PathBuf,
    },
    /// A partial clone lacks files of a commit.
    #[error("the repository is a partial clone that lacks {count} objects of {commit}")]
    Incomplete {
        /// The commit.
        commit: Commit,
        /// How many objects are missing.
        count: usize,
    },
    /// A repository has no commit yet.
    #[error("the git repository `{}` has no commit yet", root.display())]
    NoCommit {
        /// Its checkout.
        root: PathBuf,
    },
    /// There is no branch of a name.
    #[error("there is no branch `{branch}`")]
    NoBranch {
        /// The name.
        branch: String,
    },
    /// A branch cannot be made beside another, since git keeps the one in a folder of the other's name.
    #[error("branch `{other}` is in the way: git makes no branch `{branch}` beside it")]
    Hindered {
        /// The branch that is wanted.
        branch: String,
        /// The branch that is there.
        other: String,
    },
    /// A branch of a change's name is not where it was left.
    #[error("branch `{branch}` is at {found}, not at {expected}: somebody else moved or made it")]
    BranchMoved {
        /// The branch.
        branch: String,
        /// Where it should be.
        expected: Commit,
        /// Where it is.
        found: Commit,
    },
    /// A change's branch is not at the commit that was reviewed and checked.
    #[error("branch `{branch}` is at {found}, but {passed} is what was reviewed and checked")]
    NotAsPassed {
        /// The branch.
        branch: String,
        /// What was reviewed and checked.
        passed: Commit,
        /// Where it is.
        found: Commit,
        /// Where it is checked out, if it is.
        place: Option<PathBuf>,
    },
    /// A branch is checked out in another place.
    #[error("branch `{branch}` is checked out at `{}`", path.display())]
    BranchInUse {
        /// The branch.
        branch: String,
        /// Where.
        path: PathBuf,
    },
    /// A workspace was to be made within the repository.
    #[error("the workspace `{}` would be inside of `{}`", path.display(), root.display())]
    Inside {
        /// The workspace.
        path: PathBuf,
        /// What it would be inside of.
        root: PathBuf,
    },
    /// The folder of a workspace is gone, or something else is in its place.
    #[error("the workspace `{}` is gone, or something else is in its place: {source}", path.display())]
    NoWorkspace {
        /// The folder.
        path: PathBuf,
        /// Why it cannot be entered.
        source: io::Error,
    },
    /// Something in a workspace can be part of no result.
    #[error("`{}` holds what is not taken: {}", place.display(), first(files, ToString::to_string))]
    Unfit {
        /// The workspace.
        place: PathBuf,
        /// What, and why.
        files: Vec<Unfit>,
    },
    /// There are edits that would be lost or mixed up.
    #[error("`{}` has edits that are not committed: {}", place.display(), list(files))]
    Dirty {
        /// The checkout.
        place: PathBuf,
        /// The files.
        files: Vec<PathBuf>,
    },
    /// A merge needs a branch to go into.
    #[error("`{}` is on no branch", root.display())]
    Detached {
        /// The checkout.
        root: PathBuf,
    },
    /// Two branches do not go together by themselves.
    #[error("branch `{branch}` and `{into}` are in conflict: {}", list(files))]
    Conflict {
        /// The branch to be merged.
        branch: String,
        /// What it was to go into.
        into: String,
        /// Where they conflict.
        files: Vec<PathBuf>,
    },
    /// A commit of a change does not go onto another base by itself.
    #[error("commit {commit} of `{branch}` is in conflict with {onto}: {}", list(files))]
    RebaseConflict {
        /// The branch of the change.
        branch: String,
        /// The commit that conflicts.
        commit: Commit,
        /// The new base.
        onto: Commit,
        /// Where they conflict.
        files: Vec<PathBuf>,
    },
    /// A merge would write over files that git does not know.
    #[error("merging `{branch}` would write over files that are not committed: {}", list(files))]
    InTheWay {
        /// The branch to be merged.
        branch: String,
        /// The files.
        files: Vec<PathBuf>,
    },
    /// The user's branch does not hold the commit any more that a change began from, so that a merge would bring back what
    /// the user has dropped.
    #[error("`{into}` does not hold {base}, from which `{branch}` began")]
    BaseLeft {
        /// The branch to be merged.
        branch: String,
        /// What it was to go into.
        into: String,
        /// The commit.
        base: Commit,
    },
    /// A merge did not write what it was rehearsed to write, and was taken back.
    #[error("merging `{branch}` would not write what was rehearsed: {}", list(files))]
    NotAsRehearsed {
        /// The branch to be merged.
        branch: String,
        /// Where the two differ.
        files: Vec<PathBuf>,
    },
    /// Git printed more than is read.
    #[error("`{command}` printed more than {limit} bytes")]
    TooMuchOutput {
        /// What was run.
        command: String,
        /// How much is read.
        limit: u64,
    },
    /// A signal that asks for an end has reached git.
    #[error("interrupted while `{command}` was under way")]
    Interrupted {
        /// The call.
        command: String,
        /// The signal.
        signal: Signal,
    },
    /// Git could not be run, or not to its end: nothing is wrong with what it was asked.
    #[error("`{command}` was not run to its end: {source}")]
    NotRun {
        /// The call.
        command: String,
        /// Why.
        source: io::Error,
    },
    /// Git failed.
    #[error("`{command}` failed ({status}){}", said(stderr))]
    Failed {
        /// What was run.
        command: String,
        /// How it ended.
        status: String,
        /// What it said last; may be empty.
        stderr: String,
    },
    /// A file could not be read or written.
    #[error("cannot {what} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
}

impl GitError {
    pub(super) fn io(what: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io { what, path: path.to_owned(), source: source.into() }
    }

    /// Returns whether the machine is at fault, a full disk say, and nothing in the repository.
    pub fn is_of_the_machine(&self) -> bool {
        match self {
            Self::Io { source, .. } | Self::NotRun { source, .. } => is_of_the_machine(source),
            // A link in its place is a refusal, which has a kind of its own.
            Self::NoWorkspace { source, .. } => !Refused::is(source) && is_of_the_machine(source),
            Self::Failed { stderr, .. } => stderr.lines().any(is_said_of_the_machine),
            _ => false,
        }
    }

    /// Returns what to do next.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoGit => "install git, and see that `git --version` works".to_owned(),
            Self::TooOld { .. } => "install git 2.41 or newer".to_owned(),
            Self::NotARepository { .. } => {
                "go to a repository, or make one: `git init && git add -A && git commit -m start`"
                    .to_owned()
            }
            Self::NoCheckout { .. } => "clone it, and work in the clone".to_owned(),
            Self::Incomplete { .. } => {
                "`git fetch --refetch --no-filter` fetches them, or clone it without `--filter`"
                    .to_owned()
            }
            Self::NoCommit { .. } => {
                "commit what is there: `git add -A && git commit -m start`".to_owned()
            }
            Self::NoBranch { .. } => "`git branch --list` shows what there is".to_owned(),
            Self::Hindered { other, .. } => format!("rename it: `git branch -m {other} NAME`"),
            Self::BranchMoved { branch, .. } => format!(
                "look at it with `git log {branch}`, then rename it (`git branch -m {branch} NAME`) or delete it"
            ),
            Self::NotAsPassed { branch, passed, found, place } => {
                let set_back = match place {
                    Some(place) => {
                        format!("git -C {} reset --keep {passed}", quoted(&place.to_string_lossy()))
                    }
                    None => format!("git branch -f {branch} {passed}"),
                };
                format!(
                    "`git diff {passed}..{found}` shows what nobody has looked at; to leave it out, keep it with \
                     `git branch NAME {found}` and set the branch back with `{set_back}`; to take it, merge it with \
                     git yourself"
                )
            }
            Self::BranchInUse { path, .. } => format!(
                "switch to another branch there: `git -C {} switch NAME`",
                quoted(&path.to_string_lossy())
            ),
            Self::Inside { .. } => "choose a folder outside of the repository".to_owned(),
            Self::NoWorkspace { .. } => {
                "see what it is and who made it; the next run makes the workspace anew".to_owned()
            }
            Self::Unfit { files, .. } => files.first()?.why.help().to_owned(),
            Self::Dirty { .. } => "commit them, or put them aside with `git stash`".to_owned(),
            Self::Detached { .. } => "switch to a branch: `git switch NAME`".to_owned(),
            Self::Conflict { branch, .. } => {
                format!("nothing was changed; `git merge {branch}` lets you resolve it by hand")
            }
            Self::BaseLeft { branch, .. } => {
                let id = branch.strip_prefix("agentd/").unwrap_or(branch);
                format!(
                    "nothing was changed; `agentd rebase {id}` brings the change onto your branch"
                )
            }
            Self::NotAsRehearsed { .. } => {
                "your branch is where it was; see that nothing else writes to the checkout"
                    .to_owned()
            }
            Self::RebaseConflict { branch, .. } => format!(
                "nothing was changed; `git merge {branch}` lets you resolve it by hand, and `agentd discard {}` gives it up",
                branch.strip_prefix("agentd/").unwrap_or(branch)
            ),
            Self::InTheWay { .. } => "nothing was changed; move these files away".to_owned(),
            Self::TooMuchOutput { .. }
            | Self::Interrupted { .. }
            | Self::NotRun { .. }
            | Self::Failed { .. }
            | Self::Io { .. } => return None,
        })
    }
}

/// How git ends what it says when the machine is at fault: as the system says it, and in the places where it does not ask
/// the system, in its own words.
const OF_THE_MACHINE: [&str; 12] = [
    ": No space left on device",
    ": Disk quota exceeded",
    ": File too large",
    ": Input/output error",
    ": Read-only file system",
    ": Cannot allocate memory",
    ": Too many open files",
    ": Too many open files in system",
    ": Resource temporarily unavailable",
    "Out of diskspace",
    "nable to write new index file",
    "Could not write new index file.",
];

/// Looks at the end alone: what stands before it may be the name of a file, which anybody gives.
fn is_said_of_the_machine(line: &str) -> bool {
    // Of a checkout that finds no room git says no more.
    line.starts_with("error: unable to write file ")
        || OF_THE_MACHINE.iter().any(|end| line.trim_end().ends_with(end))
}

/// Names the first few files.
fn list(files: &[PathBuf]) -> String {
    first(files, |file| format!("`{}`", file.display()))
}

fn first<T>(all: &[T], shown: impl Fn(&T) -> String) -> String {
    const SHOWN: usize = 5;
    let mut text: Vec<_> = all.iter().take(SHOWN).map(shown).collect();
    if all.len() > SHOWN {
        text.push(format!("and {} more", all.len() - SHOWN));
    }
    text.join(", ")
}

fn said(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_says_of_a_full_disk_is_of_the_machine_and_the_name_of_a_file_is_not() {
        let failed = |stderr: &str| GitError::Failed {
            command: "git add".to_owned(),
            status: "exit status: 128".to_owned(),
            stderr: stderr.to_owned(),
        };
        let of_the_machine = [
            "error: unable to create temporary file: No space left on device\nfatal: adding files failed",
            "error: file write error: Disk quota exceeded",
            "fatal: unable to write new index file",
            "fatal: sha1 file '/x/index.lock' write error. Out of diskspace",
            "error: unable to write file src/main.rs\nfatal: could not reset",
        ];
        for said in of_the_machine {
            assert!(failed(said).is_of_the_machine(), "{said}");
        }
        for said in ["fatal: pathspec 'No space left on device' did not match any files", ""] {
            assert!(!failed(said).is_of_the_machine(), "{said}");
        }
        let not_run = |kind: io::ErrorKind| GitError::NotRun {
            command: "git add".to_owned(),
            source: kind.into(),
        };
        assert!(not_run(io::ErrorKind::OutOfMemory).is_of_the_machine());
        assert!(!not_run(io::ErrorKind::InvalidData).is_of_the_machine());
    }

    #[test]
    fn many_files_are_counted_rather_than_listed() {
        let files: Vec<_> = (1..=7).map(|number| PathBuf::from(number.to_string())).collect();
        assert_eq!(list(&files[..2]), "`1`, `2`");
        assert_eq!(list(&files), "`1`, `2`, `3`, `4`, `5`, and 2 more");
    }
}
