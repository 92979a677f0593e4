//! The sandbox: what the programs that agentd runs may write and read. The kernel holds them to it (`process::sandbox`).

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::secret_places::SECRET_PLACES;
use super::word;
use crate::template::words::words;

/// Folders of the home that a variable may put somewhere else.
const MOVED: [(&str, &str); 4] = [
    ("~/.cache/", "XDG_CACHE_HOME"),
    ("~/.cargo/", "CARGO_HOME"),
    ("~/.config/", "XDG_CONFIG_HOME"),
    ("~/.local/share/", "XDG_DATA_HOME"),
];

words! {
    /// Whether programs are confined.
    #[derive(Default)]
    SandboxMode {
        /// As far as the kernel can.
        #[default]
        On = "on",
        /// Not at all.
        Off = "off",
        /// Nothing is run where the kernel cannot.
        Required = "required",
    }
}

/// What a configuration says of the sandbox. A path that begins with `~/` lies in the user's home.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct SandboxSettings {
    /// Whether programs are confined.
    pub mode: SandboxMode,
    /// What agents may write beside their workspace and outbox.
    pub write: Vec<String>,
    /// What checks and setup may write beside their workspace.
    pub check_write: Vec<String>,
    /// What none of them may read.
    pub read_deny: Vec<String>,
    /// Whether checks may use the network.
    #[serde(deserialize_with = "word::on")]
    pub check_network: bool,
    /// Whether sockets may be used that lead to other programs of this machine.
    #[serde(deserialize_with = "word::on")]
    pub sockets: bool,
}

impl SandboxSettings {
    /// Returns a path that means nothing, with the key under which it stands: it is not whole, or a pattern.
    pub fn wrong_path(&self) -> Option<(&'static str, &str)> {
        let all = [
            ("write", &self.write),
            ("check_write", &self.check_write),
            ("read_deny", &self.read_deny),
        ];
        let is_whole = |path: &str| path == "~" || path.starts_with("~/") || path.starts_with('/');
        let is_wrong = |path: &&String| !is_whole(path) || path.contains(['*', '?', '[']);
        all.into_iter().find_map(|(key, paths)| Some((key, paths.iter().find(is_wrong)?.as_str())))
    }
}

/// How programs are confined in this place.
#[derive(Clone, Debug)]
pub struct Sandbox {
    settings: SandboxSettings,
    home: Option<PathBuf>,
    /// The variables that name places, with those places.
    named: BTreeMap<String, Vec<PathBuf>>,
    /// The folder of agentd's own state, which no program reads but for what it is given.
    state: PathBuf,
    /// What else of agentd's no program reads.
    hidden: Vec<PathBuf>,
}

/// What one program may do: it reads everything but what is hidden, and writes nothing but what is named.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Folders with all below them, and files.
    pub write: Vec<PathBuf>,
    /// Folders and files that it reads though they lie in what is hidden.
    pub read: Vec<PathBuf>,
    /// Folders with all below them, and files.
    pub hidden: Vec<PathBuf>,
    /// The folder of its temporary files, made for it and removed after it.
    pub temporary: PathBuf,
    /// Whether it may use the network, that of this machine alone too.
    pub network: bool,
    /// Whether it may use sockets that lead to other programs of this machine.
    pub sockets: bool,
    /// Whether it must not run where the kernel cannot confine it.
    pub is_required: bool,
}

impl Sandbox {
    /// Confines programs of a user, whose agentd runs in an environment and keeps its state in a folder; none if that is
    /// switched off.
    pub fn new(
        settings: SandboxSettings,
        home: Option<PathBuf>,
        environment: &[(OsString, OsString)],
        state: PathBuf,
        hidden: Vec<PathBuf>,
    ) -> Option<Self> {
        let is_on = settings.mode != SandboxMode::Off;
        let named = environment.iter().filter_map(|(name, value)| {
            let parts = value.as_bytes().split(|byte| *byte == b':');
            let paths = parts.map(|part| PathBuf::from(OsStr::from_bytes(part)));
            Some((name.to_str()?.to_owned(), paths.filter(|path| path.is_absolute()).collect()))
        });
        is_on.then(|| Self { settings, home, named: named.collect(), state, hidden })
    }

    /// Returns whether all programs may use sockets that lead to others of this machine.
    pub fn permits_sockets(&self) -> bool {
        self.settings.sockets
    }

    /// Returns what an agent may do: write what is its own, and read all but secrets and what is kept from it.
    pub fn for_agent(&self, own: Vec<PathBuf>, kept_from_it: &[String]) -> Grant {
        self.grant(own, &self.settings.write, kept_from_it, true)
    }

    /// Returns what a check or a command of the setup may do.
    pub fn for_check(&self, own: Vec<PathBuf>, kept_from_it: &[String]) -> Grant {
        self.grant(own, &self.settings.check_write, kept_from_it, self.settings.check_network)
    }

    fn grant(
        &self,
        mut write: Vec<PathBuf>,
        configured: &[String],
        kept_from_it: &[String],
        network: bool,
    ) -> Grant {
        write.extend(configured.iter().flat_map(|path| self.places(path)));
        let secrets = SECRET_PLACES.iter().copied().chain(kept_from_it.iter().map(String::as_str));
        let denied = secrets.chain(self.settings.read_deny.iter().map(String::as_str));
        let mut hidden: Vec<_> = denied.flat_map(|path| self.places(path)).collect();
        hidden.push(self.state.clone());
        hidden.extend(self.hidden.iter().cloned());
        let is_required = self.settings.mode == SandboxMode::Required;
        let (temporary, sockets) = (self.state.join("tmp"), self.settings.sockets);
        Grant { write, read: Vec::new(), hidden, temporary, network, sockets, is_required }
    }

    /// Returns where a path of the configuration or of an adapter leads: `~/` is the home, and what a variable has put somewhere
    /// else is there too; `$NAME` is what a variable names. What is not there leads nowhere.
    pub fn places(&self, path: &str) -> Vec<PathBuf> {
        if let Some(name) = path.strip_prefix('$') {
            return self.named.get(name).cloned().unwrap_or_default();
        }
        let Some(rest) = path.strip_prefix("~/").or_else(|| (path == "~").then_some("")) else {
            return vec![Path::new(path).to_owned()];
        };
        let at_home = self.home.iter().map(|home| home.join(rest));
        let moved = MOVED.iter().filter_map(|(folder, variable)| {
            Some((path.strip_prefix(folder)?, self.named.get(*variable)?))
        });
        let moved = moved.flat_map(|(rest, to)| to.iter().map(move |folder| folder.join(rest)));
        at_home.chain(moved).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sandbox(settings: SandboxSettings) -> Option<Sandbox> {
        Sandbox::new(
            settings,
            Some("/home/ada".into()),
            &[("XDG_CACHE_HOME", "/caches"), ("KUBECONFIG", "/kube/a:b:/kube/c")]
                .map(|(name, value)| (name.into(), value.into())),
            "/state".into(),
            vec!["/x/.git/agentd".into()],
        )
    }

    #[test]
    fn a_grant_names_what_is_written_and_hides_secrets_state_and_what_is_configured() {
        let settings = SandboxSettings {
            write: vec!["~/notes".to_owned()],
            check_write: vec!["/var/tmp".to_owned()],
            read_deny: vec!["~/diary".to_owned()],
            ..SandboxSettings::default()
        };
        let sandbox = sandbox(settings).unwrap();
        let agent = sandbox.for_agent(vec!["/work".into()], &["~/.codex".to_owned()]);
        assert_eq!(agent.write, [Path::new("/work"), Path::new("/home/ada/notes")]);
        for hidden in [
            "/home/ada/.ssh",
            "/home/ada/.codex",
            "/home/ada/diary",
            "/kube/a",
            "/kube/c",
            "/state",
            "/x/.git/agentd",
        ] {
            assert!(agent.hidden.iter().any(|path| path == Path::new(hidden)), "{hidden}");
        }
        let cached = ["/home/ada/.cache/x", "/caches/x"].map(PathBuf::from);
        assert_eq!(sandbox.places("~/.cache/x"), cached);
        let check = sandbox.for_check(vec!["/work".into()], &[]);
        assert_eq!(check.write, [Path::new("/work"), Path::new("/var/tmp")]);
        assert!(agent.network && !check.network && !agent.is_required);
    }

    #[test]
    fn a_path_that_is_not_whole_or_a_pattern_is_found() {
        let of = |path: &str| {
            let read_deny = vec!["~/ok".to_owned(), path.to_owned()];
            let settings = SandboxSettings { read_deny, ..SandboxSettings::default() };
            settings.wrong_path().map(|(key, path)| format!("{key} {path}"))
        };
        for path in ["~", "~/notes", "/var/tmp"] {
            assert_eq!(of(path), None);
        }
        for path in ["notes", "", "~ada/notes", "~/no*", "$HOME/x"] {
            assert_eq!(of(path), Some(format!("read_deny {path}")));
        }
        let all = sandbox(SandboxSettings::default()).unwrap();
        assert_eq!(all.places("~"), [Path::new("/home/ada")]);
    }

    #[test]
    fn nothing_is_confined_where_that_is_switched_off() {
        let mode = SandboxMode::from_word("off").unwrap();
        assert!(sandbox(SandboxSettings { mode, ..SandboxSettings::default() }).is_none());
        let mode = SandboxMode::Required;
        let required = sandbox(SandboxSettings { mode, ..SandboxSettings::default() }).unwrap();
        assert!(required.for_check(Vec::new(), &[]).is_required);
    }
}
