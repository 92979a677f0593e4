//! What can be wrong with a configuration. A fault is data; `report` shows it.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::source::Place;
use super::{assignments, report};
use crate::template::nearest::meant;

/// Something that is wrong in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// The key that it is about: `agents.claude.timeout`; empty for a slip of syntax.
    pub key: String,
    /// What is wrong: lower case, no full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Fault {
    /// Returns whether the fault is about a key, about something below it, or about the whole file.
    pub(super) fn concerns(&self, key: &str) -> bool {
        let below = self.key.strip_prefix(key);
        self.key.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

/// Why there is no configuration, or no such agent in it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConfigError {
    /// It breaks the rules; everything that is wrong is listed.
    #[error("the configuration has errors\n{}", report::plain(.0))]
    Faults(Vec<Fault>),
    /// A file of it cannot be read.
    #[error("cannot read `{}`: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
        /// The same, for programs.
        kind: io::ErrorKind,
        /// Whether it is not what a file below `agentd/` must be.
        is_refused: bool,
    },
    /// There is no agent of this name.
    #[error("there is no agent `{}`", name.escape_debug())]
    UnknownAgent {
        /// The name.
        name: String,
        /// The agents that there are.
        known: Vec<String>,
    },
}

impl ConfigError {
    /// Returns what the texts that are shown with faults assign to names: some of it may be a secret.
    pub fn assignments(&self) -> BTreeSet<(String, String)> {
        match self {
            Self::Faults(faults) => assignments::in_sources_of(faults),
            Self::Unreadable { .. } | Self::UnknownAgent { .. } => BTreeSet::new(),
        }
    }

    /// Returns what to do next, where the message does not say it already.
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Faults(_) | Self::Unreadable { .. } => None,
            Self::UnknownAgent { name, known } => {
                Some(unknown_agent(name, known.iter().map(String::as_str)))
            }
        }
    }
}

/// Returns what to do about an agent that is not there.
pub(super) fn unknown_agent<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> String {
    meant(name, known.clone()).unwrap_or_else(|| {
        let known = known.collect::<Vec<_>>().join(", ");
        format!("the agents are {known}; describe another in `[agents.NAME]`")
    })
}
