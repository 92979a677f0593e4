//! Decides which agent does which step, for runs, calls, previews and the doctor.

use std::collections::BTreeMap;

use super::agent_selection::is_installed;
use crate::config::{ChoiceError, Chosen, Config, Reason};
use crate::flow::{Fact, Flow, Kind, Step, StepId, StepSet, Subject};
use crate::models::agent::AgentSettings;
use crate::orchestrator::capability::{unsupported_as_role, unsupported_reason};
use crate::template::{Phase, Role};

/// A slot and the agent that is chosen for it.
pub(super) struct Assignment<'a> {
    /// A phase, a role, or a name defined by a flow.
    pub(super) slot: &'a str,
    /// The first step that uses the slot; researchers have none.
    pub(super) step: Option<&'a Step>,
    /// The step whose author should be from another vendor.
    author: Option<StepId>,
    /// Whether one of its steps is needed.
    pub(super) is_needed: bool,
    /// The agent.
    pub(super) chosen: Result<Chosen<'a>, ChoiceError>,
}

impl Assignment<'_> {
    /// Returns why an agent cannot fill this slot, if it cannot.
    pub(super) fn unsupported(&self, agent: &AgentSettings) -> Option<&'static str> {
        match self.step.filter(|step| step.is_document()) {
            Some(step) => unsupported_reason(agent, step),
            None => unsupported_as_role(agent),
        }
    }
}

/// Chooses the agents for the steps of a flow, with researchers if a needed step can ask them. `named` holds the agents
/// that options name for slots that only this flow knows.
pub(super) fn assign<'a>(
    config: &'a Config,
    named: &BTreeMap<String, String>,
    flow: &'a Flow,
    needed: StepSet,
) -> Vec<Assignment<'a>> {
    let mut decided: Vec<Assignment<'a>> = Vec::new();
    for mut assignment in slots(flow, needed) {
        let author = assignment.author.and_then(|id| {
            let of_author = |it: &&Assignment<'_>| it.slot == flow.step(id).slot;
            decided.iter().find(of_author)?.chosen.as_ref().ok()
        });
        assignment.chosen = choose(config, named, &assignment, author.map(|author| author.agent));
        decided.push(assignment);
    }
    decided
}

/// Lists the slots of a flow, each once.
fn slots(flow: &Flow, needed: StepSet) -> Vec<Assignment<'_>> {
    let mut slots: Vec<Assignment<'_>> = Vec::new();
    let mut research = false;
    // Replaced by the chosen agent below.
    let nobody = || Err(ChoiceError::NoneInstalled { preferred: String::new() });
    for (id, step) in flow.numbered() {
        let is_needed = needed.contains(id);
        let is_left_out = step.skip_unless == Some(Fact::ProductManager) && !is_needed;
        if !matches!(step.kind, Kind::Agent | Kind::Lanes) || is_left_out {
            continue;
        }
        research |= needed != StepSet::default() && step.research;
        if let Some(slot) = slots.iter_mut().find(|slot| slot.slot == step.slot) {
            slot.is_needed |= is_needed;
            slot.author = slot.author.or(step.not_by);
        } else {
            let (slot, author) = (step.slot.as_ref(), step.not_by);
            let (step, chosen) = (Some(step), nobody());
            slots.push(Assignment { slot, step, author, is_needed, chosen });
        }
    }
    if research {
        let (author, is_needed) = (None, true);
        slots.extend([Role::CodeResearcher, Role::WebResearcher].map(|role| {
            let (slot, step, chosen) = (role.word(), None, nobody());
            Assignment { slot, step, author, is_needed, chosen }
        }));
    }
    slots
}

/// Chooses the agent of a slot. For a slot that only a flow knows, the options decide, else the agent that does this
/// kind of work.
fn choose<'a>(
    config: &'a Config,
    named: &BTreeMap<String, String>,
    Assignment { slot, step, .. }: &Assignment<'_>,
    author: Option<&AgentSettings>,
) -> Result<Chosen<'a>, ChoiceError> {
    if let Some(role) = Role::from_word(slot) {
        return config.choose_role(role, author, is_installed);
    }
    if let Some(name) = named.get(*slot) {
        return Ok(Chosen { agent: config.agent(name)?, reason: Reason::Typed });
    }
    let like = Phase::from_word(slot).unwrap_or_else(|| match step {
        Some(step) if step.writes_code() => Phase::Implement,
        Some(Step { judges: Some(Subject::Code), .. }) => Phase::Review,
        Some(Step { judges: Some(Subject::Plan), .. }) => Phase::Challenge,
        Some(_) | None => Phase::Plan,
    });
    config.choose(like, author, is_installed)
}
