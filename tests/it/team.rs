//! The team flow: its machine, its journal, and changes that a team brings from a request to a person's approval.

mod flow;
mod journals;
mod machine;
