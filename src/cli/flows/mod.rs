//! `agentd flows`: for those who read, check and write flows. One file a command.

mod check;
mod json;
mod list;
pub(super) mod load;
mod mermaid;
mod show;

use super::commands::commands;

commands! {
    /// Look at the flows that changes follow, and check those of this project.
    Flows {
        List(list::List),
        Show(show::Show),
        Check(check::Check),
    }
}
