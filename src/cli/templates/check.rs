//! `agentd templates check`: the report of the build, on any folder.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use crate::compile::{compile, load, report};

/// Check a folder of templates as the build does, and report everything that is wrong with it.
///
/// The folder is laid out like the one that `agentd templates export` writes: system/ for the phases'
/// prompts, shared/ for fragments. Exit code 3 means that there are errors.
#[derive(Debug, Args)]
pub(in super::super) struct Check {
    /// The folder that holds system/ and shared/.
    #[arg(default_value = "templates")]
    folder: PathBuf,
}

impl Check {
    pub(in super::super) fn run(&self) -> Outcome {
        let sources = load(&self.folder).map_err(|error| {
            Failure::new(Kind::Io, error.to_string())
                .help("name the folder that holds system/; `agentd templates export DIR` writes one to start from")
        })?;
        let compilation = compile(sources);
        let text = report::human(&compilation, report::Colors::On);
        anstream::stderr().write_all(text.as_bytes())?;
        let shown = self.folder.display();
        if !compilation.is_ok() {
            let message = format!("the templates in `{shown}` are not right");
            return Err(Failure::new(Kind::Template, message));
        }
        let files = compilation.sources.iter().count();
        writeln!(anstream::stdout(), "{shown}: {files} files checked, no errors")?;
        Ok(())
    }
}
