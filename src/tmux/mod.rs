//! tmux, as far as agentd needs it: a server of its own, so that the user's is never touched. `command` is pure and says
//! which words make tmux do something; `server` runs them. Nothing here knows agents, changes or roles.

pub mod command;
mod server;

pub use command::{Look, SessionName};
pub use server::{Pane, Tmux, TmuxError};
