//! What of a project needs the user's trust: the settings of its file that can make something run, let something out or
//! spend more than the user's limits, and its own flows, which decide what agents are asked and when a change is done. What
//! was cloned from somewhere must do none of it unasked.
//!
//! The schema says which keys these are; a key is one of them unless it is marked as harmless, or as free to lower and not
//! raised. What was trusted is kept as a fingerprint, which tells later what has changed but not what it was.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::defaults::default;
use super::resolve::Listed;
use super::schema::{Consent, Key, Kind};
use super::sections::ROOT;
use super::source::{Layer, Origin, Place, Source};
use super::value::{Setting, Table};
use crate::schema::Path;
use crate::template::Span;

/// What of a project needs the user's trust, sorted by key: settings of its file, and its flows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guarded {
    settings: Vec<Listed>,
}

/// A file of a project's own flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowFile<'f> {
    /// Its path below the project's root.
    pub path: &'f str,
    /// Its bytes.
    pub bytes: &'f [u8],
}

/// What tells two sets of such settings apart.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Fingerprint {
    /// The hash of all of them.
    pub sha256: String,
    /// The hash of each value, by its key.
    pub keys: BTreeMap<String, String>,
}

/// What has become of a setting since it was trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Added(String),
    /// It has another value.
    Changed(String),
    /// It is gone, so that something else is in force now.
    Removed(String),
}

impl Guarded {
    /// Takes from a project's file what needs trust; `beneath` is what the user's own file says.
    pub(super) fn in_file(project: &Table, beneath: &Table) -> Self {
        let mut settings = Vec::new();
        collect(project, Some(beneath), &ROOT, &Path::default(), &mut settings);
        settings.sort_by(|a, b| a.key.cmp(&b.key));
        Self { settings }
    }

    /// Adds a flow of the project under the key `flows.NAME`. Its value is the list of its files with their hashes, so that
    /// whatever changes in one of them changes the value.
    pub fn add_flow(&mut self, name: &str, files: &[FlowFile<'_>]) {
        let Some(first) = files.first() else { return };
        let listed = files.iter().map(|file| format!("{} sha256:{}", file.path, hash(file.bytes)));
        let source =
            Source { layer: Layer::Project, name: first.path.to_owned(), text: String::new() };
        let place = Place { source: Arc::new(source), span: Span::default(), line: 1 };
        let value = listed.collect();
        let setting = Setting { value, origin: Origin::Given(place) };
        let path = Path::default().join(FLOWS).join(name);
        self.settings.push(Listed::new(&path, &setting));
        self.settings.sort_by(|a, b| a.key.cmp(&b.key));
    }

    /// Returns whether there is nothing to trust.
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty()
    }

    /// Returns the settings.
    pub fn settings(&self) -> &[Listed] {
        &self.settings
    }

    /// Writes them as TOML, one line each: the text that is hashed.
    pub fn text(&self) -> String {
        self.settings
            .iter()
            .map(|setting| format!("{} = {}\n", setting.key, setting.value))
            .collect()
    }

    /// Returns what tells these settings from others.
    pub fn fingerprint(&self) -> Fingerprint {
        let keys = self.settings.iter();
        Fingerprint {
            sha256: hash(self.text()),
            keys: keys.map(|setting| (setting.key.clone(), hash(&setting.value))).collect(),
        }
    }
}

impl Fingerprint {
    /// Returns whether `trusted` holds everything that is here, unchanged; it may hold more.
    pub fn is_within(&self, trusted: &Self) -> bool {
        self.keys.iter().all(|(key, hash)| trusted.keys.get(key) == Some(hash))
    }

    /// Lists what has changed since `trusted`, sorted by key.
    pub fn changes_since(&self, trusted: &Self) -> Vec<Change> {
        let keys: BTreeSet<_> = self.keys.keys().chain(trusted.keys.keys()).cloned().collect();
        let change = |key: String| match (self.keys.get(&key), trusted.keys.get(&key)) {
            (Some(now), Some(then)) if now == then => None,
            (Some(_), Some(_)) => Some(Change::Changed(key)),
            (Some(_), None) => Some(Change::Added(key)),
            (None, _) => Some(Change::Removed(key)),
        };
        keys.into_iter().filter_map(change).collect()
    }
}

impl Change {
    /// Returns the key.
    pub fn key(&self) -> &str {
        match self {
            Self::Added(key) | Self::Changed(key) | Self::Removed(key) => key,
        }
    }

    /// Returns the word for what has become of it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Added(_) => "added",
            Self::Changed(_) => "changed",
            Self::Removed(_) => "removed",
        }
    }
}

/// The table of flows among what needs trust; a configuration has no section of this name.
const FLOWS: &str = "flows";

/// Returns whether a key is that of a project's flow.
pub fn is_flow(key: &str) -> bool {
    key.strip_prefix(FLOWS).is_some_and(|rest| rest.starts_with('.'))
}

/// Goes through a table and all below it, but for what is harmless as a whole.
fn collect(
    table: &Table,
    beneath: Option<&Table>,
    kind: &Kind,
    path: &Path,
    settings: &mut Vec<Listed>,
) {
    for (name, setting) in &table.values {
        let key = kind.fields().iter().find(|key| key.name == name);
        let asked = key.is_none_or(|key| match key.more.consent {
            Consent::Asked => true,
            Consent::AskedToRaise => raises(&setting.value, beneath, key),
            Consent::AskedFor(word) => setting.value.as_str().is_none_or(|text| text == word),
            Consent::Given => false,
        });
        if asked {
            settings.push(Listed::new(&path.join(name), setting));
        }
    }
    for (name, below) in &table.tables {
        let key = kind.fields().iter().find(|key| key.name == name);
        let of = match (kind, key) {
            (Kind::Named(_, of), _) => of,
            (_, Some(key)) if key.more.consent != Consent::Given => &key.kind,
            (_, _) => continue,
        };
        let beneath = beneath.and_then(|beneath| beneath.table(name));
        collect(below, beneath, of, &path.join(name), settings);
    }
}

/// Returns whether a value is more than what the user says, or else the default. Where neither says anything there is no
/// limit, of which everything is less.
fn raises(value: &Value, beneath: Option<&Table>, key: &Key) -> bool {
    let own = beneath.and_then(|beneath| beneath.values.get(key.name));
    let own = own.map(|setting| setting.value.clone()).or_else(|| default(key));
    let is_more = |own: Value| match (value.as_f64(), own.as_f64()) {
        (Some(value), Some(own)) => value > own,
        (_, _) => true,
    };
    own.is_some_and(is_more)
}

fn hash(bytes: impl AsRef<[u8]>) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists every key with what it takes to set it.
    fn keys(of: &Kind, path: &str, consent: Consent, found: &mut Vec<(String, Consent)>) {
        let mut visit = |name: &str, kind: &Kind, own: Consent| {
            let path = format!("{path}{name}");
            let consent = if consent == Consent::Given { consent } else { own };
            match kind {
                Kind::Map(_) | Kind::Named(..) => {
                    keys(kind, &format!("{path}."), consent, found);
                }
                _ => found.push((path, consent)),
            }
        };
        for Key { name, kind, more, .. } in of.fields() {
            visit(name, kind, more.consent);
        }
        if let Kind::Named(_, kind) = of {
            visit("*", kind, Consent::Asked);
        }
    }

    #[test]
    fn everything_that_can_run_let_out_or_spend_something_needs_trust() {
        let mut found = Vec::new();
        keys(&ROOT, "", Consent::Asked, &mut found);
        let of = |consent| -> BTreeSet<&str> {
            let keys = found.iter().filter(|(_, own)| *own == consent);
            keys.map(|(key, _)| key.as_str()).collect()
        };
        let asked = [
            "agents.*.args",
            "agents.*.cli",
            "agents.*.command",
            "agents.*.env.*",
            "agents.*.env_clear",
            "agents.*.env_pass",
            "agents.*.isolated",
            "agents.*.permissions",
            "agents.*.usage.cache_read",
            "agents.*.usage.cache_write",
            "agents.*.usage.cost_usd",
            "agents.*.usage.input",
            "agents.*.usage.output",
            "agents.*.usage.reasoning",
            "prices.*.cache_read",
            "prices.*.cache_write",
            "prices.*.input",
            "prices.*.output",
            "sandbox.check_network",
            "sandbox.check_write",
            "sandbox.mode",
            "sandbox.read_deny",
            "sandbox.sockets",
            "sandbox.write",
            "verify.commands",
            "verify.security",
            "workspace.setup",
        ];
        assert_eq!(of(Consent::Asked), BTreeSet::from(asked), "think before you change this list");
        let to_raise = [
            "agents.*.retries",
            "limits.implement_rounds",
            "limits.max_cost_usd",
            "limits.max_file",
            "limits.max_tokens",
            "limits.plan_rounds",
            "team.max_parallel",
            "team.review_rounds",
        ];
        assert_eq!(of(Consent::AskedToRaise), BTreeSet::from(to_raise), "and before this one");
        assert_eq!(of(Consent::AskedFor("tolerate")), BTreeSet::from(["verify.baseline"]));
        assert_eq!(of(Consent::AskedFor("warn")), BTreeSet::from(["project.same_vendor"]));
        let judges = ["phases.challenge", "phases.review", "roles.reviewer"];
        assert_eq!(of(Consent::AskedFor("offline")), BTreeSet::from(judges));
        assert!(of(Consent::Given).len() > 20);
    }

    /// Returns how long this thread has computed: a busy machine does not count.
    fn computed() -> std::time::Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        std::time::Duration::try_from(time).unwrap()
    }

    #[test]
    fn what_many_agents_set_is_listed_in_linear_time() {
        use crate::config::{Config, Inputs, Layer, Source};
        let agent = |number| format!("[agents.a{number}]\ncli = \"claude\"\nargs = [\"--x\"]\n");
        let time = |agents: usize| {
            let text: String = (0..agents).map(agent).collect();
            let start = computed();
            let inputs = Inputs {
                files: vec![Source { layer: Layer::Project, name: "config.toml".to_owned(), text }],
                overrides: Vec::new(),
                root: std::path::Path::new("/"),
                executable: std::path::Path::new("/agentd"),
            };
            let guarded = Config::new(&inputs).unwrap().guarded();
            let shown = guarded.settings().iter().map(|setting| setting.origin.to_string());
            let last = shown.max_by_key(String::len);
            assert_eq!(guarded.settings().len(), 2 * agents, "{last:?}");
            computed().saturating_sub(start)
        };
        let best = |agents| (0..3).map(|_| time(agents)).min().unwrap_or_default();
        let (few, many) = (best(100), best(1600));
        // Sixteen times the agents may take three times sixteen, where quadratic growth would take 256.
        assert!(many < few * 48, "{few:?} {many:?}");
    }
}
