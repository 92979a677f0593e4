//! From a request to an archived change.

pub mod git;
