//! The plans of a group at work: at once where they are parallel, each in a workspace and on a branch of its own, one
//! after the other on the change's desk where they are serial.
//!
//! `run_group` and `run_serial` are the two ways. Both are told by records what was done before, tell a journal of every
//! step before anything relies on it, and may be gone at any point: the next one reaches the same end. What a plan may
//! write, who its agent is and where the journal lies is the caller's.

mod blocking;
pub mod event;
mod group;
pub mod lane;
mod ledger;
mod merge;
mod ownership;
pub mod pool;
mod records;
mod serial;
mod site;
mod workspaces;

pub use event::LaneEvent;
pub use group::run_group;
pub use lane::{Asking, LaneAnswer, LaneRunner, Workplace};
pub use ledger::Journal;
pub use records::{LaneRecords, LaneState, Refused};
pub use serial::run_serial;
pub use site::Site;
