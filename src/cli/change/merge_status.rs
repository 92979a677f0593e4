//! Whether the code of an archived change is merged.

use crate::cli::Outcome;
use crate::engine::git::{Commit, Repository};
use crate::engine::history::History;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// Where the code of an archived change is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MergeStatus {
    /// Only on its own branch.
    Unmerged,
    /// Merged into the checked-out branch as this commit; its own branch may be gone.
    Merged(Commit),
    /// Unknown: its branch is gone.
    BranchGone,
}

impl MergeStatus {
    /// Finds out where the code of a change is.
    pub(super) fn find(repository: &Repository, id: &ChangeId, history: &History) -> Outcome<Self> {
        let head = repository.head()?;
        if let Some(tip) = repository.branch_commit(&Setup::branch(id))? {
            let is_merged = repository.contains(&head, &tip)?;
            return Ok(if is_merged { Self::Merged(tip) } else { Self::Unmerged });
        }
        // A commit that git has deleted is in no branch.
        let is_merged = |commit: &&Commit| repository.contains(&head, commit).unwrap_or(false);
        let written = history.written.as_ref().filter(is_merged);
        Ok(written.map_or(Self::BranchGone, |commit| Self::Merged(commit.clone())))
    }

    /// Returns why there is nothing to merge; `None` if the code can be merged.
    pub(super) const fn nothing_to_do(&self) -> Option<&'static str> {
        match self {
            Self::Unmerged => None,
            Self::Merged(_) => Some("nothing: it is merged"),
            Self::BranchGone => Some("nothing: its branch is gone"),
        }
    }
}
