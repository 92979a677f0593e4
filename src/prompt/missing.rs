//! What is said when a prompt lacks a value.

use log::warn;

/// Warns that the agent will read a note in place of a value.
pub(crate) fn warn_of(name: &str) {
    warn!("no value for {name}: the prompt says \"Context not provided\" in its place");
}
