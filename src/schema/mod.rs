//! Fields as data: which a map has, what may stand under each, and what is wrong with a value that was read. The
//! configuration and what agents hand in are described so; their checks, their JSON schemas and the tables of their
//! documentation are made of that. Each says in its own words what is wrong.

mod check;
mod json;
mod kind;
mod path;

pub(crate) use check::{Accepted, AcceptedEntry, Check, Problem, Wrong};
pub(crate) use json::json_schema;
pub use kind::{Field, Kind, LONGEST_LIST, Need};
pub(crate) use kind::{Names, Sort};
pub(crate) use kind::{listed, named};
pub(crate) use path::{Path, quoted};
