//! What drives the agents: what goes into their prompts, how they are asked, and what their answers say.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod agents;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod answer_files;
#[cfg(feature = "cli")]
mod budget;
#[cfg(feature = "cli")]
mod call;
#[cfg(feature = "cli")]
mod caller;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod capability;
#[cfg(feature = "cli")]
pub(crate) mod clock;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod confinement;
#[cfg(feature = "cli")]
mod error;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod live;
#[doc(hidden)]
pub mod markers;
#[cfg(feature = "cli")]
mod message;
#[cfg(feature = "cli")]
mod named;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod offline;
#[cfg(feature = "cli")]
mod phase;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod prices;
#[cfg(feature = "cli")]
mod prompt_fit;
pub mod prompts;
#[cfg(feature = "cli")]
mod retry;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod run_folder;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod watch;

#[cfg(feature = "cli")]
pub use crate::models::agent::AgentSettings;
pub use crate::models::change::ChangeId;
pub use crate::models::marker::{Marker, MarkerError, ReviewResult};
pub use crate::models::usage::UsageMetrics;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use budget::{Budget, Ledger};
#[cfg(feature = "cli")]
pub use caller::{Orchestrator, Place};
#[cfg(feature = "cli")]
pub(crate) use command::OUTBOX;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use command::RunContext;
#[cfg(feature = "cli")]
pub use error::RunError;
pub use markers::parse_review_marker;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use message::AgentMessage;
#[cfg(feature = "cli")]
pub use named::{ClaudeOrchestrator, CodexOrchestrator, GeminiOrchestrator};
#[cfg(feature = "cli")]
pub use phase::PhaseOutcome;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use prompt_fit::Composed;
