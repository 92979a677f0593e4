//! The team flow: its machine, its journal, and changes that a team brings from a request to a person's approval.

mod delivery;
mod flow;
mod handing_in;
mod journals;
mod lanes;
mod live;
mod machine;
mod research;
mod scene;
mod schedule;
mod steering;
