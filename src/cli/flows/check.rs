//! `agentd flows check`: the report of the build, on the flows of a project or of any folder.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::templates::project_root;
use super::load::{self, FlowFiles};
use crate::compile::report::Colors;
use crate::output::visible::visible;

/// Check flows as the build does, by visiting every state that a change can be in, and report everything that is wrong.
///
/// A flow is a file NAME.toml; the templates of its own steps lie beside it: NAME/AGENT-STEP.md, or NAME/BASE-STEP.md for
/// every agent. Without a folder this is agentd/flows of this project. Exit code 3 means that there are faults.
#[derive(Debug, Args)]
pub(in super::super) struct Check {
    /// The folder that holds the flows.
    folder: Option<PathBuf>,
}

impl Check {
    pub(in super::super) fn run(&self) -> Outcome {
        let (files, shown) = match &self.folder {
            None => (FlowFiles::of_project(&project_root()?)?, load::FOLDER.to_owned()),
            Some(folder) => {
                let missing = |error| Failure::io("cannot open", folder, &error);
                let shown = folder.display().to_string();
                let shown = shown.trim_end_matches('/').to_owned();
                (FlowFiles::read(&folder.canonicalize().map_err(missing)?, &shown)?, shown)
            }
        };
        let compilation = files.compile();
        let report = compilation.report_in(Colors::On);
        anstream::stderr().write_all(report.as_bytes())?;
        let shown = visible(&shown);
        if !compilation.is_ok() {
            let message = format!("the flows in `{shown}` are not right");
            return Err(Failure::new(Kind::Template, message)
                .help("docs/flows.md explains each fault, and `agentd flows show sdd` shows a flow that is right"));
        }
        let flows = compilation.flows.len();
        let noun = if flows == 1 { "flow" } else { "flows" };
        writeln!(anstream::stdout(), "{shown}: {flows} {noun} checked, no faults")?;
        Ok(())
    }
}
