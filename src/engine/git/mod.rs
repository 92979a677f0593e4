//! All that agentd does with git: a change's worktree, its commits and patches, and merging it.
//!
//! Git is run as a program, by `command` alone, which keeps it from running anything of the repository's: no hooks,
//! no monitor, no editor, no pager. The user's checkout is read; only the function `merge` writes to it.

mod author;
mod branches;
mod command;
mod commit;
mod create;
mod diff;
mod edits;
mod error;
mod folder;
mod lock;
mod merge;
mod place;
mod registration;
mod repository;
mod sketch;
mod snapshot;
mod status;
mod worktree;

pub use command::Git;
pub use commit::{Commit, NotACommit};
pub use create::At;
pub use diff::{Diff, Stat};
pub use error::GitError;
pub use merge::{Merged, merge};
pub use repository::Repository;
pub use status::{Change, ChangedPath};
pub use worktree::{Origin, Worktree};
