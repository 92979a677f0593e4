//! How agents hand in their work: with tools, or in YAML files with the same fields, both through one check that lists
//! every fault. What was handed in becomes the files of its phase. Who cannot go on without a person hands in `blocked`.
//!
//! `shape` has the sorts of values that fields hold, `submissions/` has one file for each thing that is handed in, and `desk` takes
//! it. Nothing here knows how a call arrives (that is `mcp`) or what happens next (that is the engine's).

mod blocked;
mod desk;
mod fallback;
mod fault;
mod preference;
mod record;
mod review_claims;
mod set_aside;
mod shape;
mod submissions;
mod text;
mod tool;
mod yaml;

pub use crate::models::review::ReviewVerdict;
pub use blocked::{blocked, blocked_in};
pub use desk::{Desk, HandoffError, Novelty, Receipt, ScheduleCheck};
pub use fallback::{FallbackFile, Taken, fallback_files, read_fallback};
pub use fault::{Fault, Faults, Place};
pub use preference::{Approval, PreferenceMemory, preferences};
pub use record::{Submitted, close, submission, submissions};
pub use review_claims::{Claims, MarkerClaim, NoVerdict};
pub use set_aside::named as set_aside;
pub use shape::{Field, Kind, LARGEST_SUBMISSION, LARGEST_TEXT, LONGEST_LINE, LONGEST_LIST, Need};
pub use submissions::{
    Architecture, Check, Component, Done, ExecutionPlan, Finding, Group, Plan, PlanReference,
    ProductManagerDone, ResearchDone, ResearchRequest, Review, ReviewStrategy, SubPlan,
};
pub(crate) use submissions::{EXECUTION_PLAN_FIELDS, GROUP_FIELDS, PLAN_FIELDS, STRATEGY_FIELDS};
pub use tool::Tool;
