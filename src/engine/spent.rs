//! What a change has cost so far, from the records of its runs.

use std::io;
use std::path::Path;

use log::warn;

use crate::files::own::Refused;
use crate::files::read_small_own;
use crate::models::meta::RunMeta;
use crate::models::settings::Limits;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::Allowance;
use crate::orchestrator::run_folder::{RunFolder, runs_from};

/// One run of a change: its folder, and what is known of it. A run that was cut off has left no record.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its folder.
    pub folder: RunFolder,
    /// What is known of it.
    pub meta: Option<RunMeta>,
}

/// Lists the runs of a change, in order. Of a record that cannot be read it is said, and nothing of it is counted; what is
/// no file of agentd's in its place is refused.
pub fn runs(change: &Path) -> io::Result<Vec<Run>> {
    let read = |folder: RunFolder| match meta(&folder) {
        Ok(meta) => Ok(Run { folder, meta }),
        Err(error) if Refused::of(&error).is_some() => Err(error),
        Err(error) => {
            warn!("{error}: what this run used is not counted");
            Ok(Run { folder, meta: None })
        }
    };
    runs_from(change, 1)?.into_iter().map(read).collect()
}

/// Reads the record of a run; one that was cut off has none.
fn meta(folder: &RunFolder) -> io::Result<Option<RunMeta>> {
    let path = folder.path.join(RunMeta::FILE);
    let unreadable = |error: io::Error| Refused::named(&error, "cannot read", &path);
    let Some(text) = read_small_own(&path).map_err(unreadable)? else { return Ok(None) };
    serde_json::from_slice(&text).map(Some).map_err(|error| unreadable(error.into()))
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

/// Gives what a change may still cost. Where there is a limit, a record that cannot be read is an error: what it says
/// may be what lies above the limit.
pub fn allowance(limits: &Limits, change: &Path) -> io::Result<Allowance> {
    let allowance = Allowance::of(limits);
    if !allowance.is_unlimited() {
        for folder in runs_from(change, 1)? {
            if let Some(usage) = meta(&folder)?.and_then(|meta| meta.usage) {
                allowance.add(&usage);
            }
        }
    }
    Ok(allowance)
}
