//! The command line of a phase, as it is shown: without secrets, and with what agentd changes in the environment.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::models::agent::AgentSettings;
use crate::models::command::quoted;
use crate::models::run::Invocation;
use crate::orchestrator::Place;
use crate::output::secrets::hide;

/// What stands for a value that is not shown.
const HIDDEN: &str = "***";

/// What a phase would run.
pub(super) struct CommandLine {
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    /// The folder that it runs in.
    pub(super) folder: PathBuf,
    /// The variables that it gets beyond agentd's own, or with another value.
    pub(super) sets: BTreeMap<String, String>,
    /// The variables that it does not get.
    pub(super) removes: Vec<String>,
    /// The files that are written for it.
    pub(super) files: Vec<PathBuf>,
}

impl CommandLine {
    /// Shows an invocation. Of variables that the configuration sets only the names are shown.
    pub(super) fn of(invocation: &Invocation, settings: &AgentSettings, place: &Place) -> Self {
        let shown = |text: &OsStr| hide(&text.to_string_lossy()).into_owned();
        let own: BTreeMap<&OsString, &OsString> =
            place.environment.iter().map(|(name, value)| (name, value)).collect();
        let given: BTreeMap<&OsString, &OsString> =
            invocation.env.iter().map(|(name, value)| (name, value)).collect();
        let changed = given.iter().filter(|(name, value)| own.get(*name) != Some(*value));
        let is_configured =
            |name: &OsStr| name.to_str().is_some_and(|name| settings.env.contains_key(name));
        Self {
            words: std::iter::once(&invocation.program)
                .chain(&invocation.args)
                .map(|word| shown(word))
                .collect(),
            folder: place.workspace.clone(),
            sets: changed
                .map(|(name, value)| {
                    let value = if is_configured(name) { HIDDEN.to_owned() } else { shown(value) };
                    (name.to_string_lossy().into_owned(), value)
                })
                .collect(),
            removes: own
                .keys()
                .filter(|name| !given.contains_key(**name))
                .map(|name| name.to_string_lossy().into_owned())
                .collect(),
            files: invocation.files.iter().map(|(path, _)| path.clone()).collect(),
        }
    }

    /// Gives it on one line, as a shell reads it, but for the prompt.
    pub(super) fn line(&self) -> String {
        let words: Vec<_> = self.words.iter().map(|word| quoted(word)).collect();
        format!("{} <prompt on stdin>", words.join(" "))
    }
}
