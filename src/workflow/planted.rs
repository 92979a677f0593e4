//! What must not stand in a change's folder when a run takes hold of it.

use std::path::Path;

use super::change::{ChangeError, io_error};
use super::journal;
use super::snapshot;
use crate::files::own;
use crate::orchestrator::run_folder::runs_from;

/// The files and folders of a change that agentd itself replaces without having read them.
const FILES: [&str; 5] = [journal::FILE, journal::TORN, journal::STATE, ".gitignore", "request.md"];
const FOLDERS: [&str; 3] = [snapshot::FOLDER, "runs", "runs/live"];

/// Refuses a change in whose folder something else stands where agentd keeps what is its own. Whoever holds the change
/// clears such a thing away that an agent makes; what was there before may be a trap in somebody's repository.
pub(super) fn refuse_planted(folder: &Path) -> Result<(), ChangeError> {
    for name in FILES {
        let path = folder.join(name);
        own::refuse_unless_file(&path).map_err(|source| io_error("use", &path, source))?;
    }
    for name in FOLDERS {
        let path = folder.join(name);
        own::refuse_unless_folder(&path).map_err(|source| io_error("use", &path, source))?;
    }
    let runs = runs_from(folder, 1).map_err(|source| io_error("read", folder, source))?;
    runs.iter().try_for_each(|run| {
        run.refuse_planted().map_err(|source| io_error("use", &run.path, source))
    })
}
