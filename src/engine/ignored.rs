//! What agents left in places that no commit takes: files that git ignores, and edits in submodules. No check sees it, so it is named
//! to reviewer and user, and the workspace stays until the change is discarded or pruned.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::desks::Room;
use super::driver::Driver;
use super::error::EngineError;
use super::git::{GitError, Workspace};
use super::lanes::Site;
use super::plan_order::PlanOrder;
use super::setup::Setup;
use crate::models::change::ChangeId;

/// Lists the ignored files of a workspace in which agents write, without those that setup and checks make as well: caches and builds.
/// A folder with nothing else is one entry, and so is a submodule with edits.
pub(super) fn left_in(
    setup: &Setup,
    id: &ChangeId,
    workspace: &Workspace,
) -> Result<BTreeSet<PathBuf>, GitError> {
    let mut left: BTreeSet<_> = workspace.ignored()?.into_iter().collect();
    if !left.is_empty()
        && let Some(checks) = Workspace::find(&setup.repository, &setup.room(id, Room::Checks))?
    {
        for made in checks.ignored()? {
            left.remove(&made);
        }
    }
    left.extend(workspace.edited_submodules()?);
    Ok(left)
}

impl Driver<'_> {
    /// Lists what agents left in ignored places of the change's workspaces.
    pub(super) fn left_in_ignored_places(&self) -> Result<Vec<String>, EngineError> {
        let (setup, id) = (self.setup, &self.change.id);
        let plans = self.change.history.schedule.iter().flat_map(PlanOrder::units);
        let lanes = plans.map(|unit| Site::folder_of(setup, id, unit.plan));
        let mut left = BTreeSet::new();
        for path in std::iter::once(setup.desk(id)).chain(lanes) {
            if let Some(found) = Workspace::find(&setup.repository, &path)? {
                left.extend(left_in(setup, id, &found)?);
            }
        }
        let shown = |path: &PathBuf| self.without_secrets(&path.display().to_string());
        Ok(left.iter().map(shown).collect())
    }
}
