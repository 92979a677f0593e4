//! What the project's commands are confined to, where agents work, and the caches of the tools that both call.
//!
//! A tool that is confined cannot write into the user's home. What it keeps for another run lies in a folder of each workspace,
//! so that nobody finds what somebody else put there; what the setup fetches lies in folders that only the setup writes.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::error::EngineError;
use super::setup::Setup;
use crate::files::{OrFailed as _, make_private_folder, own};
use crate::models::change::ChangeId;
use crate::models::sandbox::Grant;
use crate::orchestrator::Place;
use crate::orchestrator::agents::{belongs_to_agents, state_of_all};

/// What the name of the folder of a change's caches ends with.
pub(super) const CACHES: &str = ".cache";

/// What the setup fetches, by the variable that names its folder.
const FETCHED: [(&str, &str); 7] = [
    ("BUN_INSTALL_CACHE_DIR", "bun"),
    ("CARGO_HOME", "cargo"),
    ("GOMODCACHE", "go"),
    ("PIP_CACHE_DIR", "pip"),
    ("YARN_CACHE_FOLDER", "yarn"),
    ("npm_config_cache", "npm"),
    ("npm_config_store_dir", "pnpm"),
];

/// What tools keep for another run in the same workspace.
const KEPT: [(&str, &str); 3] =
    [("GOCACHE", "go-build"), ("GRADLE_USER_HOME", "gradle"), ("XDG_CACHE_HOME", "")];

/// What a command of the project is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// To show whether the code is right.
    Check,
    /// To fetch and build what the others need.
    Setup,
}

impl Setup {
    /// Returns the folder of the caches of a change's workspaces.
    pub fn caches(&self, id: &ChangeId) -> PathBuf {
        // No id has a full stop, so that it is no other change's.
        self.workspaces.join(format!("{id}{CACHES}"))
    }

    /// Returns where an agent works.
    pub(super) fn place(&self, id: &ChangeId, workspace: &Path) -> Place {
        let mut place = Place::new(&self.project.root, &self.guard);
        workspace.clone_into(&mut place.workspace);
        place.environment.clone_from(&self.environment);
        place.tools = self.tools(id, workspace);
        place.state = Some(self.project.states());
        place.sandbox.clone_from(&self.sandbox);
        place.caches = Some(self.cache_path(id, workspace));
        place.fetched = Some(self.fetched());
        place
    }

    /// Returns the environment of a command of the project in a workspace. It runs what agents wrote, so it gets no key of theirs.
    pub(super) fn environment_in(
        &self,
        id: &ChangeId,
        workspace: &Path,
    ) -> Vec<(OsString, OsString)> {
        let is_theirs = |(name, _): &&(OsString, OsString)| !belongs_to_agents(name);
        let environment = self.environment.iter().filter(is_theirs).cloned();
        environment.chain(self.tools(id, workspace)).collect()
    }

    /// Returns the variables that say where tools keep what they fetch and build; none where they may write where they like.
    fn tools(&self, id: &ChangeId, workspace: &Path) -> Vec<(OsString, OsString)> {
        if self.sandbox.is_none() {
            return Vec::new();
        }
        let cache = self.cache_path(id, workspace);
        let kept = KEPT.iter().map(|(name, folder)| (*name, cache.join(folder)));
        let fetched = FETCHED.iter().map(|(name, folder)| (*name, self.fetched().join(folder)));
        // Without a setup nobody fetches anything, and what the user has is read.
        let fetched = fetched.filter(|_| !self.workspace.setup.is_empty());
        kept.chain(fetched).map(|(name, folder)| (name.into(), folder.into())).collect()
    }

    /// Returns what a command of the project is confined to; none where nothing confines it.
    pub(super) fn grant(
        &self,
        id: &ChangeId,
        workspace: &Path,
        command: Command,
    ) -> Result<Option<Grant>, EngineError> {
        let Some(sandbox) = &self.sandbox else { return Ok(None) };
        let mut own = vec![workspace.to_owned()];
        own.push(self.cache_path(id, workspace));
        if command == Command::Setup {
            own.push(self.fetched());
        }
        for folder in &own {
            make_private_folder(folder).or_failed("make", folder)?;
        }
        let read = vec![self.fetched()];
        Ok(Some(Grant { read, ..sandbox.for_check(own, &state_of_all()) }))
    }

    /// Removes what the tools kept that were called in a workspace.
    pub(super) fn clear_cache(&self, id: &ChangeId, workspace: &Path) -> Result<(), EngineError> {
        let cache = self.cache_path(id, workspace);
        Ok(own::clear(&cache).or_failed("remove", &cache)?)
    }

    fn cache_path(&self, id: &ChangeId, workspace: &Path) -> PathBuf {
        self.caches(id).join(workspace.file_name().unwrap_or_default())
    }

    /// Returns the folder of what the setup fetches, the same for all changes of the repository.
    fn fetched(&self) -> PathBuf {
        let caches = self.workspaces.ancestors().nth(2).unwrap_or(&self.workspaces).join("caches");
        caches.join(self.workspaces.file_name().unwrap_or_default())
    }
}
