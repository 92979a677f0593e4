//! Why a run could not be carried out, which is not how it ended.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a run could not be carried out.
#[derive(Debug, Error)]
pub enum ProcessError {
    /// Reading, writing or starting something failed.
    #[error("{what} `{}`: {source}", path.display())]
    Io {
        /// What was tried: `cannot write`, say.
        what: &'static str,
        /// With what.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// Settings of the user's, to which something must be added for the agent, cannot be understood.
    #[error("the settings in `{}` cannot be understood: {reason}", path.display())]
    Settings {
        /// Their file.
        path: PathBuf,
        /// What is wrong with them.
        reason: String,
    },
    /// The guard ended without a record, and what it guarded was ended in its stead.
    #[error("the guard of the run ended without a record ({status}){}", said(message))]
    GuardLost {
        /// How it ended.
        status: String,
        /// What it said last; may be empty.
        message: String,
    },
    /// The record of how a run ended is not one that this program writes.
    #[error("the record `{}` is not understood: {reason}", path.display())]
    Record {
        /// The record's file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl ProcessError {
    pub(crate) fn io(what: &'static str, path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Io { what, path: path.to_owned(), source: source.into() }
    }
}

fn said(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}
