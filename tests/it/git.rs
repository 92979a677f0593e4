//! Git: workspaces, commits, patches and merges in real repositories, with the user's checkout as it was.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod diffs;
mod irregular;
mod lookups;
mod merges;
mod quiet;
mod races;
mod repositories;
mod results;
pub(crate) mod scene;
mod sketches;
mod unfit;
mod workspaces;
