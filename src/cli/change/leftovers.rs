//! What a finished change leaves outside its folder.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::cli::{Outcome, PathContext as _, ProjectContext};
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;

/// The workspaces and the branches of a change.
pub(super) struct Leftovers {
    /// Its folders among the workspaces, sorted.
    pub(super) workspaces: Vec<PathBuf>,
    /// Its branches, sorted: its own, those of its plans, and their backups.
    pub(super) branches: Vec<String>,
}

impl Leftovers {
    /// Finds what is left.
    pub(super) fn find(context: &ProjectContext, id: &ChangeId) -> Outcome<Self> {
        let folder = context.workspaces()?;
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            entries => entries.and_then(Iterator::collect::<io::Result<Vec<_>>>),
        };
        let mut workspaces: Vec<_> = entries
            .or_fail("cannot read", &folder)?
            .into_iter()
            .filter(|entry| {
                let name = entry.file_name();
                // No id contains a full stop, so the name cannot belong to another change.
                let rest = name.to_str().and_then(|name| name.strip_prefix(id.as_str()));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
            .map(|entry| entry.path())
            .collect();
        workspaces.sort();
        Ok(Self { workspaces, branches: context.repository.branches_of(&Setup::branch(id))? })
    }
}
