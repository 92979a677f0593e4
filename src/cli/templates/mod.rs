//! `agentd templates`: for those who read, check and write prompts. One file a command.

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
    /// Look at, check, render and export the compiled templates.
    Templates {
        List(list::List),
        Show(show::Show),
        Check(check::Check),
        Render(render::Render),
        Export(export::Export),
    }
}

/// Finds the project whose prompts are looked at: the repository that the current folder is in, else that folder.
pub(super) fn project_root() -> Outcome<PathBuf> {
    ProjectContext::find_to_read().map_or_else(|_| current_dir(), |it| Ok(it.project.root))
}
