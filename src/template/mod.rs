//! The template language: what a prompt is before anyone knows what it says.
//!
//! The files follow the pipeline: [`vocab`], [`team`] and [`dialect`] are the data, then [`lexer`] -> [`parser`] ->
//! [`mod@render`]. This folder has no dependencies and knows no file system: `build.rs` mounts it as it
//! stands, so that the build and the program share one language.

pub mod dialect;
pub mod lexer;
pub mod nearest;
pub mod node;
pub mod parser;
pub mod render;
pub mod span;
pub mod team;
pub mod values;
pub mod vocab;
pub(crate) mod words;

pub use dialect::{Dialect, Directive};
pub use node::{Node, Part};
pub use parser::{Fault, FaultKind, Parsed, parse};
pub use render::{IncludeFault, Includes, NoIncludes, OnMissing, RenderError, Scope, render};
pub use span::{LineIndex, Position, Span};
pub use team::{Command, Placeholder, Role, TeamPrompt};
pub use values::Values;
pub use vocab::{Agent, Phase, TaskStatus, Variable, Verdict};
