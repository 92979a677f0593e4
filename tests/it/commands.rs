//! The commands of the workflow as a user meets them, through the binary, with the offline agent and with agents that
//! misbehave by script.

mod advice;
mod agents;
mod baseline;
mod discarding;
mod dry_run;
mod edits;
mod evidence;
mod exceptions;
mod fallback;
mod files;
mod flows;
mod going_on;
mod here;
mod ignored_places;
mod interrupting;
mod irregular;
mod json;
mod killed;
mod limits;
mod links;
mod looking;
mod merging;
mod outboxes;
mod person_only;
mod places;
mod prompt_of_change;
mod pruning;
mod questions;
mod rebasing;
mod results;
mod rounds;
pub(crate) mod scene;
mod strays;
mod telling;
mod terminal;
mod vendors;
