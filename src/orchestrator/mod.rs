//! What drives the agents: for now, what goes into their prompts.

pub mod prompts;
