//! What is left of a change that goes no further, outside of its folder, and the commands that remove it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::failure::{Failure, Outcome};
use crate::engine::git::Repository;
use crate::engine::setup::Setup;
use crate::models::change::ChangeId;
use crate::models::command::quoted;

/// The workspaces and the branches of a change.
pub(super) struct Remains {
    /// Its folders among the workspaces, in order.
    pub(super) folders: Vec<PathBuf>,
    /// Its branches, in order: its own, those of its plans, and what was kept of them.
    pub(super) branches: Vec<String>,
}

impl Remains {
    /// Finds what is left; `worktrees` is where the workspaces of the project are.
    pub(super) fn of(repository: &Repository, worktrees: &Path, id: &ChangeId) -> Outcome<Self> {
        let folders = folders(worktrees, id)
            .map_err(|error| Failure::io("cannot read", worktrees, &error))?;
        Ok(Self { folders, branches: repository.branches_of(&Setup::branch(id))? })
    }

    /// Gives the commands that remove it, in the order in which they can be typed: a branch that is checked out stays.
    pub(super) fn commands(&self) -> Vec<String> {
        let removal = |path: &PathBuf| format!("rm -r {}", quoted(&path.to_string_lossy()));
        let branch = |branch: &String| format!("git branch -D {}", quoted(branch));
        self.folders.iter().map(removal).chain(self.branches.iter().map(branch)).collect()
    }
}

fn folders(worktrees: &Path, id: &ChangeId) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(worktrees) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        // No id has a full stop, so that it is no other change's.
        let rest = name.to_str().and_then(|name| name.strip_prefix(id.as_str()));
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.')) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}
