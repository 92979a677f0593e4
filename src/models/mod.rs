//! Pure data: what the rest of the program passes around. Nothing here reads files or runs anything.

pub mod agent;
pub mod change;
pub mod envelope;
pub mod marker;
pub mod prompt;
pub mod run;
pub mod task;
pub mod template;
pub mod tool;
pub mod usage;
