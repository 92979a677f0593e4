//! Which files of a change's folder a step may write: those it leaves, and what goes with its role.

use std::path::Path;

use super::entry::Entry;
use super::history::History;
use super::lanes::LaneEvent;
use super::research::{RESEARCH, ResearchEvent};
use super::roles::is_kept_review;
use crate::flow::{Kind, Step, covers};

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

/// Returns which files an entry acknowledges: from then on they are relied on.
pub(super) fn acknowledged<'h>(
    history: &'h History,
    entry: &Entry,
) -> Option<impl Fn(&Path) -> bool + use<'h>> {
    let step = match entry {
        Entry::Finished(finished) => history.flow.find(&finished.step),
        Entry::Lane(LaneEvent::Finished { .. }) | Entry::PlanDone(_) => {
            let lanes = history.flow.numbered().find(|(_, step)| step.kind == Kind::Lanes);
            lanes.map(|(id, _)| id)
        }
        Entry::Research(ResearchEvent::Finished { .. }) => None,
        _ => return None,
    };
    let step = step.map(|id| history.flow.step(id));
    Some(move |path: &Path| {
        step.map_or_else(|| path.starts_with(RESEARCH), |step| may_write(step, path))
    })
}
