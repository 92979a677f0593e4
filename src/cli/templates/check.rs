//! `agentd templates check`: the checks of the build, on any folder, and on a project's extensions of our prompts.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{extensions, project_root};
use crate::cli::{Failure, Kind, Outcome};
use crate::compile::{compile, load, report};

/// The default folder.
const TEMPLATES: &str = "templates";

/// Check a folder of templates as the build does, and report all faults.
///
/// The folder has the layout that `agentd templates export` writes: system/ for the phases' prompts, shared/ for
/// fragments. Without a folder this checks templates/, if it exists, and the files with which this project extends the
/// prompts of the team: agentd/prompts and .agentmux/prompts, each with agents/ROLE.md and commands/COMMAND.md. Exit
/// code 3 means that there are errors.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The folder that holds system/ and shared/.
    folder: Option<PathBuf>,
    /// Check only the files with which this project extends the prompts of the team.
    #[arg(long, conflicts_with = "folder")]
    project: bool,
}

impl Check {
    pub(crate) fn run(&self) -> Outcome {
        if let Some(folder) = &self.folder {
            return templates(folder);
        }
        let checked = extensions::check(&project_root()?)?;
        if self.project || checked > 0 {
            let files = if checked == 1 { "file" } else { "files" };
            let text = format!("{checked} {files} of this project checked, no errors");
            writeln!(anstream::stdout(), "{text}")?;
        }
        if self.project || (checked > 0 && !Path::new(TEMPLATES).exists()) {
            return Ok(());
        }
        templates(Path::new(TEMPLATES))
    }
}

fn templates(folder: &Path) -> Outcome {
    let sources = load(folder).map_err(|error| {
        Failure::new(Kind::Io, error.to_string())
            .help("name the folder that holds system/; `agentd templates export DIR` writes one to start from")
    })?;
    let compilation = compile(sources);
    let text = report::human(&compilation, report::Colors::On);
    anstream::stderr().write_all(text.as_bytes())?;
    let shown = folder.display();
    if !compilation.is_ok() {
        let message = format!("the templates in `{shown}` have errors");
        return Err(Failure::new(Kind::Template, message));
    }
    let files = compilation.sources.iter().count();
    writeln!(anstream::stdout(), "{shown}: {files} files checked, no errors")?;
    Ok(())
}
