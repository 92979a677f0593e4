//! `agentd usage`: what changes have cost, added up.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::super::failure::{Failure, Outcome};
use super::super::{print_json, say};
use super::workshop::Room;
use crate::engine::spent;
use crate::models::usage::UsageMetrics;
use crate::output::amount;

/// Add up what the changes of this project have cost.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd usage
  agentd usage --by agent --json")]
pub(in super::super) struct Usage {
    /// What to add up by.
    #[arg(long, value_name = "WHAT", default_value = "change")]
    by: By,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Change,
    Phase,
    Agent,
}

impl Usage {
    pub(in super::super) fn run(&self) -> Outcome {
        let project = Room::find()?.project;
        let unreadable =
            |error: std::io::Error| Failure::io("cannot read", &project.folder(), &error);
        let mut changes = project.open().map_err(unreadable)?;
        changes.extend(project.archived().map_err(unreadable)?);
        let mut sums: BTreeMap<String, (u64, UsageMetrics)> = BTreeMap::new();
        let mut all = (0, UsageMetrics::default());
        for (id, folder) in changes {
            for meta in
                spent::runs(&folder).map_err(unreadable)?.into_iter().filter_map(|run| run.meta)
            {
                let Some(usage) = &meta.usage else { continue };
                let key = match self.by {
                    By::Change => id.to_string(),
                    By::Phase => meta.phase.clone(),
                    By::Agent => meta.agent.clone(),
                };
                for (calls, sum) in [sums.entry(key).or_default(), &mut all] {
                    *calls += 1;
                    *sum += usage;
                }
            }
        }
        if self.json {
            let rows: Vec<_> = sums
                .iter()
                .map(|(name, (calls, usage))| json!({ "name": name, "calls": calls, "usage": usage }))
                .collect();
            return print_json(
                &json!({ "version": 1, "rows": rows, "calls": all.0, "usage": all.1 }),
            );
        }
        let width = sums.keys().map(String::len).max().unwrap_or(0).max("all".len());
        let row = |name: &str, (calls, usage): &(u64, UsageMetrics)| {
            format!("{name:<width$}  {calls:>4} calls  {}\n", amount::usage(usage))
        };
        let mut text: String = sums.iter().map(|(name, sum)| row(name, sum)).collect();
        text.push_str(&row("all", &all));
        say(&text)
    }
}
