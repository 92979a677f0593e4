//! Which agents are installed, and the choice among them.

use std::env;
use std::path::Path;

use log::warn;
use rustix::fs::{Access, access};

use super::failure::{Failure, Kind, Outcome};
use crate::config::{ChoiceError, Config};
use crate::models::agent::{AgentSettings, Protocol};
use crate::orchestrator::RunError;
use crate::orchestrator::agents::AgentError;
use crate::orchestrator::agents::install::Package;
use crate::template::Phase;

/// Chooses the agent of a phase, and says so when it is not the one that is meant to do it.
pub(super) fn choose(config: &Config, phase: Phase) -> Outcome<&AgentSettings> {
    let chosen = config.choose(phase, is_installed)?;
    if let Some(note) = chosen.note(phase) {
        warn!("{note}");
    }
    Ok(chosen.agent)
}

/// Refuses an agent that somebody has named and whose program is not there.
pub(super) fn refuse_absent(agent: &AgentSettings) -> Outcome {
    let program = agent.command.first().cloned().unwrap_or_default();
    // An agent may have a `PATH` of its own, in which its program is looked for.
    let has_own_path = !program.contains('/') && agent.env.contains_key("PATH");
    if has_own_path || is_installed(agent) {
        return Ok(());
    }
    let (error, name) = (AgentError::NotFound { program }, agent.name.clone());
    Err(RunError::Agent { agent: name, error, run: None }.into())
}

/// Says whether an agent's program is where it must be to be run.
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

/// Gives what to type to run this program: its name where the shell finds one of that name, else its path.
pub(super) fn typed_name() -> String {
    let name = env!("CARGO_PKG_NAME");
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| is_program(&folder.join(name))) {
        return name.to_owned();
    }
    env::current_exe().map_or_else(|_| name.to_owned(), |path| path.display().to_string())
}

fn is_program(path: &Path) -> bool {
    path.is_file() && access(path, Access::EXEC_OK).is_ok()
}

impl From<ChoiceError> for Failure {
    fn from(error: ChoiceError) -> Self {
        let message = error.to_string();
        match error {
            ChoiceError::Config(error) => error.into(),
            ChoiceError::NoneInstalled { .. } => {
                Self::new(Kind::Agent, message).help(install_lines())
            }
        }
    }
}

/// Says how each CLI is installed, and what can be done without any.
fn install_lines() -> String {
    let packages = [Protocol::Claude, Protocol::Codex, Protocol::Gemini, Protocol::Copilot];
    let packages = packages.iter().filter_map(Package::of);
    let lines: String = packages.map(|package| format!("\n  {}", package.install())).collect();
    format!("install one of them, or try agentd without any model: `--agent offline`{lines}")
}
