//! What a plan has written, held against what it owns. All of it is committed first, so that nothing can be missed and
//! nothing is lost.

use std::path::PathBuf;
use std::sync::Arc;

use super::blocking::with_git;
use super::lane::{LaneAnswer, Workplace};
use super::site::Site;
use crate::engine::error::EngineError;
use crate::engine::git::Commit;
use crate::engine::schedule::Lane;

/// The work of a plan, committed.
pub(super) struct Work {
    /// The commit that holds all of it.
    pub(super) commit: Commit,
    /// The paths that it changed and that are not the plan's own.
    pub(super) outside: Vec<String>,
}

impl Site<'_> {
    /// Commits all that an agent has left in its workspace, and says what of it its plan does not own.
    pub(super) async fn commit(
        &self,
        lane: &Lane,
        place: &Workplace,
        answer: &LaneAnswer,
    ) -> Result<Work, EngineError> {
        let message = format!("{}\n\nBy agent {}.\n", self.message(lane), answer.agent);
        let (workspace, start) = (Arc::clone(&place.workspace), place.start.clone());
        // Merging what does not build on the plan's beginning would mean something else than the difference.
        let results = answer.results.clone();
        let committed = with_git(move || {
            let results = results.map_or_else(|| workspace.take(&start), Ok)?;
            Ok((workspace.commit_results(&results, &message)?, results.paths().to_owned()))
        });
        let (commit, paths) = committed.await?;
        // No pattern can name a path that is no text.
        let not_owned = |path: &PathBuf| !path.to_str().is_some_and(|path| lane.owns(path));
        let outside = paths.into_iter().filter(not_owned);
        let outside = outside.map(|path| path.display().to_string()).collect();
        Ok(Work { commit, outside })
    }
}
