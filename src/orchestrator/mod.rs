//! What drives the agents: what goes into their prompts, and what their answers say.

#[cfg(feature = "cli")]
pub mod agents;
pub mod markers;
pub mod prompts;

pub use crate::models::marker::{Marker, MarkerError, ReviewResult};
pub use markers::parse_review_marker;
