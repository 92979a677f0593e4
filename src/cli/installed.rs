//! Which agents are installed, and the choice among them.

use std::collections::BTreeMap;
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
use crate::orchestrator::fitness::{unfit, unfit_for_role};
use crate::template::{Phase, Role};

/// Chooses the agent of a phase, and says so when it is not the one that is meant to do it.
pub(super) fn choose(config: &Config, phase: Phase) -> Outcome<&AgentSettings> {
    let chosen = config.choose(phase, is_installed)?;
    if let Some(note) = chosen.note(phase) {
        warn!("{note}");
    }
    Ok(chosen.agent)
}

/// Chooses an agent for each phase. Those of `needed` must have one that is there and can do it, which is found out before
/// anything is begun or paid for. What takes the place of another is said once.
pub(super) fn choose_each(
    config: &Config,
    needed: &[Phase],
) -> Outcome<BTreeMap<Phase, AgentSettings>> {
    let mut agents = BTreeMap::new();
    let mut places: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for phase in Phase::ALL.iter().copied() {
        let chosen = match config.choose(phase, is_installed) {
            Ok(chosen) => chosen,
            Err(error) if needed.contains(&phase) => return Err(error.into()),
            Err(_) => continue,
        };
        if let Some(preferred) = chosen.instead_of
            && needed.contains(&phase)
        {
            let (absent, phases) = places.entry(&chosen.agent.name).or_default();
            if !absent.contains(&preferred.name.as_str()) {
                absent.push(&preferred.name);
            }
            phases.push(phase.word());
        }
        if needed.contains(&phase) {
            if let Some(reason) = unfit(chosen.agent, phase) {
                let agent = chosen.agent.name.clone();
                return Err(RunError::Unfit { agent, phase, reason }.into());
            }
            refuse_absent(chosen.agent)?;
        }
        agents.insert(phase, chosen.agent.clone());
    }
    for (agent, (absent, phases)) in places {
        let verb = if absent.len() == 1 { "is" } else { "are" };
        let absent: Vec<_> = absent.iter().map(|name| format!("`{name}`")).collect();
        warn!(
            "{} {verb} not installed: `{agent}` does {} (name agents in `[phases]` to settle it)",
            absent.join(" and "),
            phases.join(", "),
        );
    }
    Ok(agents)
}

/// Chooses an agent for each of these roles. Those of `needed` must have one that is there and can take it, as with phases.
pub(super) fn choose_each_role(
    config: &Config,
    roles: &[Role],
    needed: &[Role],
) -> Outcome<BTreeMap<Role, AgentSettings>> {
    let mut agents = BTreeMap::new();
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for role in roles.iter().copied() {
        let chosen = match config.choose_role(role, is_installed) {
            Ok(chosen) => chosen,
            Err(error) if needed.contains(&role) => return Err(error.into()),
            Err(_) => continue,
        };
        if needed.contains(&role) {
            refuse_unfit(chosen.agent, role)?;
            refuse_absent(chosen.agent)?;
        }
        if chosen.instead_of.is_some() {
            places.entry(&chosen.agent.name).or_default().push(role.word());
        }
        agents.insert(role, chosen.agent.clone());
    }
    for (agent, roles) in places {
        warn!(
            "not every agent of a role is installed: `{agent}` is {} (name agents in `[roles]` to settle it)",
            roles.join(", "),
        );
    }
    Ok(agents)
}

fn refuse_unfit(agent: &AgentSettings, role: Role) -> Outcome {
    let Some(reason) = unfit_for_role(agent) else { return Ok(()) };
    let message = format!("agent `{}` cannot be the {role} of a team: {reason}", agent.name);
    Err(Failure::new(Kind::Precondition, message)
        .help(format!("name another agent with `--agent {role}=NAME` or in `[roles]`")))
}

/// Refuses an agent that somebody has named and whose program is not there.
fn refuse_absent(agent: &AgentSettings) -> Outcome {
    let program = agent.command.first().cloned().unwrap_or_default();
    // An agent may have a `PATH` of its own, in which its program is looked for.
    let has_own_path = !program.contains('/') && agent.env.contains_key("PATH");
    if has_own_path || is_installed(agent) {
        return Ok(());
    }
    let (error, name) = (AgentError::NotFound { program }, agent.name.clone());
    Err(RunError::Agent { agent: name, error, run: None }.into())
}

/// Chooses the agent of a phase for looking at what it would be sent: where none is installed, the preferred one.
pub(super) fn choose_or_prefer(config: &Config, phase: Phase) -> Outcome<&AgentSettings> {
    match config.choose(phase, is_installed) {
        Ok(chosen) => Ok(chosen.agent),
        Err(ChoiceError::NoneInstalled { .. }) => Ok(config.for_phase(phase)?),
        Err(ChoiceError::Config(error)) => Err(error.into()),
    }
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
