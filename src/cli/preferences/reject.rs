//! `agentd preferences reject`: drops proposals of agents.

use clap::Args;
use serde_json::{Value, json};

use super::{Chosen, NOTHING_PENDING, ProposalView, project};
use crate::cli::{Format, Outcome};
use crate::prompt::preferences::{Proposal, reject};

/// Reject proposals of agents: they are removed from the list.
#[derive(Debug, Args)]
pub(crate) struct Reject {
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    format: Format,
}

impl Reject {
    pub(super) fn run(&self) -> Outcome {
        let project = &project()?;
        let rejected = reject(project, &self.chosen.selection())?;
        let line = |Proposal { preference, .. }: &Proposal| {
            format!("{}: {}\n  rejected\n", preference.role, preference.bullet)
        };
        let mut text: String = rejected.iter().map(line).collect();
        if rejected.is_empty() {
            text.push_str(NOTHING_PENDING);
        }
        let objects: Value = rejected.iter().map(|one| json!(ProposalView::new(one))).collect();
        self.format.report(json!({ "rejected": objects }), &text)
    }
}
