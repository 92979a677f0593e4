//! What an agent is confined to: it writes in its workspace, its outbox, its part of the run's folder and the state of its CLI.

use std::path::{Path, PathBuf};

use super::agents::adapter;
use super::caller::Orchestrator;
use crate::files::make_private_folder;
use crate::models::run::Invocation;
use crate::models::sandbox::Grant;

impl Orchestrator {
    /// Returns whether the agent works in copies: what must not change there is not taken.
    pub(super) fn is_given_copies(&self) -> bool {
        self.place.workspace != self.place.project
    }

    /// Returns what an agent is confined to that may write some places; none where nothing confines agents.
    pub(super) fn grant(&self, invocation: &Invocation, places: &[&Path]) -> Option<Grant> {
        let Self { agent, place, .. } = self;
        let sandbox = place.sandbox.as_ref()?;
        let adapter = adapter(&agent.protocol);
        let mut own: Vec<_> = places.iter().map(|path| path.to_path_buf()).collect();
        let variable = |name: &str| invocation.env.iter().find(|(key, _)| key == name);
        let home = adapter.home().and_then(variable).map(|(_, home)| PathBuf::from(home));
        own.extend(home);
        own.extend(adapter.state().iter().flat_map(|path| sandbox.places(path)));
        own.extend(place.caches.clone());
        // A folder that is not there yet could not be granted. Without it, the CLI itself says what is wrong.
        for path in
            own.iter().filter(|path| path.extension() != Some("json".as_ref()) && !path.exists())
        {
            let _ = make_private_folder(path);
        }
        let read = place.fetched.iter().cloned().collect();
        Some(Grant { read, ..sandbox.for_agent(own, &adapter.state_of_others()) })
    }
}
