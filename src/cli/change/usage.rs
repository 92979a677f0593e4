//! `agentd usage`: the total cost of changes.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use log::warn;
use serde_json::json;

use crate::cli::project_context::read_history;
use crate::cli::{Format, Outcome, PathContext as _, ProjectContext};
use crate::engine::history::History;
use crate::models::usage::UsageMetrics;
use crate::output::format;

/// Show the total cost of the changes of this project.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd usage
  agentd usage --by agent --json")]
pub(crate) struct Usage {
    /// The grouping of the totals.
    #[arg(long, value_name = "WHAT", default_value = "change")]
    by: By,
    #[command(flatten)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Change,
    Phase,
    Agent,
}

/// The total usage of calls.
#[derive(Default)]
struct Sum {
    calls: u64,
    usage: UsageMetrics,
}

impl Usage {
    pub(crate) fn run(&self) -> Outcome {
        let project = ProjectContext::find()?.project;
        let folder = project.folder();
        let mut changes = project.open().or_fail("cannot read", &folder)?;
        changes.extend(project.archived().or_fail("cannot read", &folder)?);
        let (mut sums, mut all) = (BTreeMap::<String, Sum>::new(), Sum::default());
        for (id, location) in changes {
            let Ok(History { calls, .. }) = read_history(&location.state) else {
                warn!("the journal of `{id}` cannot be read: its usage is not counted");
                continue;
            };
            for record in calls.iter().map(|call| &call.record) {
                let Some(usage) = &record.usage else { continue };
                let key = match self.by {
                    By::Change => id.to_string(),
                    By::Phase => record.phase.clone(),
                    By::Agent => record.agent.clone(),
                };
                for sum in [sums.entry(key).or_default(), &mut all] {
                    sum.calls += 1;
                    sum.usage += usage;
                }
            }
        }
        let width = sums.keys().map(String::len).max().unwrap_or(0).max("all".len());
        let row = |name: &str, Sum { calls, usage }: &Sum| {
            format!("{name:<width$}  {calls:>4} calls  {}\n", format::usage(usage))
        };
        let text: String = sums.iter().map(|(name, sum)| row(name, sum)).collect();
        let rows: Vec<_> = sums
            .iter()
            .map(|(name, Sum { calls, usage })| json!({ "name": name, "calls": calls, "usage": usage }))
            .collect();
        let object = json!({ "rows": rows, "calls": all.calls, "usage": all.usage });
        self.format.print(object, &(text + &row("all", &all)))
    }
}
