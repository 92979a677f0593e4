//! The phases: which agent does each, where that is said, what would be run, and what stands against it.

use super::agents::AgentState;
use super::command::CommandLine;
use crate::catalog::CATALOG;
use crate::config::Config;
use crate::models::agent::AgentSettings;
use crate::orchestrator::fitness::unfit;
use crate::orchestrator::{Occasion, Orchestrator, Place};
use crate::template::Phase;

/// What was found out about a phase.
pub(super) struct PhaseState {
    pub(super) phase: Phase,
    pub(super) agent: String,
    /// Where it is said that this agent does it.
    pub(super) origin: String,
    pub(super) obstacle: Option<Obstacle>,
    pub(super) command: Option<CommandLine>,
}

/// Why a phase cannot be done.
pub(super) struct Obstacle {
    pub(super) reason: String,
    pub(super) advice: Option<String>,
}

/// Looks at every phase in its order.
pub(super) fn examine(config: &Config, place: &Place, agents: &[AgentState]) -> Vec<PhaseState> {
    let phases = Phase::ALL.iter().filter_map(|phase| {
        // Every phase has an agent by default, and one that is not there is a fault of the configuration.
        let settings = config.for_phase(*phase).ok()?;
        Some(PhaseState {
            phase: *phase,
            agent: settings.name.clone(),
            origin: config.origin(&["phases", phase.word()]).to_string(),
            obstacle: obstacle(settings, *phase, agents),
            command: command(settings, *phase, place),
        })
    });
    phases.collect()
}

fn obstacle(settings: &AgentSettings, phase: Phase, agents: &[AgentState]) -> Option<Obstacle> {
    if let Some(reason) = unfit(settings, CATALOG.step(phase)) {
        return Some(Obstacle { reason: reason.to_owned(), advice: None });
    }
    let agent = agents.iter().find(|agent| agent.name == settings.name)?;
    if agent.is_usable() {
        return None;
    }
    Some(Obstacle { reason: agent.trouble().unwrap_or_default(), advice: agent.advice() })
}

fn command(settings: &AgentSettings, phase: Phase, place: &Place) -> Option<CommandLine> {
    let change = place.changes.join("CHANGE");
    let run_folder = change.join(format!("runs/NNN-{phase}"));
    let occasion = Occasion { change: &change, run_folder: &run_folder, prompt: "", server: None };
    let orchestrator = Orchestrator::new(settings.clone(), place.clone());
    let invocation = orchestrator.invocation(CATALOG.step(phase), &occasion).ok()?;
    Some(CommandLine::of(&invocation, settings, place))
}
