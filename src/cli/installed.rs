//! Which agents are installed, and the choice among them.

use std::collections::BTreeMap;
use std::env;
use std::path::Path;

use log::warn;
use rustix::fs::{Access, access};

use super::failure::{Failure, Kind, Outcome};
use crate::config::{ChoiceError, Config};
use crate::models::agent::{AgentSettings, Protocol};
use crate::orchestrator::agents::install::Package;
use crate::orchestrator::fitness::unfit_for_role;
use crate::template::{Phase, Role};

/// Chooses the agent of a phase, and says so when it is not the one that is meant to do it.
pub(super) fn choose(config: &Config, phase: Phase) -> Outcome<&AgentSettings> {
    let chosen = config.choose(phase, is_installed)?;
    if let Some(note) = chosen.note(phase) {
        warn!("{note}");
    }
    Ok(chosen.agent)
}

/// Chooses an agent for each phase, those of `needed` at least. What takes the place of another is said once.
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

/// Chooses an agent for each of these roles, all of which must have one that can take it.
pub(super) fn choose_each_role(
    config: &Config,
    needed: &[Role],
) -> Outcome<BTreeMap<Role, AgentSettings>> {
    let mut agents = BTreeMap::new();
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for role in needed.iter().copied() {
        let chosen = config.choose_role(role, is_installed)?;
        if let Some(reason) = unfit_for_role(chosen.agent) {
            let message =
                format!("agent `{}` cannot be the {role} of a team: {reason}", chosen.agent.name);
            return Err(Failure::new(Kind::Agent, message)
                .help(format!("name another agent with `--agent {role}=NAME` or in `[roles]`")));
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
