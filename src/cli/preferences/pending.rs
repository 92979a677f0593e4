//! `agentd preferences pending`: what agents proposed, for a person to decide on.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::super::failure::Outcome;
use super::super::{print_json, say};
use super::told::proposal_json;
use crate::prompt::preferences::{Origin, Proposal, pending};

/// List what agents proposed and nobody has decided on yet.
#[derive(Debug, Args)]
pub(in super::super) struct Pending {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Pending {
    pub(super) fn run(&self, project: &Path) -> Outcome {
        let all = pending(project)?;
        if self.json {
            let all: Vec<_> = all.iter().map(proposal_json).collect();
            return print_json(&json!({ "version": 1, "pending": all }));
        }
        if all.is_empty() {
            return say("no preference is pending\n");
        }
        let next =
            "next: agentd preferences approve ID… (or --all), agentd preferences reject ID…\n";
        say(&(all.iter().map(told).collect::<String>() + next))
    }
}

fn told(Proposal { id, preference, from, .. }: &Proposal) -> String {
    let Origin { change, run } = from;
    let run = run.as_ref().map(|run| format!(", run {run}")).unwrap_or_default();
    format!(
        "{id}  {}: {}\n          from change {change}{run}\n",
        preference.role, preference.bullet
    )
}
