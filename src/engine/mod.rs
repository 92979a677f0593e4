//! From a request to an archived change: the flow says what is next, the journal remembers what happened, and the driver does
//! it.

mod aftermath;
pub mod archive;
mod attempt;
mod call;
pub mod change;
pub mod check_report;
mod checks;
mod coder;
mod coders;
mod desks;
mod document_result;
pub mod driver;
pub mod entry;
pub mod error;
pub mod event;
pub mod expected;
mod flows;
pub mod git;
mod ground;
pub mod history;
pub mod instructions;
pub mod journal;
pub mod lanes;
pub mod lock;
mod ownership;
pub mod plan_order;
pub mod planted;
mod position;
pub mod preview;
pub mod project;
pub mod project_command;
mod put_away;
pub mod research;
mod resume;
pub mod roles;
pub mod schedule;
pub mod setup;
pub mod snapshot;
pub mod spent;
mod step_attempt;
mod strays;
pub mod supplies;
mod today;
mod way;

pub use desks::Room;
