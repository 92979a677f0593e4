//! The last JSON line of a run: where the change is, and why the run stopped.

use serde::Serialize;
use serde_json::{Value, json};

use super::json::path_text;
use crate::engine::change::Change;
use crate::engine::history::History;
use crate::flow::Position;

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reason {
    Archived,
    Rejected,
    Cancelled,
    Reached,
    Waiting,
    Blocked,
    NotPassed,
    Exhausted,
    Failed,
    Interrupted,
}

impl Reason {
    /// Returns the reason of a run that ended its change, or found it ended.
    pub(crate) fn end_of(history: &History) -> Self {
        if history.is_cancelled() {
            Self::Cancelled
        } else if matches!(history.state.position, Position::Rejected(_)) {
            Self::Rejected
        } else {
            Self::Archived
        }
    }
}

/// Writes the line.
pub(crate) fn json(change: &Change, reason: Reason, error: Option<&str>) -> Value {
    json!({
        "event": "stopped",
        "change": change.id,
        "folder": path_text(&change.folder),
        "stage": change.history.token(),
        "reason": reason,
        "error": error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::CATALOG;
    use crate::engine::change::NewChange;
    use crate::engine::project::Project;

    /// Returns the reason that is listed after this one; the compiler reports a missing one.
    const fn after(reason: Reason) -> Option<Reason> {
        match reason {
            Reason::Archived => Some(Reason::Rejected),
            Reason::Rejected => Some(Reason::Cancelled),
            Reason::Cancelled => Some(Reason::Reached),
            Reason::Reached => Some(Reason::Waiting),
            Reason::Waiting => Some(Reason::Blocked),
            Reason::Blocked => Some(Reason::NotPassed),
            Reason::NotPassed => Some(Reason::Exhausted),
            Reason::Exhausted => Some(Reason::Failed),
            Reason::Failed => Some(Reason::Interrupted),
            Reason::Interrupted => None,
        }
    }

    #[test]
    fn the_last_line_and_every_reason_are_in_the_document() {
        let document = include_str!("../../docs/workflow.md");
        let folder = tempfile::tempdir().unwrap();
        let id = "add-login".parse().unwrap();
        let new = NewChange::following(CATALOG.flow("sdd").unwrap(), "Add login");
        let change = Change::create(&id, &Project::at(folder.path()), new).unwrap();
        let line = json(&change, Reason::Waiting, None);
        let fields = line.as_object().unwrap().keys().filter(|key| *key != "event");
        let fields: Vec<_> = fields.map(|key| format!("`{key}`")).collect();
        let row = format!("\n| `stopped` | {} |", fields.join(", "));
        assert!(document.contains(&row), "{row}\nis not in the document");
        let (_, table) = document.split_once("| reason | ").unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let listed: Vec<_> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        let all = std::iter::successors(Some(Reason::Archived), |reason| after(*reason));
        assert_eq!(listed, all.map(|reason| json!(reason)).collect::<Vec<_>>());
    }
}
