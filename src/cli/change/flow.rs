//! The flow of a change on the command line: one that is compiled in, or one of the project's own.

use std::path::Path;
use std::sync::Arc;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::flows::load::{FoundFlow, find_flow};
use super::workshop::Room;
use crate::catalog::CATALOG;
use crate::engine::entry::FlowCopy;
use crate::engine::history::History;
use crate::flow::Flow;
use crate::template::OwnTemplate;

/// The flow that a change follows.
pub(in super::super) struct ChosenFlow {
    pub(in super::super) flow: Arc<Flow>,
    /// What the journal of a new change keeps of it.
    pub(super) copy: FlowCopy,
    /// The templates that it brings along.
    pub(super) templates: Arc<[OwnTemplate]>,
}

impl ChosenFlow {
    /// Finds a flow by its name; without one, it is the one that the configuration names.
    pub(in super::super) fn named(room: &Room, name: Option<&str>) -> Outcome<Self> {
        let configured = if name.is_none() { room.config()?.flow } else { String::new() };
        Self::find(&room.project.root, name.unwrap_or(&configured))
    }

    /// Finds a flow that is compiled in, or one of a project.
    pub(in super::super) fn find(root: &Path, name: &str) -> Outcome<Self> {
        let FoundFlow { flow, text, templates, .. } = find_flow(root, name)?;
        let copy = FlowCopy::of(&flow, &text);
        Ok(Self { flow: Arc::new(flow), copy, templates: templates.into() })
    }

    /// Returns the flow that a change began with. The templates of a project's own are read as they are now; its table must
    /// still be the one that the change keeps.
    pub(in super::super) fn begun(root: &Path, history: &History) -> Outcome<Self> {
        let (name, hash) = (&history.flow.name, &history.flow.hash);
        let is_built_in = CATALOG.flow(name).is_some();
        let templates = if is_built_in {
            Arc::default()
        } else {
            match find_flow(root, name) {
                Ok(found) if found.flow.hash == *hash => found.templates.into(),
                Err(failure) if failure.kind() != Kind::Usage => return Err(failure),
                Ok(_) | Err(_) => {
                    let message =
                        format!("the flow `{name}` is not the one that this change began with");
                    let help = format!(
                        "restore `agentd/flows/{name}.toml` as it was, or give the change up and begin another"
                    );
                    return Err(Failure::new(Kind::Precondition, message).help(help));
                }
            }
        };
        Ok(Self {
            flow: Arc::clone(&history.flow),
            copy: FlowCopy::of(&history.flow, ""),
            templates,
        })
    }

    /// Returns whether roles do its work.
    pub(in super::super) fn has_roles(&self) -> bool {
        self.flow.steps.iter().any(|step| step.role().is_some())
    }
}
