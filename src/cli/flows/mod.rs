//! `agentd flows`: for those who read, check and write flows. One file a command.

mod check;
mod list;
pub(super) mod load;
mod mermaid;
mod show;

use clap::Subcommand;

use super::failure::Outcome;

/// Look at the flows that changes follow, and check those of this project.
#[derive(Debug, Subcommand)]
pub(super) enum Flows {
    List(list::List),
    Show(show::Show),
    Check(check::Check),
}

impl Flows {
    pub(super) fn run(&self) -> Outcome {
        match self {
            Self::List(command) => command.run(),
            Self::Show(command) => command.run(),
            Self::Check(command) => command.run(),
        }
    }
}
