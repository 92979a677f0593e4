//! How agents hand in their work: with tools, or in YAML files with the same fields, both through one check that lists
//! every fault. What was handed in becomes the files of its phase. Who cannot go on without a person hands in `blocked`.
//!
//! `shape` describes fields as data, `submissions/` has one file for each thing that is handed in, and `desk` takes
//! it. Nothing here knows how a call arrives (that is `mcp`) or what happens next (that is the engine's).

mod blocked;
mod desk;
mod fallback;
mod fault;
mod ground;
mod json_schema;
mod preference;
mod record;
mod set_aside;
mod shape;
mod submissions;
mod text;
mod tool;
mod verdict;
mod yaml;

pub use crate::models::review::ReviewVerdict;
pub use blocked::{blocked, blocked_in};
pub use desk::{Desk, HandoffError, Novelty, Receipt};
pub use fallback::{FallbackFile, Taken, fallback_files, read_fallback};
pub use fault::{Fault, Faults, Place};
pub use ground::ScheduleCheck;
pub use preference::{Approval, PreferenceMemory};
pub use record::{Submitted, close, open, submission, submissions};
pub use set_aside::named as set_aside;
pub use shape::{Field, Kind, LARGEST_SUBMISSION, LARGEST_TEXT, LONGEST_LINE, LONGEST_LIST, Need};
pub use submissions::{
    Architecture, Check, Component, Done, ExecutionPlan, Finding, Group, Mode, Plan, PlanReference,
    ProductManagerDone, ResearchDone, ResearchRequest, Review, ReviewStrategy, Severity, SubPlan,
};
pub use tool::Tool;
pub use verdict::{Claims, MarkerClaim, NoVerdict};
