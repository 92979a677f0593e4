//! agentd runs coding-agent CLIs, unattended, through a spec-driven workflow on prompts that are compiled.

pub mod catalog;
#[cfg(feature = "compiler")]
pub mod compile;
pub mod template;

pub use template::{Agent, Phase, Values, Variable, Verdict};
