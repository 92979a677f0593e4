//! Judges of the same vendor as whoever made what they judge, though the flow would rather have two.

use std::collections::BTreeMap;

use crate::cli::{Failure, Outcome};
use crate::config::Config;
use crate::engine::history::History;
use crate::flow::{Flow, Position, Step, StepId, StepSet};
use crate::models::agent::AgentSettings;
use crate::models::settings::SameVendor;

/// Refuses a change in which one vendor would make and judge the same, if the configuration says so.
pub(super) fn refuse_shared(
    config: &Config,
    flow: &Flow,
    (agents, needed): (&BTreeMap<String, AgentSettings>, StepSet),
    begun: Option<&History>,
) -> Outcome {
    if config.same_vendor == SameVendor::Warn {
        return Ok(());
    }
    let shared = shared(flow, (agents, needed), begun, |name| config.agents.get(name));
    let Some(Shared { slot, what }) = shared.first() else { return Ok(()) };
    Err(Failure::precondition(
        format!("{what}, and `[project] same_vendor` refuses that"),
        format!("name an agent of another vendor: `--agent {slot}=NAME`"),
    ))
}

/// One vendor for two steps that should have two.
pub(super) struct Shared<'f> {
    /// The name under which another judge is chosen.
    pub(super) slot: &'f str,
    /// Who does what.
    pub(super) what: String,
}

/// Finds the judges of the same vendor as the author: whoever did the author's step last, and whoever does it next.
pub(super) fn shared<'f, 'a>(
    flow: &'f Flow,
    (agents, needed): (&'a BTreeMap<String, AgentSettings>, StepSet),
    begun: Option<&History>,
    find: impl Fn(&str) -> Option<&'a AgentSettings>,
) -> Vec<Shared<'f>> {
    let of_step = |(id, step): (StepId, &'f Step)| {
        let by = step.not_by.filter(|_| needed.contains(id))?;
        let (author, judge) = (flow.step(by), agents.get(step.slot.as_ref())?);
        let did = begun.and_then(|history| find(last_agent(history, by)?));
        let will_do = agents.get(author.slot.as_ref()).filter(|_| needed.contains(by));
        let of_vendor = |maker: &&AgentSettings| maker.shares_vendor(judge);
        let maker = did.into_iter().chain(will_do).find(of_vendor)?;
        let (maker, judge) = (&maker.name, &judge.name);
        let (made, judged) = (&author.name, &step.name);
        let what = if maker == judge {
            format!("`{judge}` does {made} and {judged}")
        } else {
            format!("`{maker}` does {made} and `{judge}`, of the same vendor, {judged}")
        };
        Some(Shared { slot: &step.slot, what })
    };
    flow.numbered().filter_map(of_step).collect()
}

/// Returns who did a step last, unless it is about to be done again.
fn last_agent(history: &History, step: StepId) -> Option<&str> {
    if history.state.position == Position::Step(step) {
        return None;
    }
    let name = &history.flow.step(step).name;
    let calls = history.calls.iter().rev();
    calls.map(|call| &call.record).find(|it| it.phase == **name).map(|it| it.agent.as_str())
}
