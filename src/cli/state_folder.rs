//! The folder in which agentd keeps what is the user's and no project's.

use std::env;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use super::failure::{Failure, Kind, Outcome};

/// The variable that names the folder.
const STATE: &str = "AGENTD_STATE";

/// Finds the folder, by a path without links: a person may keep it elsewhere. It is where `AGENTD_STATE` says, else in `XDG_STATE_HOME`, else in `~/.local/state`.
pub(super) fn state_folder() -> Outcome<PathBuf> {
    let folder = named_folder()?;
    // One that is not there yet gets its path when it is made.
    Ok(fs::canonicalize(&folder).unwrap_or(folder))
}

fn named_folder() -> Outcome<PathBuf> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = given(STATE) {
        return std::path::absolute(&folder)
            .map_err(|error| Failure::io("cannot find", &folder, &error));
    }
    let absolute = |name| given(name).filter(|path| path.is_absolute());
    let folder = absolute("XDG_STATE_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".local/state")))
        .map(|folder| folder.join("agentd"));
    folder.ok_or_else(|| {
        Failure::new(Kind::Precondition, "there is no folder to keep agentd's state in")
            .help(format!("set `HOME`, or name a folder in `{STATE}`"))
    })
}

/// Finds the folder and makes it if need be, for its owner alone.
pub(super) fn made_state_folder() -> Outcome<PathBuf> {
    let folder = named_folder()?;
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .map_err(|error| Failure::io("cannot make", &folder, &error))?;
    state_folder()
}
