//! `agentd preferences approve`: accepts proposals of agents.

use clap::Args;

use super::{Chosen, NOTHING_PENDING, project, report_applied};
use crate::cli::{Format, Outcome, report};
use crate::prompt::preferences::{Applied, approve};

/// Approve proposals of agents: they are written to the files of their roles, and every later prompt contains them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences pending              shows the ids
  agentd preferences approve 3f2a9c01
  agentd preferences approve --all")]
pub(crate) struct Approve {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    format: Format,
}

impl Approve {
    pub(super) fn run(&self) -> Outcome {
        let project = &project()?;
        let applied = approve(project, &self.chosen.selection())?;
        if !self.format.json && applied == Applied::default() {
            return report(NOTHING_PENDING);
        }
        report_applied(&applied, self.format)
    }
}
