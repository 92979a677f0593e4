//! `agentd preferences reject`: what agents proposed is dropped.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::Outcome;
use super::super::{print_json, tell};
use super::chosen::Chosen;
use super::told::proposal_json;
use crate::prompt::preferences::{Proposal, reject};

/// Reject what agents proposed: it is pending no longer.
#[derive(Debug, Args)]
pub(in super::super) struct Reject {
    #[command(flatten)]
    chosen: Chosen,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reject {
    pub(super) fn run(&self, project: &Path) -> Outcome {
        let rejected = reject(project, &self.chosen.selection())?;
        if self.json {
            let rejected: Vec<_> = rejected.iter().map(proposal_json).collect();
            return print_json(&json!({ "version": 1, "rejected": rejected }));
        }
        if rejected.is_empty() {
            return tell("no preference is pending\n");
        }
        let line = |Proposal { preference, .. }: &Proposal| {
            format!("{}: {}\n  rejected\n", preference.role, preference.bullet)
        };
        tell(&rejected.iter().map(line).collect::<String>())
    }
}
