//! Whether the code of a change that is archived is still to be taken.

use super::super::failure::Outcome;
use crate::engine::git::{Commit, Repository};
use crate::engine::history::History;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// Where the code of an archived change is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// On its branch alone.
    NotYet,
    /// In what is checked out, whether or not its branch is still there: this commit.
    Merged(Commit),
    /// Nowhere that is known: its branch is gone.
    Gone,
}

impl Taken {
    /// Looks where the code of a change is.
    pub(super) fn of(repository: &Repository, id: &ChangeId, history: &History) -> Outcome<Self> {
        let head = repository.head()?;
        if let Some(tip) = repository.branch_commit(&Setup::branch(id))? {
            let is_merged = repository.contains(&head, &tip)?;
            return Ok(if is_merged { Self::Merged(tip) } else { Self::NotYet });
        }
        // A commit that git has thrown away is in no branch.
        let is_merged = |commit: &&Commit| repository.contains(&head, commit).unwrap_or(false);
        Ok(history
            .written
            .as_ref()
            .filter(is_merged)
            .map_or(Self::Gone, |commit| Self::Merged(commit.clone())))
    }

    /// Says that there is nothing to do, and why; none where the code can be taken.
    pub(super) const fn nothing(&self) -> Option<&'static str> {
        match self {
            Self::NotYet => None,
            Self::Merged(_) => Some("nothing: it is merged"),
            Self::Gone => Some("nothing: its branch is gone"),
        }
    }
}
