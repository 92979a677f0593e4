//! `agentd templates`: for those who read, check and write prompts. One file a command.

mod check;
mod export;
mod extensions;
mod list;
mod render;
mod show;

use std::path::PathBuf;

use clap::Subcommand;

use super::change::workshop::Room;
use super::failure::{Failure, Kind, Outcome};

pub(super) use export::TEMPLATES;

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

/// Finds the project whose prompts are looked at: the repository that the current folder is in, else that folder.
pub(super) fn project_root() -> Outcome<PathBuf> {
    match Room::look() {
        Ok(room) => Ok(room.project.root),
        Err(_) => std::env::current_dir().map_err(|error| {
            Failure::new(Kind::Io, format!("cannot find out the current folder: {error}"))
        }),
    }
}
