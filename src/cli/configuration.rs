//! The configuration in force where the command was typed.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use crate::cli::state_dir::state_dir;
use crate::cli::{Failure, Kind, Outcome, current_dir};
use crate::config::{self, Config, ConfigError, Locations, Override};
use crate::models::sandbox::{Sandbox, SandboxMode};
use crate::output::redact;
use crate::process::{self, Support};

/// The variables that list the folders of programs and libraries, separated by colons. `LD_PRELOAD` may use blanks too.
const SEARCHED: [&str; 6] = [
    "PATH",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
];
/// The variable that names the folder of git's own programs.
const EXECUTABLES: &str = "GIT_EXEC_PATH";
/// The variable that names a file to read instead of the user's configuration.
const USER_FILE: &str = "AGENTD_CONFIG";

/// Returns where the configuration of the project in the current folder is found.
pub(super) fn locations() -> Outcome<Locations> {
    let executable = env::current_exe().map_err(|error| {
        Failure::new(Kind::Io, format!("cannot find out this program's path: {error}"))
    })?;
    Ok(Locations { user: user_file(), root: current_dir()?, executable })
}

/// Reads the configuration; `flags` are the options that were typed, and the strongest layer.
pub(super) fn read(locations: &Locations, flags: Vec<Override>) -> Result<Config, ConfigError> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let variables: Vec<_> =
        environment().into_iter().map(|(name, value)| (text(name), text(value))).collect();
    let pairs = variables.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut overrides = config::overrides(pairs);
    overrides.extend(flags);
    let mut config = config::load(locations, overrides);
    if let Ok(config) = &mut config
        && config.sandbox.mode != SandboxMode::Off
        && process::support() == Support::Full
    {
        config.permit_commands();
    }
    match &config {
        Ok(config) => redact::add_agents(config.agents.values()),
        // A fault is shown with its line, which may hold a secret.
        Err(error) => redact::add(error.assignments().iter().map(|(name, value)| (name, value))),
    }
    config
}

/// Returns the environment that agentd runs in, as it is passed on. Programs and libraries are not searched relative to
/// the current folder: it may be a workspace, where an agent could place its own.
pub(super) fn environment() -> Vec<(OsString, OsString)> {
    let variables = env::vars_os().map(|(name, value)| match name.to_str() {
        Some("LD_PRELOAD") => (name, without_relative(&value, b": ")),
        Some(known) if SEARCHED.contains(&known) => (name, without_relative(&value, b":")),
        _ => (name, value),
    });
    variables
        .filter(|(name, value)| name != EXECUTABLES || Path::new(value).is_absolute())
        .collect()
}

/// Returns a list of paths without the relative ones.
fn without_relative(list: &OsStr, separators: &[u8]) -> OsString {
    let parts = list.as_bytes().split(|byte| separators.contains(byte));
    let absolute: Vec<_> = parts.filter(|part| part.starts_with(b"/")).collect();
    OsString::from_vec(absolute.join(&b':'))
}

/// Returns what confines the programs that agentd runs: `None` if the sandbox is off or the kernel does not support it.
/// They cannot read `hidden`.
pub(super) fn sandbox(config: &Config, hidden: Vec<PathBuf>) -> Outcome<Option<Sandbox>> {
    if process::support() == Support::None {
        return Ok(None);
    }
    // Without the variable, the system knows the home folder.
    let home = env::home_dir().filter(|home| home.is_absolute());
    let settings = config.sandbox.clone();
    if let Some((key, path)) = settings.wrong_path() {
        return Err(Failure::precondition(
            format!("`{path}` in `{key}` of `[sandbox]` is not a valid path"),
            "a path there starts with `/` or `~/`, and is not a pattern",
        ));
    }
    Ok(Sandbox::new(settings, home, &environment(), state_dir()?, hidden))
}

/// What confines the programs that a run starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Confinement {
    /// What that is, for people.
    pub(super) text: &'static str,
    /// Whether it is all that agentd can ask for.
    pub(super) is_full: bool,
    /// Whether the configuration leaves something out that the kernel could do.
    pub(super) is_chosen: bool,
}

/// Returns what confines the programs that a run starts.
pub(super) fn confinement(sandbox: Option<&Sandbox>) -> Confinement {
    let support = process::support();
    let chosen = |text| Confinement { text, is_full: false, is_chosen: true };
    match (sandbox, support) {
        (None, Support::Full | Support::Partial(_)) => {
            chosen("off: agents and checks can write everything that you can")
        }
        (Some(sandbox), Support::Full) if sandbox.permits_sockets() => {
            chosen("files and signals are confined, sockets are not (`[sandbox] sockets`)")
        }
        (Some(_), Support::Full | Support::Partial(_)) | (_, Support::None) => {
            let is_full = support == Support::Full;
            Confinement { text: support.describe(), is_full, is_chosen: false }
        }
    }
}

/// Fails if the sandbox is required and the kernel cannot confine programs.
pub(super) fn ensure_confinable(config: &Config) -> Outcome {
    let support = process::support();
    if config.sandbox.mode != SandboxMode::Required || support == Support::Full {
        return Ok(());
    }
    Err(Failure::precondition(
        format!("the sandbox is required: {}", support.describe()),
        "set `mode = \"on\"` in `[sandbox]` to continue with what the kernel supports",
    ))
}

/// Finds the user's file: the path in `AGENTD_CONFIG`, else in `XDG_CONFIG_HOME`, else in `~/.config`.
fn user_file() -> Option<PathBuf> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given(USER_FILE).or_else(|| {
        let folder = given("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
        let folder = folder.or_else(|| Some(given("HOME")?.join(".config")))?;
        Some(folder.join("agentd/config.toml"))
    })
}
