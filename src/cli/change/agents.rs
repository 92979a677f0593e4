//! The agents of a change: the steps that it can still need, and for each step an agent that is installed and capable.

use std::collections::BTreeMap;

use super::request::is_new_text;
use crate::cli::agent_selection::ensure_installed;
use crate::cli::assignment::{Assignment, assign};
use crate::cli::{Failure, Outcome};
use crate::config::{ChoiceError, Config};
use crate::engine::change::NewChange;
use crate::engine::history::History;
use crate::flow::{Fact, Flow, Kind as StepKind, Position, Step, StepId, StepSet, Target};
use crate::models::agent::AgentSettings;
use crate::orchestrator::RunError;

/// Returns the steps with an agent that a change can still reach, up to the last step that is wanted.
pub(super) fn still_needed(
    flow: &Flow,
    begun: Option<&History>,
    new: &NewChange<'_>,
    request: Option<&str>,
    until: Option<StepId>,
) -> StepSet {
    let is_guided = |history: &History| request.is_some_and(|text| is_new_text(history, text));
    let from = match begun.map(|history| (history, history.state.position)) {
        None => flow.start,
        Some((history, Position::Step(id))) if !is_guided(history) => id,
        Some((history, Position::Blocked(id))) if is_guided(history) => id,
        Some((history, Position::Step(_) | Position::Paused { .. })) if is_guided(history) => {
            flow.guidance.map_or(flow.start, |guidance| guidance.to)
        }
        Some(_) => return StepSet::default(),
    };
    let has_manager = begun
        .map_or(new.product_manager, |history| history.state.facts.holds(Fact::ProductManager));
    let is_left_out = |step: &Step| step.skip_unless == Some(Fact::ProductManager) && !has_manager;
    let (mut needed, mut open) = (StepSet::default(), vec![from]);
    while let Some(id) = open.pop() {
        if needed.contains(id) {
            continue;
        }
        needed = needed.with(id);
        let step = flow.step(id);
        // A gate waits for a person, who decides before another agent is asked.
        let on = step.on.iter().filter(|(outcome, _)| {
            !(until == Some(id) && outcome.is_success()) && step.kind != StepKind::Gate
        });
        open.extend(on.filter_map(|(_, target)| match target {
            Target::Step(next) => Some(*next),
            Target::End(_) => None,
        }));
    }
    let asks = |step: &Step| matches!(step.kind, StepKind::Agent | StepKind::Lanes);
    let is_asked = |id: &StepId| {
        let step = flow.step(*id);
        needed.contains(*id) && asks(step) && !is_left_out(step)
    };
    flow.numbered().map(|(id, _)| id).filter(is_asked).collect()
}

/// The agent of each slot, and why it was chosen.
#[derive(Default)]
pub(super) struct Agents {
    pub(super) settings: BTreeMap<String, AgentSettings>,
    pub(super) reasons: BTreeMap<String, String>,
}

/// Chooses the agent of each slot. The agents of needed steps must be installed and capable; this is checked before
/// anything starts or costs money.
pub(super) fn choose(
    config: &Config,
    named: &BTreeMap<String, String>,
    flow: &Flow,
    needed: StepSet,
) -> Outcome<Agents> {
    let mut agents = Agents::default();
    if needed == StepSet::default() {
        return Ok(agents);
    }
    for assignment in assign(config, named, flow, needed) {
        let chosen = match &assignment.chosen {
            Ok(chosen) => chosen,
            Err(error) if assignment.is_needed => return Err(error.clone().into()),
            Err(_) => continue,
        };
        if assignment.is_needed {
            ensure_fit(chosen.agent, &assignment)?;
            ensure_installed(chosen.agent)?;
        }
        let slot = assignment.slot.to_owned();
        agents.reasons.insert(slot.clone(), chosen.reason.to_string());
        agents.settings.insert(slot, chosen.agent.clone());
    }
    Ok(agents)
}

/// Chooses the agent of each slot for a preview: if none is installed, the preferred one.
pub(super) fn prefer(
    config: &Config,
    named: &BTreeMap<String, String>,
    flow: &Flow,
) -> Outcome<Agents> {
    let all = flow.numbered().map(|(id, _)| id).collect();
    let mut agents = Agents::default();
    for assignment in assign(config, named, flow, all) {
        let agent = match assignment.chosen {
            Ok(chosen) => chosen.agent,
            Err(ChoiceError::NoneInstalled { preferred }) => config.agent(&preferred)?,
            Err(ChoiceError::Config(error)) => return Err(error.into()),
        };
        agents.settings.insert(assignment.slot.to_owned(), agent.clone());
    }
    Ok(agents)
}

fn ensure_fit(agent: &AgentSettings, assignment: &Assignment<'_>) -> Outcome {
    let Some(reason) = assignment.unsupported(agent) else { return Ok(()) };
    if let Some(step) = assignment.step.filter(|step| step.is_document()) {
        let (agent, step) = (agent.name.clone(), step.name.to_string());
        return Err(RunError::Unfit { agent, step, reason }.into());
    }
    let slot = assignment.slot;
    let message = format!("agent `{}` cannot be the {slot} of a team: {reason}", agent.name);
    Err(Failure::precondition(
        message,
        format!("name another agent with `--agent {slot}=NAME` or in `[roles]`"),
    ))
}
