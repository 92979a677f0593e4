//! `agentd flows`: commands to read and check flows, one file per command.

mod check;
mod json;
mod list;
pub(super) mod load;
mod mermaid;
mod show;

use super::commands::commands;

commands! {
    /// Show the flows that changes use, and check those of this project.
    Flows {
        List(list::List),
        Show(show::Show),
        Check(check::Check),
    }
}
