//! Agents on screens of their own, in a tmux session that people can look at: a message is typed into the agent's screen,
//! and that the work is handed over shows in the change's files. Which files those are is known elsewhere.

mod delivery;
mod input;
mod pane;
mod record;
mod session;
mod signs;
mod typing;
mod wait;

pub use delivery::{Attempt, LiveTurn};
pub use session::{LiveError, LiveSession};
pub use signs::Signs;
