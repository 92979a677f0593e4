//! The template language: what a prompt is before anyone knows what it says.
//!
//! The files follow the pipeline: [`vocab`], [`team`] and [`dialect`] are the data, then [`lexer`] -> [`parser`] ->
//! [`mod@render`]. [`mod@frames`] finds the tags that templates put round values, and [`tags`] keeps values from making
//! any. This folder depends on `memchr` alone and knows no file system: `build.rs` mounts it as it stands, so that the
//! build and the program share one language.

#[doc(hidden)]
pub mod dialect;
#[doc(hidden)]
pub mod frames;
#[doc(hidden)]
pub mod lexer;
#[doc(hidden)]
pub mod nearest;
#[doc(hidden)]
pub mod node;
#[doc(hidden)]
pub mod own;
#[doc(hidden)]
pub mod parser;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod slot;
#[doc(hidden)]
pub mod span;
mod tag_name;
#[doc(hidden)]
pub mod tags;
#[doc(hidden)]
pub mod team;
#[doc(hidden)]
pub mod value;
#[doc(hidden)]
pub mod values;
#[doc(hidden)]
pub mod vocab;
pub(crate) mod words;

#[doc(hidden)]
pub use dialect::{Dialect, Directive};
#[doc(hidden)]
pub use frames::{FrameFaultKind, Frames, frames};
#[doc(hidden)]
pub use node::{Node, Part};
#[doc(hidden)]
pub use own::OwnTemplate;
#[doc(hidden)]
pub use parser::{Fault, FaultKind, Parsed, parse};
#[doc(hidden)]
pub use render::{IncludeFault, Includes, NoIncludes, OnMissing, RenderError, Scope, render};
#[doc(hidden)]
pub use slot::{Measured, Slot};
#[doc(hidden)]
pub use span::{LineIndex, Position, Span};
#[doc(hidden)]
pub use tag_name::is_invisible;
#[doc(hidden)]
pub use tags::{Ending, Tags};
#[doc(hidden)]
pub use team::{Command, Placeholder, Role, TeamPrompt};
pub use value::{OwnText, Text, Value};
pub use values::Values;
pub use vocab::{Agent, Phase, TaskStatus, Variable, Verdict};
#[doc(hidden)]
pub use words::Word;
