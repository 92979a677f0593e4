//! The team flow: from a request to a change that a person approves, by a team of roles on the same engine as the
//! spec-driven flow. Pure: `step` (its steps) and `machine` (what is next), `lineup` (which
//! plans are due), `entry` and `history` (what happened).

pub mod entry;
pub mod history;
pub mod lineup;
pub mod machine;
pub mod step;
mod summary;
pub mod words;

pub use entry::{PlanDone, StepFinished, StepResult, StepStarted};
pub use history::TeamHistory;
pub use lineup::{Batch, Lineup, Mode, Unit};
pub use machine::{Impossible, TeamEvent, TeamLimits, TeamNext, TeamOutcome, TeamStage, TeamState};
pub use step::TeamStep;
