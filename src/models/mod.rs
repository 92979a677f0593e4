//! Pure data: what the rest of the program passes around. Nothing here reads files or runs anything.

#[doc(hidden)]
pub mod agent;
#[doc(hidden)]
pub mod change;
mod checked_text;
#[doc(hidden)]
pub mod command;
#[doc(hidden)]
pub mod envelope;
#[cfg(feature = "compiler")]
#[doc(hidden)]
pub mod hash;
#[doc(hidden)]
pub mod marker;
#[doc(hidden)]
pub mod mcp_server;
#[doc(hidden)]
pub mod meta;
#[doc(hidden)]
pub mod plan;
pub mod prompt;
#[doc(hidden)]
pub mod review;
#[doc(hidden)]
pub mod run;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod sandbox;
#[cfg(feature = "cli")]
mod secret_places;
#[cfg(feature = "cli")]
pub(crate) mod secrets;
#[doc(hidden)]
pub mod settings;
#[doc(hidden)]
pub mod spec;
#[doc(hidden)]
pub mod task;
#[doc(hidden)]
pub mod template;
#[cfg(feature = "cli")]
pub(crate) mod token_estimate;
#[doc(hidden)]
pub mod tool;
#[doc(hidden)]
pub mod units;
#[doc(hidden)]
pub mod usage;
#[cfg(feature = "cli")]
pub(crate) mod wildcard;
pub(crate) mod word;

pub(crate) use checked_text::checked_text;
