//! `agentd schedule graph`: the groups and plans of a change as a picture.

use clap::Args;

use super::{not_right, planning_files};
use crate::cli::{Outcome, print_text};
use crate::engine::schedule::{check, graph};
use crate::models::change::ChangeId;

/// Draw in which order the plans of a change are carried out, and which needs which.
#[derive(Debug, Args)]
#[command(after_help = "\
In the drawing `-` and `>` are plans one after the other, `=` plans at the same time, and `<-` what a plan needs.

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
