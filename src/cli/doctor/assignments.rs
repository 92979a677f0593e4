//! The steps: which agent does each, why, what would be run, and what stands against it.

use std::collections::BTreeMap;

use super::agents::AgentState;
use super::command::CommandLine;
use crate::cli::assignment::{Assignment as Assigned, assign};
use crate::config::{ChoiceError, Chosen, Config, Origin, Reason};
use crate::flow::{Flow, Step};
use crate::models::agent::AgentSettings;
use crate::models::settings::SameVendor;
use crate::orchestrator::{Orchestrator, Place, RunContext};

/// What was found out about a phase, a role, or what else a flow has done.
pub(super) struct Assignment {
    /// The slot.
    pub(super) task: String,
    pub(super) agent: String,
    /// Why it is this agent.
    pub(super) reason: Reason,
    /// Why it cannot be done.
    pub(super) trouble: Option<String>,
    pub(super) advice: Option<String>,
    /// The author whose vendor it shares, though it should not.
    pub(super) shares_vendor_with: Option<String>,
    /// What would be run, where it is one document.
    pub(super) command: Option<CommandLine>,
}

/// Looks at every slot of a flow, as a run decides it.
pub(super) fn of_flow(
    flow: &Flow,
    config: &Config,
    place: &Place,
    agents: &[AgentState],
) -> Vec<Assignment> {
    let all = flow.numbered().map(|(id, _)| id).collect();
    let assigned = assign(config, &BTreeMap::new(), flow, all);
    let author_of = |it: &Assigned<'_>| {
        let author = it.step?.not_by.map(|id| flow.step(id))?;
        let of_author = |other: &&Assigned<'_>| other.slot == author.slot;
        Some(assigned.iter().find(of_author)?.chosen.as_ref().ok()?.agent)
    };
    let looked_at = assigned.iter().filter_map(|it| {
        // An agent that is not there is a fault of the configuration, and is reported as such.
        let Chosen { agent, reason } = match &it.chosen {
            Ok(chosen) => chosen.clone(),
            Err(ChoiceError::NoneInstalled { preferred }) => {
                let reason = Reason::Said(Origin::Default);
                Chosen { agent: config.agent(preferred).ok()?, reason }
            }
            Err(ChoiceError::Config(_)) => return None,
        };
        let unusable = agents.iter().find(|state| state.name == agent.name && !state.is_usable);
        let author = author_of(it).filter(|author| author.shares_vendor(agent));
        let refused = author.filter(|_| config.same_vendor == SameVendor::Refuse);
        let (trouble, advice) = match (it.unsupported(agent), unusable, refused) {
            (Some(reason), ..) => (Some(reason.to_owned()), None),
            (None, Some(state), _) => (state.trouble.clone(), state.advice.clone()),
            (None, None, Some(author)) => {
                let refuses = "which `[project] same_vendor` refuses";
                (Some(format!("no other vendor than `{}`'s judges, {refuses}", author.name)), None)
            }
            (None, None, None) => (None, None),
        };
        let document = it.step.filter(|step| step.is_document());
        Some(Assignment {
            task: it.slot.to_owned(),
            agent: agent.name.clone(),
            reason,
            trouble,
            advice,
            shares_vendor_with: author.map(|author| author.name.clone()),
            command: document.and_then(|step| command(agent, step, place)),
        })
    });
    looked_at.collect()
}

fn command(settings: &AgentSettings, step: &Step, place: &Place) -> Option<CommandLine> {
    let change = place.changes.join("CHANGE");
    let run_folder = change.join(format!("runs/NNN-{}", step.name));
    let occasion =
        RunContext { change: &change, run_folder: &run_folder, prompt: "", server: None };
    let orchestrator = Orchestrator::new(settings.clone(), place.clone());
    let invocation = orchestrator.invocation(step, &occasion).ok()?;
    Some(CommandLine::new(&invocation, settings, place))
}
