//! `agentd templates`: for those who read, check and write prompts. One file a command.

mod check;
mod export;
mod list;
mod render;
mod show;

use clap::Subcommand;

use super::failure::Outcome;

/// Look at, check, render and export the compiled templates.
#[derive(Debug, Subcommand)]
pub(super) enum Templates {
    List(list::List),
    Show(show::Show),
    Check(check::Check),
    Render(render::Render),
    Export(export::Export),
}

impl Templates {
    pub(super) fn run(&self) -> Outcome {
        match self {
            Self::List(command) => command.run(),
            Self::Show(command) => command.run(),
            Self::Check(command) => command.run(),
            Self::Render(command) => command.run(),
            Self::Export(command) => command.run(),
        }
    }
}
