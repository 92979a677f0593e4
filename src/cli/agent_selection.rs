//! Which agents are installed.

use std::env;
use std::path::Path;

use rustix::fs::{Access, access};

use crate::cli::Outcome;
use crate::models::agent::AgentSettings;
use crate::orchestrator::RunError;
use crate::orchestrator::agents::AgentError;

/// Refuses an agent whose program is not installed.
pub(super) fn ensure_installed(agent: &AgentSettings) -> Outcome {
    let program = agent.command.first().cloned().unwrap_or_default();
    // An agent may have its own `PATH`, which decides where its program is found.
    let has_own_path = !program.contains('/') && agent.env.contains_key("PATH");
    if has_own_path || is_installed(agent) {
        return Ok(());
    }
    let (error, name) = (AgentError::NotFound { program }, agent.name.clone());
    Err(RunError::Agent { agent: name, error, run: None }.into())
}

/// Returns whether an agent's program can be found.
pub(super) fn is_installed(agent: &AgentSettings) -> bool {
    let Some(program) = agent.command.first().filter(|program| !program.is_empty()) else {
        return false;
    };
    if program.contains('/') {
        return is_program(Path::new(program));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| is_program(&folder.join(program)))
}

/// Returns what to type to run this program: its name if the shell finds it by that name, else its path.
pub(super) fn typed_name() -> String {
    let name = "agentd";
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| is_program(&folder.join(name))) {
        return name.to_owned();
    }
    env::current_exe().map_or_else(|_| name.to_owned(), |path| path.display().to_string())
}

fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}
