//! What agents left in places that no commit takes: files that git ignores, and edits in submodules. No check sees it, so it is named
//! to reviewer and user, and the workspace stays until the change is discarded or pruned.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::desks::Room;
use super::driver::Driver;
use super::error::EngineError;
use super::git::{GitError, LeftOut, Workspace};
use super::lanes::Site;
use super::plan_order::PlanOrder;
use super::setup::Setup;
use crate::files::own::{self, Kind};
use crate::models::change::ChangeId;

/// The file that says of its folder that it is a cache: cargo, pytest, mypy, uv and others write it.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// A folder of Python's, which holds a file for each module that anybody imported.
const COMPILED: &str = "__pycache__";

/// How many files are compared. In a folder with more of them, the folder itself is named.
const MOST_COMPARED: usize = 100_000;

/// Lists the ignored files of a workspace in which agents write, without those that setup and checks make as well, and without caches.
/// A folder with nothing else is one entry, and so is a submodule with edits.
pub(super) fn left_in(
    setup: &Setup,
    id: &ChangeId,
    workspace: &Workspace,
) -> Result<BTreeSet<PathBuf>, GitError> {
    let LeftOut { paths: mut left, submodules } = workspace.left_out()?;
    if !left.is_empty()
        && let Some(checks) = Workspace::find(&setup.repository, &setup.room(id, Room::Checks))?
    {
        let mut compared =
            Comparison { agent: workspace.path(), checks: checks.path(), rest: MOST_COMPARED };
        for made in checks.left_out()?.paths {
            if left.remove(&made) && compared.add_missing(&made, &mut left).is_err() {
                left.insert(made);
            }
        }
    }
    left.extend(submodules);
    Ok(left)
}

/// Two workspaces that have the same ignored folder.
struct Comparison<'w> {
    agent: &'w Path,
    checks: &'w Path,
    /// How many more files are compared.
    rest: usize,
}

impl Comparison<'_> {
    /// Adds what the workspace of agents has at a path and that of the checks has not. Fails for a folder that cannot be compared.
    fn add_missing(&mut self, path: &Path, left: &mut BTreeSet<PathBuf>) -> io::Result<()> {
        let ours = own::entries(&self.agent.join(path));
        let ours = match ours {
            // A file, or a link.
            Err(_) if !self.agent.join(path).is_dir() => return Ok(()),
            ours => ours?,
        };
        if ours.iter().any(|(name, _)| name == CACHE_TAG) || path.ends_with(COMPILED) {
            return Ok(());
        }
        self.rest = self.rest.checked_sub(ours.len()).ok_or(io::ErrorKind::QuotaExceeded)?;
        let theirs: BTreeMap<_, _> = own::entries(&self.checks.join(path))?.into_iter().collect();
        for (name, kind) in ours {
            let inner = path.join(&name);
            match (kind, theirs.get(&name)) {
                (Kind::Folder, Some(Kind::Folder)) => self.add_missing(&inner, left)?,
                (_, Some(_)) => {}
                // Shown as git shows folders.
                (Kind::Folder, None) => drop(left.insert(inner.join(""))),
                (_, None) => drop(left.insert(inner)),
            }
        }
        Ok(())
    }
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
