//! The flow of a change on the command line: one that is compiled in, or one of the project's own.

use std::path::Path;
use std::sync::Arc;

use crate::catalog::CATALOG;
use crate::cli::flows::load::{FoundFlow, find_flow};
use crate::cli::{Failure, Kind, Outcome, ProjectContext};
use crate::config::Guarded;
use crate::engine::entry::FlowCopy;
use crate::engine::history::History;
use crate::flow::Flow;
use crate::models::change::ChangeId;

impl FoundFlow {
    /// Finds a flow by its name; without one, it is the one that the configuration names.
    pub(crate) fn named(context: &ProjectContext, name: Option<&str>) -> Outcome<Self> {
        let configured = if name.is_none() { context.config()?.flow } else { String::new() };
        find_flow(&context.project.root, name.unwrap_or(&configured))
    }

    /// Returns the flow that a change began with. The templates of a project's own are read as they are now; its table must
    /// still be the one that the change keeps.
    pub(crate) fn begun(root: &Path, history: &History) -> Outcome<Self> {
        let name = &history.flow.name;
        let is_built_in = CATALOG.flow(name).is_some();
        let templates = match (!is_built_in).then(|| find_flow(root, name)) {
            None => Arc::default(),
            Some(Ok(found)) if found.flow.hash == history.flow.hash => found.templates,
            Some(Err(failure)) if failure.kind() != Kind::Usage => return Err(failure),
            Some(Ok(_) | Err(_)) => {
                return Err(Failure::precondition(
                    format!("the flow `{name}` is not the one that this change began with"),
                    format!(
                        "restore `agentd/flows/{name}.toml` as it was, or give the change up and begin another"
                    ),
                ));
            }
        };
        let (flow, guarded) = (Arc::clone(&history.flow), Guarded::default());
        Ok(Self { flow, text: String::new(), templates, is_built_in, guarded })
    }

    /// Returns what the journal of a new change keeps of the flow.
    pub(super) fn copy(&self) -> FlowCopy {
        FlowCopy::of(&self.flow, &self.text)
    }
}

/// Returns whether roles do the work of a flow.
pub(crate) fn has_roles(flow: &Flow) -> bool {
    flow.steps.iter().any(|step| step.role().is_some())
}

/// Refuses a change whose flow has roles, where a phase is asked for.
pub(crate) fn ensure_has_phases(id: &ChangeId, flow: &Flow, help: String) -> Outcome {
    if !has_roles(flow) {
        return Ok(());
    }
    let name = &flow.name;
    let message = format!("change `{id}` follows the flow `{name}`, which has roles and no phases");
    Err(Failure::precondition(message, help))
}
