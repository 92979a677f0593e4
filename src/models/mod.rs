//! Pure data: what the rest of the program passes around. Nothing here reads files or runs anything.

pub mod envelope;
pub mod marker;
pub mod prompt;
pub mod template;
pub mod tool;
