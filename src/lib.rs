//! agentd runs coding-agent CLIs, unattended, through a spec-driven workflow on prompts that are compiled.
//!
//! This library is what the binary is made of. Without its default features it is the prompt library alone:
//!
//! - [`catalog`]: the templates, compiled and checked by the build script, with a look-up that cannot fail;
//! - [`template`]: the language they are written in;
//! - [`models::prompt::UnifiedPrompt`]: one complete, stateless request as an XML document;
//! - [`orchestrator::prompts`]: what goes into each phase's prompt.
//!
//! The feature `compiler` adds the module `compile`, with which another crate's `build.rs`
//! compiles its own folder of templates.
//!
//! ```
//! use agentd::{Agent, Phase, Values, Variable, catalog::CATALOG, models::prompt::UnifiedPrompt};
//!
//! let template = CATALOG.system(Agent::Claude, Phase::Plan);
//! let values = Values::new().with(Variable::ProjectContext, "A web shop in Rust.");
//! let prompt = UnifiedPrompt::new("Add login")
//!     .with_system_prompt(template.render(&values))
//!     .with_file("src/main.rs", "fn main() {}");
//! assert!(prompt.to_xml().ends_with("<instructions>Add login</instructions>\n</prompt>\n"));
//! ```

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "tests write the files that they need as they like"
    )
)]

pub mod catalog;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "compiler")]
pub mod compile;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod config;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod engine;
mod files;
#[doc(hidden)]
pub mod flow;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod handoff;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod mcp;
pub mod models;
pub mod orchestrator;
#[cfg(feature = "cli")]
mod output;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod process;
pub mod prompt;
#[cfg(feature = "cli")]
mod schema;
pub mod template;
#[cfg(feature = "compiler")]
mod text;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod tmux;

pub use orchestrator::prompts::TemplateNotFound;
pub use template::{Agent, Phase, Values, Variable, Verdict};
