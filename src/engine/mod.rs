//! From a request to an archived change: the machine that says what is next, the journal that remembers what was, and
//! the driver that does it.

mod aftermath;
pub mod archive;
pub mod change;
mod desks;
pub mod diagram;
pub mod driver;
pub mod entry;
pub mod error;
pub mod event;
pub mod evidence;
pub mod expected;
pub mod flow;
pub mod git;
mod ground;
pub mod history;
pub mod instructions;
pub mod journal;
pub mod lanes;
pub mod lock;
pub mod machine;
pub mod planted;
pub mod preview;
pub mod project;
mod resume;
mod round;
pub mod schedule;
pub mod setup;
pub mod snapshot;
pub mod spent;
mod strays;
pub mod supplies;
pub mod team;
mod today;
pub mod verify;
mod way;
pub mod work;

pub use desks::Room;
