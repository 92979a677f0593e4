//! The command line of a phase as shown: without secrets, and with what agentd changes in the environment.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use serde::Serialize;

use crate::models::agent::AgentSettings;
use crate::models::command::quoted;
use crate::models::run::Invocation;
use crate::orchestrator::{OUTBOX, Place};
use crate::output::json::path_text;
use crate::output::redact::redact;

/// The placeholder for a hidden value.
const HIDDEN: &str = "***";

/// The command line of a phase.
#[derive(Serialize)]
pub(super) struct CommandLine {
    /// The program and its arguments.
    argv: Vec<String>,
    /// The same on one line, quoted for a shell, without the prompt.
    pub(super) line: String,
    /// The working folder.
    pub(super) folder: String,
    /// The variables that are added or changed, compared with agentd's own.
    pub(super) sets: BTreeMap<String, String>,
    /// The variables that are removed.
    pub(super) removes: Vec<String>,
    /// The files that are written for it.
    pub(super) files: Vec<String>,
}

impl CommandLine {
    /// Describes an invocation. Of variables that the configuration sets, only the names are shown.
    pub(super) fn new(invocation: &Invocation, settings: &AgentSettings, place: &Place) -> Self {
        let text = |text: &OsStr| redact(&text.to_string_lossy()).into_owned();
        let pairs = |env: &[(OsString, OsString)]| -> BTreeMap<OsString, OsString> {
            env.iter().cloned().collect()
        };
        let (own, given) = (pairs(&place.environment), pairs(&invocation.env));
        let is_configured =
            |name: &OsStr| name.to_str().is_some_and(|name| settings.env.contains_key(name));
        // The outbox depends on the change.
        let changed =
            given.iter().filter(|(name, value)| own.get(*name) != Some(*value) && *name != OUTBOX);
        let sets = changed.map(|(name, value)| {
            let value = if is_configured(name) { HIDDEN.to_owned() } else { text(value) };
            (name.to_string_lossy().into_owned(), value)
        });
        let removed = own.keys().filter(|name| !given.contains_key(*name));
        let words = [&invocation.program].into_iter().chain(&invocation.args);
        let argv: Vec<_> = words.map(|word| text(word)).collect();
        let words: Vec<_> = argv.iter().map(|word| quoted(word)).collect();
        Self {
            line: format!("{} <prompt on stdin>", words.join(" ")),
            argv,
            folder: path_text(&place.workspace),
            sets: sets.collect(),
            removes: removed.map(|name| name.to_string_lossy().into_owned()).collect(),
            files: invocation.files.iter().map(|(path, _)| path_text(path)).collect(),
        }
    }
}
