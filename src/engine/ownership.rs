//! Which files of a change's folder a step may write: those it leaves, and what goes with its role.

use std::path::Path;

use super::research::RESEARCH;
use super::roles::is_kept_review;
use crate::flow::{Step, covers};

/// Returns whether a step may write a file of the change's folder.
pub(super) fn may_write(step: &Step, path: &Path) -> bool {
    if step.is_document() {
        let Some(path) = path.to_str() else { return false };
        return step.leaves.iter().any(|file| covers(&file.path, path));
    }
    let is_own = step.folder().is_some_and(|folder| path.starts_with(folder));
    let is_kept = is_kept_review(path) || path.ends_with("08_completion/changes.md");
    let is_asked = step.research && path.starts_with(RESEARCH);
    (is_own && !is_kept) || is_asked || (step.writes_code() && is_checklist(path))
}

/// Whoever carries out a plan ticks its tasks.
fn is_checklist(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.parent() == Some(Path::new("04_planning")) && name.starts_with("tasks")
}
