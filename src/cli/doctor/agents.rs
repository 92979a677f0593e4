//! The agents: whether each one's program is there and runs, and which version it is.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::task::LocalSet;

use super::probe::{Prober, Shown};
use crate::catalog::CATALOG;
use crate::config::{Config, PROJECT_FILE};
use crate::models::agent::{AgentSettings, Protocol};
use crate::models::run::{End, Invocation};
use crate::orchestrator::agents::install::{Package, Standing, Version};
use crate::orchestrator::{Occasion, Orchestrator, Place};
use crate::template::Phase;

/// What was found out about an agent.
pub(super) struct AgentState {
    pub(super) name: String,
    pub(super) program: String,
    /// Where the program is.
    pub(super) path: Option<PathBuf>,
    pub(super) health: Health,
    pub(super) version: Option<Version>,
    /// How the version stands to the one that was checked, where one was.
    pub(super) standing: Option<Standing>,
    pub(super) package: Option<&'static Package>,
}

/// Whether an agent can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Health {
    /// It is there and runs.
    Ready,
    /// It is there; that it does not tell its version says nothing of a program of which nothing is known.
    Untold(String),
    Missing,
    NotExecutable(String),
    /// It did not tell its version in this time.
    Hangs(Duration),
    /// It did not tell its version but failed.
    Fails(String),
    /// The configuration asks for what it must not be given.
    Misconfigured(String),
    /// The project's file says how it is run, and nobody has trusted that: it was not run.
    Untrusted,
}

impl AgentState {
    pub(super) const fn is_usable(&self) -> bool {
        match self.health {
            Health::Ready | Health::Untold(_) => true,
            Health::Missing
            | Health::NotExecutable(_)
            | Health::Hangs(_)
            | Health::Fails(_)
            | Health::Misconfigured(_)
            | Health::Untrusted => false,
        }
    }

    /// Says what is wrong with it, if anything is.
    pub(super) fn trouble(&self) -> Option<String> {
        let program = &self.program;
        match &self.health {
            Health::Ready => None,
            Health::Untold(reason) | Health::Misconfigured(reason) => Some(reason.clone()),
            Health::Untrusted => {
                Some(format!("`{PROJECT_FILE}` sets how it is run, and is not trusted"))
            }
            Health::Missing => Some(format!("`{program}` is not installed")),
            Health::NotExecutable(reason) => Some(format!("`{program}` cannot be run: {reason}")),
            Health::Hangs(wait) => {
                Some(format!("`{program} --version` did not end within {} s", wait.as_secs()))
            }
            Health::Fails(reason) => Some(format!("`{program} --version` fails: {reason}")),
        }
    }

    /// Says what to do about it, if it cannot be used.
    pub(super) fn advice(&self) -> Option<String> {
        let (name, package) = (&self.name, self.package);
        match &self.health {
            Health::Ready | Health::Untold(_) => None,
            Health::Misconfigured(_) => Some(format!("change `[agents.{name}]`")),
            Health::Untrusted => Some("see it and trust it: agentd trust".to_owned()),
            Health::Missing => Some(match package {
                Some(package) => format!("{}; then log in: {}", package.install(), package.login),
                None => format!("install it, or change `command` in `[agents.{name}]`"),
            }),
            Health::NotExecutable(_) | Health::Hangs(_) | Health::Fails(_) => Some(match package {
                Some(package) => format!("install it again: {}", package.install()),
                None => format!("see why, or change `command` in `[agents.{name}]`"),
            }),
        }
    }
}

/// Asks every agent's program for its version, all at the same time.
///
/// Those that the project sets up are not run unless they are trusted.
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
            let is_untrusted = untrusted.contains(&settings.name);
            let trust = if is_untrusted { Trust::Missing } else { Trust::Given };
            local.spawn_local(async move { one(settings, trust, place, &prober).await })
        })
        .collect();
    local
        .run_until(async {
            let mut states = Vec::new();
            for task in tasks {
                // A task that panicked has told why, and there is nothing to show of it.
                states.extend(task.await);
            }
            states
        })
        .await
}

/// Whether what the project says of an agent may be run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    Given,
    Missing,
}

async fn one(settings: AgentSettings, trust: Trust, place: Place, prober: &Prober) -> AgentState {
    let program = settings.command.first().cloned().unwrap_or_default();
    let is_our_own = settings.protocol == Protocol::Offline && place.guard == Path::new(&program);
    let package = Package::of(&settings.protocol);
    let state = |path, health, version: Option<Version>| AgentState {
        name: settings.name.clone(),
        program: program.clone(),
        path,
        health,
        standing: version
            .as_ref()
            .zip(package)
            .map(|(version, package)| version.standing(package.checked)),
        version,
        package,
    };
    if is_our_own {
        return state(Some(place.guard), Health::Ready, Version::read(env!("CARGO_PKG_VERSION")));
    }
    let arguments = version_arguments(&settings);
    let changes = place.changes.clone();
    let orchestrator = Orchestrator::new(settings.clone(), place);
    let invocation = |run_folder: &Path| {
        let occasion = Occasion { change: &changes, run_folder, prompt: "", server: None };
        orchestrator.invocation(CATALOG.step(Phase::Challenge), &occasion)
    };
    let path = match invocation(Path::new("")) {
        Ok(invocation) => find(&invocation),
        Err(error) => return state(None, Health::Misconfigured(error.to_string()), None),
    };
    if trust == Trust::Missing {
        return state(path, Health::Untrusted, None);
    }
    let shown = prober.run(|folder| Invocation {
        args: arguments,
        // That it can be put together is known by now.
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

/// A known CLI tells its version even behind a launcher. What else a described program is given may well be a request.
fn version_arguments(settings: &AgentSettings) -> Vec<OsString> {
    let before = match settings.protocol {
        Protocol::Claude | Protocol::Gemini | Protocol::Codex | Protocol::Copilot => {
            settings.command.get(1..).unwrap_or_default()
        }
        Protocol::Offline | Protocol::Described(_) => &[],
    };
    before.iter().map(OsString::from).chain([OsString::from("--version")]).collect()
}

/// Reads how a program answered.
fn read(shown: &Shown, package: Option<&Package>, wait: Duration) -> (Health, Option<Version>) {
    let version = || Version::read(&shown.stdout).or_else(|| Version::read(&shown.stderr));
    let untold = |reason: String| match package {
        Some(_) => Health::Fails(reason),
        None => Health::Untold("it does not tell its version".to_owned()),
    };
    match &shown.end {
        End::Exited { code: 0 } => match version() {
            Some(version) => (Health::Ready, Some(version)),
            None => (Health::Untold("it does not tell its version".to_owned()), None),
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

/// Finds the program where the system will look for it.
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
