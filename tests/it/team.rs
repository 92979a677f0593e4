//! The team flow: its journal, and changes that a team brings from a request to a person's approval.

mod advice;
mod again;
mod blocked;
mod delivery;
mod flow;
mod handed_over;
mod handing_in;
mod journals;
mod lanes;
mod live;
mod own_planner;
mod prompts;
mod research;
pub(crate) mod scene;
mod schedule;
mod single_coder;
mod steering;
