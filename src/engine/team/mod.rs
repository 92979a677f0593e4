//! The team flow: from a request to a change that a person approves, by a team of roles on the same engine as the
//! spec-driven flow. Pure: `step` (its steps) and `machine` (what is next), `lineup` (which
//! plans are due), `entry` and `history` (what happened).

mod coders;
mod crew;
pub mod diagram;
mod driver;
pub mod entry;
mod errand;
mod facts;
mod handed;
pub mod history;
pub mod lineup;
mod live;
pub mod machine;
mod made;
mod marker;
mod novelty;
pub(in crate::engine) mod papers;
mod plans;
mod preview;
pub(in crate::engine) mod research;
pub mod server;
pub mod step;
mod summary;
mod turn;
mod verdict;
pub mod words;

/// What the project's checks came to, for the reviewer: below the change's folder.
pub const EVIDENCE: &str = "07_review/evidence.md";

/// What the runs of researchers count as, beside the steps.
pub const RESEARCH: &str = "research";

pub use crate::models::plan::Mode;
pub use driver::{TeamStop, TeamWay};
pub use entry::{PlanDone, StepFinished, StepResult, StepStarted};
pub use facts::read_facts;
pub use history::TeamHistory;
pub use lineup::{Batch, Lineup, Unit};
pub use machine::{Impossible, TeamEvent, TeamLimits, TeamNext, TeamOutcome, TeamStage, TeamState};
pub use preview::{Foreseen, ForeseenStep, Said, preview};
pub use research::{Inquiry, ResearchEvent, ResearchKind, TopicRecord, TopicState};
pub use step::TeamStep;
