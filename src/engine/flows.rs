//! The flow of a change: one that is compiled in, or the project's own as it was when the change began.

use std::sync::Arc;

use super::entry::FlowCopy;
use crate::catalog::CATALOG;
use crate::compile::flow::compile_text;
use crate::flow::Flow;

/// Returns the flow that a journal's copy stands for, or why there is none.
pub(super) fn of_copy(copy: &FlowCopy) -> Result<Arc<Flow>, String> {
    let FlowCopy { name, hash, text } = copy;
    if let Some(flow) = CATALOG.flow(name).filter(|flow| flow.hash == hash.as_str()) {
        return Ok(Arc::new(flow.clone()));
    }
    // A journal may be edited: what it says is compiled and proved like any other flow.
    let flow = compile_text(name, text)
        .map_err(|_| format!("the flow `{name}` that the change was started with has faults"))?;
    if flow.hash != hash.as_str() {
        return Err(format!("the flow `{name}` has changed since the change was started"));
    }
    Ok(Arc::new(flow))
}
