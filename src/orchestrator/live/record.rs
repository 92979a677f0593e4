//! What is taken down of a message that was typed: whoever comes after agentd was gone knows that it was sent, to which
//! process, and what was there before.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::clock::now_ms;
use super::signs::Seen;
use crate::files::read_small_own;

/// The version that is written.
const VERSION: u32 = 1;

/// A message that was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LiveRecord {
    version: u32,
    /// The name of the pane.
    pub(super) pane: String,
    /// The process in the pane.
    pub(super) pid: i32,
    /// When it was typed, in milliseconds since 1970.
    pub(super) sent_ms: u64,
    /// What there was to be seen then.
    pub(super) before: Seen,
    /// How far it is.
    pub(super) state: LiveState,
}

/// How far a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LiveState {
    /// It is being typed.
    Typing,
    /// It was typed.
    Sent,
    /// The work has been handed over.
    Over,
}

impl LiveRecord {
    /// The file's name in the run's folder.
    pub(super) const FILE: &'static str = "live.json";

    pub(super) fn new(pane: &str, pid: i32, before: Seen) -> Self {
        let (version, pane) = (VERSION, pane.to_owned());
        Self { version, pane, pid, sent_ms: now_ms(), before, state: LiveState::Typing }
    }

    /// Reads the record of a run; one that is not there or cannot be read is none.
    pub(super) fn of(run: &Path) -> Option<Self> {
        let bytes = read_small_own(&run.join(Self::FILE)).ok()??;
        serde_json::from_slice::<Self>(&bytes).ok().filter(|record| record.version == VERSION)
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }
}
