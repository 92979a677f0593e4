//! `agentd schedule graph`: a drawing of the groups and plans of a change.

use clap::Args;

use super::{not_right, planning_files};
use crate::cli::{Outcome, print_text};
use crate::engine::schedule::{check, graph};
use crate::models::change::ChangeId;

/// Draw the order of the plans of a change and their dependencies.
#[derive(Debug, Args)]
#[command(after_help = "\
In the drawing `-` and `>` are plans in sequence, `=` parallel plans, and `<-` what a plan needs.

Examples:
  agentd schedule graph add-login
  agentd schedule graph add-login --mermaid")]
pub(crate) struct Graph {
    /// The change's id.
    change: ChangeId,
    /// Write a Mermaid flowchart.
    #[arg(long)]
    mermaid: bool,
}

impl Graph {
    pub(super) fn run(&self) -> Outcome {
        let schedule = check(&planning_files(&self.change)?)
            .map_err(|faults| not_right(&self.change, &faults))?;
        let draw = if self.mermaid { graph::mermaid } else { graph::text };
        print_text(&draw(&schedule))
    }
}
