//! The agents: whether each program is installed and runs, and its version.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use tokio::task::LocalSet;

use super::probe::{Prober, Shown};
use crate::catalog::CATALOG;
use crate::config::{Config, PROJECT_FILE};
use crate::models::agent::{AgentSettings, Protocol};
use crate::models::run::{End, Invocation};
use crate::orchestrator::agents::install::{Package, Standing, Version};
use crate::orchestrator::{Orchestrator, Place, RunContext};
use crate::output::json::path_text;
use crate::template::Phase;

/// The state of an agent.
#[derive(Serialize)]
pub(super) struct AgentState {
    pub(super) name: String,
    /// Whether it is usable.
    #[serde(rename = "ok")]
    pub(super) is_usable: bool,
    state: &'static str,
    /// The problem, if there is one.
    pub(super) trouble: Option<String>,
    /// The advice, if it is not usable.
    pub(super) advice: Option<String>,
    program: String,
    /// The path of the program.
    pub(super) path: Option<String>,
    pub(super) version: Option<String>,
    /// How the version compares to the tested one, if there is one.
    pub(super) standing: Option<&'static str>,
    pub(super) checked_version: Option<String>,
    package: Option<&'static str>,
}

impl AgentState {
    /// Returns whether its program is missing.
    pub(super) fn is_missing(&self) -> bool {
        self.state == MISSING
    }
}

/// The word for an agent whose program is missing.
const MISSING: &str = "missing";

/// Whether an agent is usable.
enum Health {
    /// The program exists and runs.
    Ready,
    /// The program exists but prints no version, which means nothing for an unknown program.
    VersionUnknown(String),
    Missing,
    NotExecutable(String),
    /// It did not print its version within this time.
    Hangs(Duration),
    /// It failed instead of printing its version.
    Fails(String),
    /// The configuration gives the agent something that it must not have.
    Misconfigured(String),
    /// The project's file says how it is run, which nobody has trusted: it was not run.
    Untrusted,
}

impl Health {
    /// Returns the word for programs, the problem, and the advice.
    fn explain(
        self,
        name: &str,
        program: &str,
        package: Option<&Package>,
    ) -> (&'static str, Option<String>, Option<String>) {
        let again = || match package {
            Some(package) => format!("install it again: {}", package.install()),
            None => format!("find out why, or change `command` in `[agents.{name}]`"),
        };
        let (word, trouble, advice) = match self {
            Self::Ready => return ("ready", None, None),
            Self::VersionUnknown(reason) => return ("version-unknown", Some(reason), None),
            Self::Misconfigured(reason) => {
                ("misconfigured", reason, format!("change `[agents.{name}]`"))
            }
            Self::Untrusted => {
                let trouble = format!("`{PROJECT_FILE}` sets how it is run, and is not trusted");
                ("untrusted", trouble, "review it and trust it: agentd trust".to_owned())
            }
            Self::Missing => {
                let advice = match package {
                    Some(package) => {
                        format!("{}; then log in: {}", package.install(), package.login)
                    }
                    None => format!("install it, or change `command` in `[agents.{name}]`"),
                };
                (MISSING, format!("`{program}` is not installed"), advice)
            }
            Self::NotExecutable(reason) => {
                ("not-executable", format!("`{program}` cannot be run: {reason}"), again())
            }
            Self::Hangs(wait) => {
                let wait = wait.as_secs();
                ("hangs", format!("`{program} --version` did not end within {wait} s"), again())
            }
            Self::Fails(reason) => {
                ("fails", format!("`{program} --version` fails: {reason}"), again())
            }
        };
        (word, Some(trouble), Some(advice))
    }
}

/// Asks every agent's program for its version, all at the same time.
///
/// Agents that the project configures are not run unless the project is trusted.
pub(super) async fn examine(
    config: &Config,
    untrusted: &BTreeSet<String>,
    place: &Place,
    prober: &Prober,
) -> Vec<AgentState> {
    let local = LocalSet::new();
    let tasks: Vec<_> = config
        .agents
        .values()
        .map(|settings| {
            let (settings, place, prober) = (settings.clone(), place.clone(), prober.clone());
            let is_trusted = !untrusted.contains(&settings.name);
            local.spawn_local(async move { one(settings, is_trusted, place, &prober).await })
        })
        .collect();
    let mut states = Vec::new();
    local
        .run_until(async {
            for task in tasks {
                // A task that panicked has already reported why.
                states.extend(task.await);
            }
        })
        .await;
    states
}

async fn one(
    settings: AgentSettings,
    is_trusted: bool,
    place: Place,
    prober: &Prober,
) -> AgentState {
    let program = settings.command.first().cloned().unwrap_or_default();
    let is_our_own = settings.protocol == Protocol::Offline && place.guard == Path::new(&program);
    let package = Package::of(&settings.protocol);
    let state = |path: Option<PathBuf>, health: Health, version: Option<Version>| {
        let is_usable = matches!(health, Health::Ready | Health::VersionUnknown(_));
        let (state, trouble, advice) = health.explain(&settings.name, &program, package);
        let standing = version.as_ref().zip(package);
        let standing = standing.map(|(version, package)| version.standing(package.checked));
        AgentState {
            name: settings.name.clone(),
            is_usable,
            state,
            trouble,
            advice,
            program: program.clone(),
            path: path.as_deref().map(path_text),
            version: version.map(|version| version.text),
            standing: standing.map(|standing| match standing {
                Standing::Checked => "checked",
                Standing::Newer => "newer",
                Standing::Older => "older",
            }),
            checked_version: package.map(Package::checked_version),
            package: package.map(|package| package.name.as_str()),
        }
    };
    if is_our_own {
        return state(Some(place.guard), Health::Ready, Version::read(env!("CARGO_PKG_VERSION")));
    }
    let arguments = version_arguments(&settings);
    let changes = place.changes.clone();
    let orchestrator = Orchestrator::new(settings.clone(), place);
    let invocation = |run_folder: &Path| {
        let occasion = RunContext { change: &changes, run_folder, prompt: "", server: None };
        orchestrator.invocation(CATALOG.step(Phase::Challenge), &occasion)
    };
    let path = match invocation(Path::new("")) {
        Ok(invocation) => find(&invocation),
        Err(error) => return state(None, Health::Misconfigured(error.to_string()), None),
    };
    if !is_trusted {
        return state(path, Health::Untrusted, None);
    }
    let shown = prober.run(|folder| Invocation {
        args: arguments,
        // An earlier check ensures that this cannot fail.
        ..invocation(folder).unwrap_or_default()
    });
    match shown.await {
        Ok(shown) => {
            let (health, version) = read(&shown, package, prober.wait);
            state(path, health, version)
        }
        Err(reason) => state(path, Health::Fails(reason), None),
    }
}

/// A known CLI prints its version even behind a launcher. For a described program the other arguments may be a request.
fn version_arguments(settings: &AgentSettings) -> Vec<OsString> {
    let before = match settings.protocol {
        Protocol::Claude | Protocol::Gemini | Protocol::Codex | Protocol::Copilot => {
            settings.command.get(1..).unwrap_or_default()
        }
        Protocol::Offline | Protocol::Described(_) => &[],
    };
    before.iter().map(OsString::from).chain([OsString::from("--version")]).collect()
}

/// Interprets how a program answered.
fn read(shown: &Shown, package: Option<&Package>, wait: Duration) -> (Health, Option<Version>) {
    let version = || Version::read(&shown.stdout).or_else(|| Version::read(&shown.stderr));
    let untold = |reason: String| match package {
        Some(_) => Health::Fails(reason),
        None => Health::VersionUnknown("it does not print its version".to_owned()),
    };
    match &shown.end {
        End::Exited { code: 0 } => match version() {
            Some(version) => (Health::Ready, Some(version)),
            None => (Health::VersionUnknown("it does not print its version".to_owned()), None),
        },
        End::Exited { code } => (untold(format!("exit code {code}: {}", shown.first_line())), None),
        End::Killed { signal } => (untold(format!("ended by signal {signal}")), None),
        End::TooMuchOutput => (untold("it prints too much".to_owned()), None),
        End::Cancelled => (untold("interrupted".to_owned()), None),
        End::TimedOut | End::Idle => match package {
            Some(_) => (Health::Hangs(wait), None),
            None => (untold(String::new()), None),
        },
        End::NotFound => (Health::Missing, None),
        End::NotExecutable { reason } => (Health::NotExecutable(reason.clone()), None),
    }
}

/// Finds the program as the system will find it.
fn find(invocation: &Invocation) -> Option<PathBuf> {
    let program = Path::new(&invocation.program);
    if program.components().count() > 1 {
        return program.exists().then(|| program.to_owned());
    }
    let path = invocation.env.iter().find(|(name, _)| name == "PATH");
    let folders = path.map_or(OsStr::new(""), |(_, value)| value);
    let found = || std::env::split_paths(folders).map(|folder| folder.join(program));
    let is_executable = |path: &PathBuf| {
        path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    found().find(is_executable).or_else(|| found().find(|path| path.is_file()))
}
