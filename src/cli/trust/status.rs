//! What in a project's file and flows needs trust, and which of it the user has trusted.

use std::collections::HashMap;
use std::path::Path;

use serde_json::json;

use super::store;
use crate::cli::flows::load::{FOLDER, FlowFiles};
use crate::cli::redact_setting;
use crate::cli::{Failure, Outcome};
use crate::config::{Change, Config, Fingerprint, Guarded, Listed, PROJECT_FILE, is_flow};
use crate::output::escape_control::escape_control;
use crate::output::json::path_text;

/// What needs trust, and whether it is trusted.
pub(super) struct TrustStatus {
    pub(super) guarded: Guarded,
    pub(super) fingerprint: Fingerprint,
    /// What was trusted before.
    trusted: Vec<Fingerprint>,
}

impl TrustStatus {
    pub(super) fn find(config: &Config, root: &Path) -> Outcome<Self> {
        let mut guarded = config.guarded();
        FlowFiles::of_project(root)?.add_to(&mut guarded);
        // Without anything to trust, no state folder is needed.
        let trusted = if guarded.is_empty() { Vec::new() } else { store::trusted(root)? };
        Ok(Self { fingerprint: guarded.fingerprint(), guarded, trusted })
    }

    /// Returns whether everything that needs trust is trusted.
    pub(super) fn is_trusted(&self) -> bool {
        self.guarded.is_empty() || self.trusted.contains(&self.fingerprint)
    }

    /// Returns which files of the project need trust.
    pub(super) fn parts(&self) -> Parts {
        Parts::of(self.guarded.settings().iter().map(|setting| setting.key.as_str()))
    }

    /// Lists what has changed since it was trusted; nothing if nothing ever was.
    fn changes(&self) -> Vec<Change> {
        match self.trusted.last() {
            Some(last) if !self.is_trusted() => self.fingerprint.changes_since(last),
            Some(_) | None => Vec::new(),
        }
    }

    /// Reports why nothing runs, and names what would.
    pub(super) fn refusal(&self) -> Failure {
        let changes = self.changes();
        let message = if changes.is_empty() {
            let keys: Vec<_> =
                self.guarded.settings().iter().map(|s| format!("`{}`", s.key)).collect();
            let parts = self.parts();
            format!("{} not trusted, and {} {}", parts.are(), parts.they_set(), keys.join(", "))
        } else {
            let parts = Parts::of(changes.iter().map(Change::key));
            let changes: Vec<_> = changes
                .iter()
                .map(|change| format!("`{}` was {}", change.key(), change.word()))
                .collect();
            format!("{} not what you trusted: {}", parts.are(), changes.join(", "))
        };
        Failure::precondition(
            message,
            "`agentd trust --show` shows what it would use; if that is fine, run `agentd trust`",
        )
    }

    /// Shows what would be used, one line each.
    pub(super) fn shown(&self) -> String {
        let changes = self.changes();
        let changed = by_key(&changes);
        let mut text = String::new();
        for setting in self.guarded.settings() {
            let change = changed.get(setting.key.as_str());
            let change = change.map(|change| format!(", {}", change.word())).unwrap_or_default();
            text.push_str(&format!(
                "  {} = {}  # {}{change}\n",
                escape_control(&setting.key),
                redact_setting::value(setting),
                setting.origin
            ));
        }
        for change in changes.iter().filter(|change| matches!(change, Change::Removed(_))) {
            text.push_str(&format!("  # {} was removed\n", escape_control(change.key())));
        }
        text
    }

    /// Returns everything as JSON.
    pub(super) fn object(&self, root: &Path) -> serde_json::Value {
        let changes = self.changes();
        let changed = by_key(&changes);
        let setting = |setting: &Listed| {
            let change = changed.get(setting.key.as_str());
            json!({
                "key": setting.key,
                "value": redact_setting::json(setting),
                "origin": setting.origin.to_string(),
                "change": change.map(|change| change.word()),
            })
        };
        let removed = changes.iter().filter(|change| matches!(change, Change::Removed(_)));
        json!({
            "version": 1,
            "root": path_text(root),
            "file": PROJECT_FILE,
            "needed": !self.guarded.is_empty(),
            "trusted": self.is_trusted(),
            "sha256": self.fingerprint.sha256,
            "settings": self.guarded.settings().iter().map(setting).collect::<Vec<_>>(),
            "removed": removed.map(Change::key).collect::<Vec<_>>(),
        })
    }
}

/// The files of a project that are meant.
pub(super) struct Parts(Vec<&'static str>);

impl Parts {
    fn of<'k>(keys: impl Iterator<Item = &'k str>) -> Self {
        let (flows, settings): (Vec<_>, Vec<_>) = keys.partition(|key| is_flow(key));
        let has_settings = !settings.is_empty() || flows.is_empty();
        let parts = [(PROJECT_FILE, has_settings), (FOLDER, !flows.is_empty())];
        Self(parts.iter().filter(|(_, is_meant)| *is_meant).map(|(name, _)| *name).collect())
    }

    /// Returns the start of a sentence about the files.
    pub(super) fn are(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|name| format!("`{name}`")).collect();
        format!("{} {}", names.join(" and "), self.form("is", "are"))
    }

    /// Returns the start of a list of what the files set.
    pub(super) fn set(&self) -> String {
        format!("{} {}", self.0.join(" and "), self.form("sets", "set"))
    }

    fn they_set(&self) -> &'static str {
        self.form("it sets", "they set")
    }

    const fn form(&self, one: &'static str, several: &'static str) -> &'static str {
        if self.0.len() == 1 { one } else { several }
    }
}

fn by_key(changes: &[Change]) -> HashMap<&str, &Change> {
    changes.iter().map(|change| (change.key(), change)).collect()
}
