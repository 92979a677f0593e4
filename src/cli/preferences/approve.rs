//! `agentd preferences approve`: what agents proposed comes to count.

use std::path::Path;

use clap::Args;

use super::super::Form;
use super::super::failure::Outcome;
use super::super::tell;
use super::chosen::Chosen;
use super::told;
use crate::prompt::preferences::{Applied, approve};

/// Approve what agents proposed: it is written to the files of its roles, and every later prompt has it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd preferences pending              shows the ids
  agentd preferences approve 3f2a9c01
  agentd preferences approve --all")]
pub(in super::super) struct Approve {
    #[command(flatten)]
    chosen: Chosen,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Approve {
    pub(super) fn run(&self, project: &Path) -> Outcome {
        let applied = approve(project, &self.chosen.selection())?;
        if !self.json && applied == Applied::default() {
            return tell("no preference is pending\n");
        }
        told::applied(&applied, Form::of(self.json))
    }
}
