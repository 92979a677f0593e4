//! The configuration in force where the command was typed.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use super::failure::{Failure, Kind, Outcome};
use crate::config::{self, Config, ConfigError, Locations, Override};
use crate::output::secrets;

/// The variable that names a file to read in place of the user's own.
const USER_FILE: &str = "AGENTD_CONFIG";

/// Says where the configuration of the project in the current folder is found.
pub(super) fn locations() -> Outcome<Locations> {
    let unknown = |what: &str, error: &io::Error| {
        Failure::new(Kind::Io, format!("cannot find out {what}: {error}"))
    };
    Ok(Locations {
        user: user_file(),
        root: env::current_dir().map_err(|error| unknown("the current folder", &error))?,
        executable: env::current_exe().map_err(|error| unknown("this program's path", &error))?,
    })
}

/// Reads the configuration; `flags` are what was typed, and the strongest.
pub(super) fn read(locations: &Locations, flags: Vec<Override>) -> Result<Config, ConfigError> {
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let variables: Vec<_> =
        environment().into_iter().map(|(name, value)| (text(name), text(value))).collect();
    let pairs = variables.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let mut overrides = config::overrides(pairs);
    overrides.extend(flags);
    let config = config::load(locations, overrides);
    match &config {
        Ok(config) => secrets::add_agents(config.agents.values()),
        // What is wrong is shown with its line, which may hold a secret.
        Err(error) => secrets::add(error.assignments().iter().map(|(name, value)| (name, value))),
    }
    config
}

/// Gives the environment that agentd itself runs in.
pub(super) fn environment() -> Vec<(OsString, OsString)> {
    env::vars_os().collect()
}

/// Finds the user's file: where `AGENTD_CONFIG` says, else in `XDG_CONFIG_HOME`, else in `~/.config`.
fn user_file() -> Option<PathBuf> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given(USER_FILE).or_else(|| {
        let folder = given("XDG_CONFIG_HOME").filter(|path| path.is_absolute());
        let folder = folder.or_else(|| Some(given("HOME")?.join(".config")))?;
        Some(folder.join("agentd/config.toml"))
    })
}
