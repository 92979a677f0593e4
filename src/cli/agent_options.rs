//! The options of commands that run agents: who does which step, and what it may cost.

use std::collections::BTreeMap;

use clap::Args;

use crate::cli::{Failure, Outcome};
use crate::config::{Config, Override};
use crate::flow::Flow;
use crate::models::agent::{AgentSettings, Protocol};
use crate::models::settings::Limits;
use crate::orchestrator::prices::price_of;
use crate::template::{Phase, Role};

// A doc comment would become the help text of a command that has none.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct AgentOptions {
    /// The agent of one step (`plan=claude`, `coder=claude`), or of all steps (`claude`). May be given more than once.
    #[arg(long = "agent", value_name = "[STEP=]NAME")]
    agents: Vec<String>,
    /// Stop when the change has cost this many US dollars.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    max_cost: Option<f64>,
    /// Stop when the change has used this many tokens.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
}

fn dollars(word: &str) -> Result<f64, String> {
    let amount = word.parse::<f64>().ok().filter(|amount| amount.is_finite() && *amount > 0.0);
    amount.ok_or_else(|| "must be a number of US dollars above 0, such as 2.50".to_owned())
}

impl AgentOptions {
    /// Assigns one agent to every step.
    pub(super) fn of_all(agent: &str) -> Self {
        Self { agents: vec![agent.to_owned()], ..Self::default() }
    }

    /// Assigns an agent to one step; without one, the configuration decides.
    pub(super) fn of_step(step: &str, agent: Option<&str>) -> Self {
        let agents = agent.map(|agent| format!("{step}={agent}")).into_iter().collect();
        Self { agents, ..Self::default() }
    }

    /// Returns the settings that `--agent` stands for, except for slots that only a flow knows.
    pub(super) fn overrides(&self) -> Vec<Override> {
        let mut overrides = Vec::new();
        for word in &self.agents {
            let (tasks, agent) = if let Some((task, agent)) = word.split_once('=') {
                (known_task(task).into_iter().collect::<Vec<_>>(), agent)
            } else {
                let phases = Phase::WORDS.iter().map(|word| ["phases", *word]);
                let roles = Role::WORDS.iter().map(|word| ["roles", *word]);
                (phases.chain(roles).collect(), word.as_str())
            };
            overrides.extend(tasks.iter().map(|path| Override::flag("--agent", path, agent)));
        }
        overrides
    }

    /// Returns the agents that `--agent` names for slots that only this flow knows.
    pub(super) fn by_slot(&self, flow: &Flow) -> Outcome<BTreeMap<String, String>> {
        let mut named = BTreeMap::new();
        for word in &self.agents {
            let Some((task, agent)) = word.split_once('=') else { continue };
            if known_task(task).is_some() {
                continue;
            }
            let step = flow.steps.iter().find(|step| step.slot == task || step.name == task);
            let step = step.ok_or_else(|| {
                let slots = flow.steps.iter().filter(|step| step.prompt.is_some());
                let slots: Vec<_> = slots.map(|step| step.slot.as_ref()).collect();
                Failure::usage(
                    format!("`{task}` in `--agent {word}` is not a phase, a role or a step"),
                    format!("the flow `{}` has these: {}", flow.name, slots.join(", ")),
                )
            })?;
            named.insert(step.slot.to_string(), agent.to_owned());
        }
        Ok(named)
    }

    /// Returns the limits in force.
    pub(super) fn limits(&self, config: &Config) -> Limits {
        let mut limits = config.limits;
        limits.max_cost_usd = self.max_cost.or(limits.max_cost_usd);
        limits.max_tokens = self.max_tokens.or(limits.max_tokens);
        limits
    }

    /// Refuses a cost limit if the price of a model is unknown: the limit would have no effect.
    pub(super) fn ensure_priced<'a>(
        &self,
        config: &Config,
        mut agents: impl Iterator<Item = &'a AgentSettings>,
    ) -> Outcome {
        let is_unpriced = |agent: &&AgentSettings| {
            !matches!(agent.protocol, Protocol::Claude | Protocol::Offline)
                && price_of(agent, None, &config.prices).is_none()
        };
        let is_limited = self.limits(config).max_cost_usd.is_some();
        let Some(agent) = agents.find(is_unpriced).filter(|_| is_limited) else { return Ok(()) };
        let model = agent.model.as_deref().unwrap_or("of its own choice");
        Err(Failure::precondition(
            format!("agent `{}` uses the model {model}, whose price is unknown", agent.name),
            "a cost limit needs prices: set `model` in `[agents.…]` and `[prices.\"MODEL\"]`, or use --max-tokens",
        ))
    }
}

/// Returns the setting that names the agent of a phase or a role.
fn known_task(word: &str) -> Option<[&'static str; 2]> {
    let phase = Phase::from_word(word).map(|phase| ["phases", phase.word()]);
    phase.or_else(|| Role::from_word(word).map(|role| ["roles", role.word()]))
}
