//! Pure data: what the rest of the program passes around. Nothing here reads files or runs anything.

pub mod agent;
pub mod change;
mod checked_text;
pub mod command;
pub mod envelope;
#[cfg(feature = "compiler")]
pub mod hash;
pub mod marker;
pub mod mcp_server;
pub mod meta;
pub mod plan;
pub mod prompt;
pub mod review;
pub mod run;
#[cfg(feature = "cli")]
pub mod sandbox;
#[cfg(feature = "cli")]
mod secret_places;
#[cfg(feature = "cli")]
pub(crate) mod secrets;
pub mod settings;
pub mod spec;
pub mod task;
pub mod template;
pub mod tool;
pub mod units;
pub mod usage;
#[cfg(feature = "cli")]
pub(crate) mod wildcard;
pub(crate) mod word;

pub(crate) use checked_text::checked_text;
