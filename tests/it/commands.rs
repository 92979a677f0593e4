//! The commands of the workflow as a user meets them, through the binary, with the offline agent and with agents that
//! misbehave by script.

mod advice;
mod agents;
mod dry_run;
mod evidence;
mod fallback;
mod files;
mod flows;
mod going_on;
mod here;
mod json;
mod limits;
mod links;
mod looking;
mod merging;
mod prompt_of_change;
mod questions;
mod results;
mod rounds;
pub(crate) mod scene;
mod strays;
mod telling;
mod terminal;
