//! The steps: which agent does each, why, its command line, and problems.

use std::collections::BTreeMap;

use super::agents::AgentState;
use super::command::CommandLine;
use crate::cli::assignment::{Assignment as Assigned, assign};
use crate::config::{ChoiceError, Chosen, Config, Origin, Reason};
use crate::flow::{Flow, Step};
use crate::models::agent::AgentSettings;
use crate::models::settings::SameVendor;
use crate::orchestrator::{Orchestrator, Place, RunContext};

/// What was found out about a phase, a role, or another slot of a flow.
pub(super) struct Assignment {
    /// The slot.
    pub(super) task: String,
    pub(super) agent: String,
    /// Why this agent was chosen.
    pub(super) reason: Reason,
    /// Why the step cannot be done.
    pub(super) trouble: Option<String>,
    pub(super) advice: Option<String>,
    /// The author from the same vendor, though the flow wants another vendor.
    pub(super) shares_vendor_with: Option<String>,
    /// The command line, if the step has a single prompt.
    pub(super) command: Option<CommandLine>,
}

/// Examines every slot of a flow, as a run would decide it.
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
        // A missing agent is reported as a configuration error.
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
                (Some(format!("same vendor as its author, `{}`, {refuses}", author.name)), None)
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
