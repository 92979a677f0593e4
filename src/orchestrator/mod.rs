//! What drives the agents: what goes into their prompts, how they are asked, and what their answers say.

#[cfg(feature = "cli")]
pub mod agents;
#[cfg(feature = "cli")]
mod allowance;
#[cfg(feature = "cli")]
mod ask;
#[cfg(feature = "cli")]
mod caller;
#[cfg(feature = "cli")]
pub(crate) mod clock;
#[cfg(feature = "cli")]
mod compose;
#[cfg(feature = "cli")]
pub mod delivery;
#[cfg(feature = "cli")]
mod errand;
#[cfg(feature = "cli")]
mod error;
#[cfg(feature = "cli")]
pub mod fitness;
#[cfg(feature = "cli")]
mod invocation;
#[cfg(feature = "cli")]
pub mod live;
pub mod markers;
#[cfg(feature = "cli")]
mod named;
#[cfg(feature = "cli")]
pub mod offline;
#[cfg(feature = "cli")]
mod phase;
pub mod prompts;
#[cfg(feature = "cli")]
pub mod run_folder;
#[cfg(feature = "cli")]
pub mod watch;

pub use crate::models::marker::{Marker, MarkerError, ReviewResult};
pub use crate::models::usage::UsageMetrics;
#[cfg(feature = "cli")]
pub use allowance::Allowance;
#[cfg(feature = "cli")]
pub use caller::{Orchestrator, Place};
#[cfg(feature = "cli")]
pub use compose::Composed;
#[cfg(feature = "cli")]
pub use errand::{Answered, Errand};
#[cfg(feature = "cli")]
pub use error::RunError;
#[cfg(feature = "cli")]
pub use invocation::Occasion;
pub use markers::parse_review_marker;
#[cfg(feature = "cli")]
pub use named::{ClaudeOrchestrator, CodexOrchestrator, GeminiOrchestrator};
#[cfg(feature = "cli")]
pub use phase::PhaseOutcome;
