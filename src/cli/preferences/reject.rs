//! `agentd preferences reject`: what agents proposed is dropped.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::Outcome;
use super::super::{print_json, tell};
use super::told::proposal_json;
use crate::prompt::preferences::{Proposal, ProposalId, Selection, reject};

/// Reject what agents proposed: it is pending no longer.
#[derive(Debug, Args)]
pub(in super::super) struct Reject {
    /// The ids of proposals, as `agentd preferences pending` shows them.
    #[arg(value_name = "ID", required_unless_present = "all", conflicts_with = "all")]
    ids: Vec<ProposalId>,
    /// Reject all that is pending.
    #[arg(long)]
    all: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reject {
    pub(super) fn run(&self, project: &Path) -> Outcome {
        let which = if self.all { Selection::All } else { Selection::These(self.ids.clone()) };
        let rejected = reject(project, &which)?;
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
