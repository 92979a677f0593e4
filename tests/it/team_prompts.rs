//! The prompts of the team: what goes into each, what a project adds, which files they may include, and how agents get
//! to read them.

mod builders;
mod checking;
mod commands;
mod contracts;
mod extensions;
mod handoff;
mod includes;
mod reach;
pub(crate) mod scene;
mod tables;
