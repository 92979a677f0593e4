//! What calls of agents used, in the journal: a run's folder says the same, but whoever can write there cannot lift a limit.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::entry::{Entry, Record, run_name};
use super::history::History;
use super::journal::{Journal, JournalError};
use crate::models::meta::RunMeta;
use crate::models::usage::UsageMetrics;
use crate::orchestrator::Ledger;
use crate::orchestrator::clock::now_ms;
use crate::orchestrator::run_folder::RunFolder;

/// A call of an agent that ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Called {
    /// The name of its run's folder.
    #[serde(deserialize_with = "run_name")]
    pub run: String,
    /// What was asked, and what it used.
    pub record: RunMeta,
}

impl Called {
    /// Returns the number of its run.
    pub fn number(&self) -> u32 {
        RunFolder::at(self.run.as_ref()).number
    }
}

/// Returns the sum of what calls used, from the run of a number on.
pub fn used_from(calls: &[Called], first: u32) -> UsageMetrics {
    let mut sum = UsageMetrics::default();
    let calls = calls.iter().filter(|call| call.number() >= first);
    for usage in calls.filter_map(|call| call.record.usage.as_ref()) {
        sum += usage;
    }
    sum
}

/// The journal of a change, which calls that are under way write to as well as the driver that waits for them.
#[derive(Clone, Debug)]
pub(super) struct CallLog(Arc<Mutex<Shared>>);

#[derive(Debug)]
struct Shared {
    journal: Journal,
    /// The runs whose calls are in the journal.
    known: BTreeSet<String>,
    /// What is in the journal and not yet in the change's history.
    pending: Vec<Record>,
}

impl CallLog {
    /// Shares a journal with the calls of the change that it tells about.
    pub(super) fn new(journal: Journal, history: &History) -> Self {
        let known = history.calls.iter().map(|call| call.run.clone()).collect();
        Self(Arc::new(Mutex::new(Shared { journal, known, pending: Vec::new() })))
    }

    /// Appends an entry; when this returns, it is on the disk.
    pub(super) fn append(&self, entry: Entry) -> Result<Record, JournalError> {
        self.shared().journal.append(now_ms(), entry)
    }

    /// Returns the records of calls that ended since this was asked last.
    pub(super) fn take_pending(&self) -> Vec<Record> {
        std::mem::take(&mut self.shared().pending)
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for CallLog {
    fn knows(&self, run: &str) -> bool {
        self.shared().known.contains(run)
    }

    fn keep(&self, run: &str, record: &RunMeta) -> io::Result<bool> {
        let mut shared = self.shared();
        if shared.known.contains(run) {
            return Ok(false);
        }
        let called = Called { run: run.to_owned(), record: record.clone() };
        let appended = shared.journal.append(now_ms(), Entry::Called(called));
        let record = appended.map_err(JournalError::into_io)?;
        shared.known.insert(run.to_owned());
        shared.pending.push(record);
        Ok(true)
    }
}
