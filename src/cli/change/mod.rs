//! The commands about changes, one file each, and what they share: `flow` finds the flow of a change, `agents` chooses
//! the agents, `setup` prepares what the engine needs, `drive` runs a change, `next` names the next command for a
//! person.

mod agents;
mod baseline;
pub(super) mod cancel;
pub(super) mod decide;
pub(super) mod demo;
pub(super) mod diff;
pub(super) mod discard;
mod drive;
pub(super) mod dry_run;
pub(super) mod flow;
mod gate;
mod leftovers;
pub(super) mod list;
mod live;
pub(super) mod log;
pub(super) mod mcp;
pub(super) mod merge;
mod merge_status;
mod next;
pub(super) mod overview;
pub(super) mod phases;
pub(super) mod prune;
pub(super) mod rebase;
pub(super) mod request;
pub(super) mod run;
pub(super) mod setup;
pub(super) mod show;
pub(super) mod status;
mod summary;
pub(super) mod usage;
mod vendors;
