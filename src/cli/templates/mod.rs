//! `agentd templates`: commands to read, check and write prompts. One file per command.

mod check;
mod export;
mod extensions;
mod list;
mod render;
mod show;

use super::commands::commands;

use std::path::PathBuf;

use crate::cli::{Outcome, ProjectContext, current_dir};

pub(super) use export::TEMPLATES;

commands! {
    /// Show, check, render and export the compiled templates.
    Templates {
        List(list::List),
        Show(show::Show),
        Check(check::Check),
        Render(render::Render),
        Export(export::Export),
    }
}

/// Finds the project whose prompts are meant: the repository of the current folder, else that folder.
pub(super) fn project_root() -> Outcome<PathBuf> {
    ProjectContext::find_to_read().map_or_else(|_| current_dir(), |it| Ok(it.project.root))
}
