//! `agentd flows check`: the checks of the build, on the flows of a project or of any folder.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::load::{self, FlowFiles};
use crate::cli::templates::project_root;
use crate::cli::{Failure, Kind, Outcome, PathContext as _, print_text};
use crate::compile::report::Colors;
use crate::output::escape_control::escape_control;

/// Check flows as the build does, by exploring every state that a change can reach, and report all faults.
///
/// A flow is a file NAME.toml; the templates of its own steps are beside it: NAME/AGENT-STEP.md, or NAME/BASE-STEP.md
/// for every agent. Without a folder this checks agentd/flows of this project. Exit code 3 means that there are faults.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The folder that holds the flows.
    folder: Option<PathBuf>,
}

impl Check {
    pub(super) fn run(&self) -> Outcome {
        let (files, shown) = match &self.folder {
            None => (FlowFiles::of_project(&project_root()?)?, load::FOLDER.to_owned()),
            Some(folder) => {
                let shown = folder.display().to_string();
                let shown = shown.trim_end_matches('/').to_owned();
                let folder = folder.canonicalize().or_fail("cannot open", folder)?;
                (FlowFiles::read(&folder, &shown)?, shown)
            }
        };
        let compilation = files.compile();
        anstream::stderr().write_all(compilation.report_in(Colors::On).as_bytes())?;
        if !compilation.is_ok() {
            let message = format!("the flows in `{}` have faults", escape_control(&shown));
            return Err(Failure::new(Kind::Template, message).help(
                "docs/flows.md explains each fault, and `agentd flows show sdd` shows a valid flow",
            ));
        }
        let flows = compilation.flows.len();
        let noun = if flows == 1 { "flow" } else { "flows" };
        print_text(&format!("{shown}: {flows} {noun} checked, no faults\n"))
    }
}
