//! The flow of a change on the command line: one that is compiled in, or one of the project's own.

use std::sync::Arc;

use super::super::failure::{Failure, Kind, Outcome};
use super::workshop::Room;
use crate::catalog::CATALOG;
use crate::engine::entry::FlowCopy;
use crate::engine::history::History;
use crate::flow::Flow;
use crate::template::nearest::nearest;

/// The flow that a change follows.
pub(in super::super) struct ChosenFlow {
    pub(in super::super) flow: Arc<Flow>,
    /// What the journal of a new change keeps of it.
    pub(super) copy: FlowCopy,
}

impl ChosenFlow {
    /// Finds a flow by its name; without one, it is the one that the configuration names.
    pub(in super::super) fn named(_room: &Room, name: Option<&str>) -> Outcome<Self> {
        Self::built_in(name.unwrap_or("sdd"))
    }

    /// Finds a flow that is compiled in.
    pub(in super::super) fn built_in(name: &str) -> Outcome<Self> {
        let flow = CATALOG.flow(name).ok_or_else(|| {
            let names: Vec<_> = CATALOG.flows.iter().map(|flow| flow.name.as_ref()).collect();
            let help = match nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the flows are {}", names.join(", ")),
            };
            Failure::new(Kind::Usage, format!("there is no flow `{name}`")).help(help)
        })?;
        Ok(Self { flow: Arc::new(flow.clone()), copy: FlowCopy::of(flow, None) })
    }

    /// Returns the flow that a change began with.
    pub(in super::super) fn begun(history: &History) -> Outcome<Self> {
        Ok(Self { flow: Arc::clone(&history.flow), copy: FlowCopy::of(&history.flow, None) })
    }

    /// Returns whether roles do its work.
    pub(in super::super) fn has_roles(&self) -> bool {
        self.flow.steps.iter().any(|step| step.role().is_some())
    }
}
