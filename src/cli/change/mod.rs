//! The commands that are about changes: one file each, and `workshop`, which sets up what all of them need.

mod agents;
pub(super) mod cancel;
pub(super) mod decide;
pub(super) mod demo;
pub(super) mod diff;
mod drive;
pub(super) mod dry_run;
mod failure;
pub(super) mod flow;
pub(super) mod here;
pub(super) mod ids;
pub(super) mod list;
mod live;
pub(super) mod log;
pub(super) mod mcp;
pub(super) mod merge;
pub(super) mod phases;
mod remains;
pub(super) mod run;
pub(super) mod show;
pub(super) mod status;
mod summary;
mod taken;
pub(super) mod usage;
pub(super) mod workshop;

pub(super) use ids::id;
pub(super) use workshop::{Room, change_folder, refuse_link, refuse_links, refuse_unnameable};
