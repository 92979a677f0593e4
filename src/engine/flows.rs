//! The flow of a change: one that is compiled in, or the project's own as it was when the change began.

use std::sync::Arc;

use super::entry::FlowCopy;
use crate::catalog::CATALOG;
use crate::flow::Flow;

/// Returns the flow that a journal's copy stands for, or why there is none.
pub(super) fn of_copy(copy: &FlowCopy) -> Result<Arc<Flow>, String> {
    let FlowCopy { name, hash, text } = copy;
    if let Some(flow) = CATALOG.flow(name).filter(|flow| flow.hash == hash.as_str()) {
        return Ok(Arc::new(flow.clone()));
    }
    let _ = text;
    Err(format!("the change began with another version of the flow `{name}` than this agentd has"))
}
