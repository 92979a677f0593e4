//! The folder of agentd's state, which belongs to the user and not to a project.

use std::env;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;

use crate::cli::{Failure, Outcome, PathContext as _};
use crate::files::real_path;

/// The variable that names the folder.
const STATE: &str = "AGENTD_STATE";

/// Finds the folder, as a path without links: the user may keep it elsewhere. It is named by `AGENTD_STATE`, else in
/// `XDG_STATE_HOME`, else in `~/.local/state`.
pub(super) fn state_dir() -> Outcome<PathBuf> {
    let folder = named_dir()?;
    // Links to it belong to the user.
    real_path(&folder).or_fail("cannot find", &folder)
}

fn named_dir() -> Outcome<PathBuf> {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = given(STATE) {
        return std::path::absolute(&folder).or_fail("cannot find", &folder);
    }
    let absolute = |name| given(name).filter(|path| path.is_absolute());
    let folder = absolute("XDG_STATE_HOME")
        .or_else(|| Some(absolute("HOME")?.join(".local/state")))
        .map(|folder| folder.join("agentd"));
    folder.ok_or_else(|| {
        Failure::precondition(
            "there is no folder for agentd's state",
            format!("set `HOME`, or name a folder in `{STATE}`"),
        )
    })
}

/// Finds the folder, and creates it for its owner alone.
pub(super) fn ensure_state_dir() -> Outcome<PathBuf> {
    let folder = named_dir()?;
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&folder)
        .or_fail("cannot create", &folder)?;
    state_dir()
}
