//! All that agentd does with git: workspaces and what is taken from them, branches, patches, and merging a change.
//!
//! Git is run as a program, by `command` alone, which keeps it from running anything of the repository's: no hooks,
//! no monitor, no editor, no pager. The user's checkout is read; only the function `merge` writes to it.

mod agent_git;
mod author;
mod branches;
mod checkout;
mod command;
mod commit;
mod diff;
mod error;
mod folder;
mod lock;
mod merge;
mod place;
mod repository;
mod sketch;
mod status;
mod take;
mod workspace;

pub use command::Git;
pub use commit::{Commit, NotACommit};
pub use diff::{Diff, Stat};
pub use error::GitError;
pub use merge::{Merged, merge};
pub use repository::Repository;
pub use status::{Change, ChangedPath};
pub use workspace::{At, Branch, Owner, Workspace};
