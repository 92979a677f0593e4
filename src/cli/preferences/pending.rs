//! `agentd preferences pending`: proposals of agents, for a person to decide on.

use clap::Args;
use serde_json::{Value, json};

use super::{NOTHING_PENDING, ProposalView, project};
use crate::cli::{Format, Outcome};
use crate::prompt::preferences::{Proposal, pending};

/// List proposals of agents that nobody has decided on yet.
#[derive(Debug, Args)]
pub(crate) struct Pending {
    #[command(flatten)]
    format: Format,
}

impl Pending {
    pub(super) fn run(&self) -> Outcome {
        let project = &project()?;
        let all = pending(project)?;
        let objects: Value = all.iter().map(|one| json!(ProposalView::new(one))).collect();
        let mut text: String = all.iter().map(describe).collect();
        text.push_str(if all.is_empty() {
            NOTHING_PENDING
        } else {
            "next: agentd preferences approve ID… (or --all), agentd preferences reject ID…\n"
        });
        self.format.print(json!({ "pending": objects }), &text)
    }
}

fn describe(Proposal { id, preference, from, .. }: &Proposal) -> String {
    let run = from.run.as_ref().map(|run| format!(", run {run}")).unwrap_or_default();
    let (role, bullet, change) = (preference.role, &preference.bullet, &from.change);
    format!("{id}  {role}: {bullet}\n          from change {change}{run}\n")
}
