//! The template language: what a prompt is before anyone knows what it says.
//!
//! The files follow the pipeline: [`vocab`], [`team`] and [`dialect`] are the data, then [`lexer`] -> [`parser`] ->
//! [`mod@render`]. [`mod@frames`] finds the tags that templates put round values, and [`tags`] keeps values from making
//! any. This folder depends on `memchr` alone and knows no file system: `build.rs` mounts it as it stands, so that the
//! build and the program share one language.

pub mod dialect;
pub mod frames;
pub mod lexer;
pub mod nearest;
pub mod node;
pub mod own;
pub mod parser;
pub mod render;
pub mod slot;
pub mod span;
mod tag_name;
pub mod tags;
pub mod team;
pub mod value;
pub mod values;
pub mod vocab;
pub(crate) mod words;

pub use dialect::{Dialect, Directive};
pub use frames::{FrameFaultKind, Frames, frames};
pub use node::{Node, Part};
pub use own::OwnTemplate;
pub use parser::{Fault, FaultKind, Parsed, parse};
pub use render::{IncludeFault, Includes, NoIncludes, OnMissing, RenderError, Scope, render};
pub use slot::{Measured, Slot};
pub use span::{LineIndex, Position, Span};
pub use tag_name::is_invisible;
pub use tags::{Ending, Tags};
pub use team::{Command, Placeholder, Role, TeamPrompt};
pub use value::{OwnText, Text, Value};
pub use values::Values;
pub use vocab::{Agent, Phase, TaskStatus, Variable, Verdict};
pub use words::Word;
