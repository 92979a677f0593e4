//! What a change has cost so far, from the records of its runs.

use std::fs;
use std::io;
use std::path::Path;

use super::error::WorkflowError;
use crate::models::meta::RunMeta;
use crate::models::settings::Limits;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::run_folder::{RunFolder, runs_from};

/// One run of a change: its folder, and what is known of it. A run that was cut off has left no record.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its folder.
    pub folder: RunFolder,
    /// What is known of it.
    pub meta: Option<RunMeta>,
}

/// Lists the runs of a change, in order.
pub fn runs(change: &Path) -> io::Result<Vec<Run>> {
    let read = |folder: RunFolder| {
        let text = fs::read(folder.path.join(RunMeta::FILE)).ok();
        let meta = text.and_then(|text| serde_json::from_slice(&text).ok());
        Run { folder, meta }
    };
    Ok(runs_from(change, 1)?.into_iter().map(read).collect())
}

/// Adds up what the runs of a change have cost.
pub fn spent(change: &Path) -> io::Result<UsageMetrics> {
    spent_from(change, 1)
}

/// Adds up what the runs of a change have cost, from a number on.
pub fn spent_from(change: &Path, first: u32) -> io::Result<UsageMetrics> {
    let mut sum = UsageMetrics::default();
    let runs = runs(change)?.into_iter().filter(|run| run.folder.number >= first);
    for usage in runs.filter_map(|run| run.meta?.usage) {
        sum += &usage;
    }
    Ok(sum)
}

/// Refuses to go on with a change that has cost what it may cost.
pub fn within(limits: &Limits, spent: &UsageMetrics) -> Result<(), WorkflowError> {
    if let Some(most) = limits.max_tokens.filter(|most| spent.total() >= *most) {
        let spent = format!("{} tokens", spent.total());
        return Err(WorkflowError::OverBudget { spent, limit: format!("{most} tokens") });
    }
    if let (Some(most), Some(cost)) = (limits.max_cost_usd, spent.cost_usd)
        && cost >= most
    {
        let spent = format!("{cost:.4} USD");
        return Err(WorkflowError::OverBudget { spent, limit: format!("{most} USD") });
    }
    Ok(())
}
