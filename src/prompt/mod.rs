//! From names to prompts: where the parts of a prompt come from.

pub mod session;
