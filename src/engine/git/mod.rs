//! All that agentd does with git: workspaces and what is taken from them, branches, patches, and merging a change.
//!
//! Git is run as a program, by `command` alone, which keeps it from running anything of the repository's: no hooks,
//! no monitor, no editor, no pager. The user's checkout is read; only the function `merge` writes to it.

mod agent_git;
mod attributes;
mod author;
mod beside;
mod branches;
mod checkout;
mod command;
mod commit;
mod diff;
mod error;
mod folder;
mod held;
mod in_the_way;
mod leftovers;
mod lock;
mod merge;
mod objects;
mod place;
mod rebase;
mod repository;
mod running;
mod sketch;
mod status;
mod submodules;
mod survey;
mod take;
mod unfit;
mod workspace;
mod written;

pub use checkout::LeftOut;
pub use command::Git;
pub use commit::{Commit, NotACommit};
pub use diff::{Diff, Stat};
pub use error::GitError;
pub(super) use folder::size_of;
pub use held::Confinement;
pub use leftovers::Leftover;
pub use merge::{Known, Merged, merge};
pub use rebase::Rebased;
pub use repository::Repository;
pub use sketch::Extent;
pub use status::{Change, ChangedPath};
pub use take::Results;
pub use unfit::{Unfit, Why};
pub use workspace::{At, Branch, Owner, Workspace};
