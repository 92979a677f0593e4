//! From a request to an archived change.

pub mod archive;
pub mod expected;
pub mod git;
