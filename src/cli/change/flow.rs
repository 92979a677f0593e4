//! The flow of a change on the command line: a compiled-in flow, or one of the project.

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
    /// Finds a flow by its name; without a name, the flow that the configuration names.
    pub(crate) fn named(context: &ProjectContext, name: Option<&str>) -> Outcome<Self> {
        let configured = if name.is_none() { context.config()?.flow } else { String::new() };
        find_flow(&context.project.root, name.unwrap_or(&configured))
    }

    /// Returns the flow that a change was started with. The templates of a project's flow are read as they are now; its
    /// table must still be the one that the change recorded.
    pub(crate) fn begun(root: &Path, history: &History) -> Outcome<Self> {
        let name = &history.flow.name;
        let is_built_in = CATALOG.flow(name).is_some();
        let templates = match (!is_built_in).then(|| find_flow(root, name)) {
            None => Arc::default(),
            Some(Ok(found)) if found.flow.hash == history.flow.hash => found.templates,
            Some(Err(failure)) if failure.kind() != Kind::Usage => return Err(failure),
            Some(Ok(_) | Err(_)) => {
                return Err(Failure::precondition(
                    format!("the flow `{name}` has changed since this change was started"),
                    format!(
                        "restore `agentd/flows/{name}.toml` as it was, or cancel the change and start a new one"
                    ),
                ));
            }
        };
        let (flow, guarded) = (Arc::clone(&history.flow), Guarded::default());
        Ok(Self { flow, text: String::new(), templates, is_built_in, guarded })
    }

    /// Returns what the journal of a new change records about the flow.
    pub(super) fn copy(&self) -> FlowCopy {
        FlowCopy::of(&self.flow, &self.text)
    }
}

/// Returns whether the steps of a flow are done by roles.
pub(crate) fn has_roles(flow: &Flow) -> bool {
    flow.steps.iter().any(|step| step.role().is_some())
}

/// Refuses a change whose flow has roles if a phase is requested.
pub(crate) fn ensure_has_phases(id: &ChangeId, flow: &Flow, help: String) -> Outcome {
    if !has_roles(flow) {
        return Ok(());
    }
    let name = &flow.name;
    let message = format!("change `{id}` follows the flow `{name}`, which has roles and no phases");
    Err(Failure::precondition(message, help))
}
