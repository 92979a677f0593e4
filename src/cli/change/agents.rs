//! Who does which step: the slots of a flow, those that a change can still need, and the agent of each.

use std::collections::BTreeMap;

use log::warn;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::installed::{is_installed, refuse_absent};
use super::run::is_new_text;
use crate::config::{ChoiceError, Chosen, Config};
use crate::engine::change::NewChange;
use crate::engine::history::History;
use crate::flow::{Fact, Flow, Kind as StepKind, Position, Step, StepId, StepSet, Subject, Target};
use crate::models::agent::AgentSettings;
use crate::orchestrator::RunError;
use crate::orchestrator::fitness::{unfit, unfit_for_role};
use crate::template::{Phase, Role};

/// Returns the steps that a change can still get to, before it is past the last one that is wanted.
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
        // A gate waits for a person, who looks on before anybody else is asked.
        let on = step.on.iter().filter(|(outcome, _)| {
            !(until == Some(id) && outcome.is_success()) && step.kind != StepKind::Gate
        });
        open.extend(on.filter_map(|(_, target)| match target {
            Target::Step(next) => Some(*next),
            Target::End(_) => None,
        }));
    }
    let is_asked = |id: &StepId| needed.contains(*id) && !is_left_out(flow.step(*id));
    flow.numbered().map(|(id, _)| id).filter(is_asked).collect()
}

/// A name under which the configuration says who does something.
struct Slot<'s> {
    name: &'s str,
    /// A step that it does; researchers do none.
    step: Option<&'s Step>,
    is_needed: bool,
}

/// Lists the slots of the steps that a change can still get to, each once, with researchers where they can be asked.
fn slots(flow: &Flow, needed: StepSet) -> Vec<Slot<'_>> {
    let mut slots: Vec<Slot<'_>> = Vec::new();
    let mut research = false;
    for (id, step) in flow.numbered() {
        let is_needed = needed.contains(id);
        let is_left_out = step.skip_unless == Some(Fact::ProductManager) && !is_needed;
        if !matches!(step.kind, StepKind::Agent | StepKind::Lanes) || is_left_out {
            continue;
        }
        research |= needed != StepSet::default() && step.research;
        match slots.iter_mut().find(|slot| slot.name == step.slot) {
            Some(slot) => slot.is_needed |= is_needed,
            None => slots.push(Slot { name: &step.slot, step: Some(step), is_needed }),
        }
    }
    if research {
        let roles = [Role::CodeResearcher, Role::WebResearcher];
        slots.extend(roles.map(|role| Slot { name: role.word(), step: None, is_needed: true }));
    }
    slots
}

/// Chooses the agent of each slot. Those of needed steps must have one that is there and can do it, which is found out before
/// anything begins or is paid for. What takes the place of another is said once.
pub(super) fn choose(
    config: &Config,
    named: &BTreeMap<String, String>,
    flow: &Flow,
    needed: StepSet,
) -> Outcome<BTreeMap<String, AgentSettings>> {
    let mut agents = BTreeMap::new();
    let mut places: BTreeMap<&str, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    if needed == StepSet::default() {
        return Ok(agents);
    }
    let slots = slots(flow, needed);
    for slot in &slots {
        let chosen = match chosen(config, named, slot) {
            Ok(chosen) => chosen,
            Err(error) if slot.is_needed => return Err(error.into()),
            Err(_) => continue,
        };
        if slot.is_needed {
            if let Some(preferred) = chosen.instead_of {
                let (absent, slots) = places.entry(&chosen.agent.name).or_default();
                if !absent.contains(&preferred.name.as_str()) {
                    absent.push(&preferred.name);
                }
                slots.push(slot.name);
            }
            refuse_unfit(chosen.agent, slot)?;
            refuse_absent(chosen.agent)?;
        }
        agents.insert(slot.name.to_owned(), chosen.agent.clone());
    }
    for (agent, (absent, slots)) in places {
        let verb = if absent.len() == 1 { "is" } else { "are" };
        let absent: Vec<_> = absent.iter().map(|name| format!("`{name}`")).collect();
        warn!(
            "{} {verb} not installed: `{agent}` does {} (name agents in `[phases]` or `[roles]` to settle it)",
            absent.join(" and "),
            slots.join(", "),
        );
    }
    Ok(agents)
}

/// Chooses the agent of each slot for looking at what it would be sent: where none is installed, the preferred one.
pub(super) fn prefer(
    config: &Config,
    named: &BTreeMap<String, String>,
    flow: &Flow,
) -> Outcome<BTreeMap<String, AgentSettings>> {
    let all = flow.numbered().map(|(id, _)| id).collect();
    let mut agents = BTreeMap::new();
    for slot in slots(flow, all) {
        let agent = match chosen(config, named, &slot) {
            Ok(chosen) => chosen.agent,
            Err(ChoiceError::NoneInstalled { preferred }) => config.agent(&preferred)?,
            Err(ChoiceError::Config(error)) => return Err(error.into()),
        };
        agents.insert(slot.name.to_owned(), agent.clone());
    }
    Ok(agents)
}

/// Chooses the agent of a slot. One that only a flow knows is done by whoever the options name, else by whoever does such work.
fn chosen<'c>(
    config: &'c Config,
    named: &BTreeMap<String, String>,
    slot: &Slot<'_>,
) -> Result<Chosen<'c>, ChoiceError> {
    if let Some(role) = Role::from_word(slot.name) {
        return config.choose_role(role, is_installed);
    }
    if let Some(name) = named.get(slot.name) {
        return Ok(Chosen { agent: config.agent(name)?, instead_of: None });
    }
    let like = Phase::from_word(slot.name).unwrap_or_else(|| match slot.step {
        Some(step) if step.writes_code() => Phase::Implement,
        Some(Step { judges: Some(Subject::Code), .. }) => Phase::Review,
        Some(Step { judges: Some(Subject::Plan), .. }) => Phase::Challenge,
        Some(_) | None => Phase::Plan,
    });
    config.choose(like, is_installed)
}

fn refuse_unfit(agent: &AgentSettings, slot: &Slot<'_>) -> Outcome {
    let document = slot.step.filter(|step| step.is_document());
    if let Some(step) = document {
        let Some(reason) = unfit(agent, step) else { return Ok(()) };
        let (agent, step) = (agent.name.clone(), step.name.to_string());
        return Err(RunError::Unfit { agent, step, reason }.into());
    }
    let Some(reason) = unfit_for_role(agent) else { return Ok(()) };
    let slot = slot.name;
    let message = format!("agent `{}` cannot be the {slot} of a team: {reason}", agent.name);
    Err(Failure::new(Kind::Precondition, message)
        .help(format!("name another agent with `--agent {slot}=NAME` or in `[roles]`")))
}
