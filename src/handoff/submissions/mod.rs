//! What is handed in, one file each: its fields, what must hold beyond their shape, and the files made of it.

mod architecture;
mod done;
mod execution_plan;
mod plan;
mod pm_done;
mod research_done;
mod research_request;
mod review;
mod subplan;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use architecture::{Architecture, Component};
pub use done::{Check, Done};
pub(super) use execution_plan::EXECUTION_PLAN;
pub(crate) use execution_plan::{
    EXECUTION_PLAN_FIELDS, GROUP_FIELDS, PLAN_FIELDS, STRATEGY_FIELDS,
};
pub use execution_plan::{ExecutionPlan, Group, PlanReference, ReviewStrategy};
pub use plan::Plan;
pub use pm_done::ProductManagerDone;
pub use research_done::ResearchDone;
pub use research_request::ResearchRequest;
pub use review::{Finding, Review};
pub use subplan::SubPlan;

use super::Tool;
use super::desk::Desk;
use super::fault::Faults;
use super::shape::Field;
use crate::models::plan::PlanIndex;

/// A file that is made of a submission, below the change's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Derived {
    /// Its path.
    pub(super) path: String,
    /// What it holds.
    pub(super) text: String,
}

/// Something that is handed in.
pub(super) trait Submission: DeserializeOwned + Serialize {
    /// Says to a model what handing it in does.
    const ABOUT: &'static str;
    /// Its fields.
    const FIELDS: &'static [Field];

    /// Tells it from others that are handed in with the same tool.
    fn key(&self) -> Option<String> {
        None
    }

    /// Checks what must hold beyond the shape. The shape may be wrong: what is not there is passed over, so that all
    /// faults are found at once.
    fn check(_value: &Value, _desk: &Desk<'_>, _faults: &mut Faults) {}

    /// Lists the sub-plans that it sets aside.
    fn set_aside(&self) -> Vec<PlanIndex> {
        Vec::new()
    }

    /// Makes its files.
    fn derived(&self, desk: &Desk<'_>, tool: Tool) -> Result<Vec<Derived>, String>;
}

/// Returns the items of a list that may not be there.
pub(super) fn items<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// Renders a block, which ends in one line break; that fails only where a value's own formatting does.
fn rendered(block: &impl askama::Template) -> Result<String, String> {
    let text = block.render().map_err(|error| error.to_string())?;
    Ok(format!("{}\n", text.trim_end()))
}
