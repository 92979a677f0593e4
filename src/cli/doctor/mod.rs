//! `agentd doctor`: which agents are usable here, which agent does which step, and how to fix the rest.

mod agents;
mod assignments;
mod command;
mod here;
mod json;
mod probe;
mod table;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::configuration;
use super::flows::load::find_flow;
use super::runtime;
use super::trust::untrusted_agents;
use crate::catalog::CATALOG;
use crate::cli::{Failure, Format, Kind, Outcome, ProjectContext, print_json};
use crate::config::{CANDIDATES, Config, Locations};
use crate::flow::Flow;
use crate::orchestrator::Place;
use crate::process::Cancel;
use agents::AgentState;
use assignments::Assignment;
use here::Here;
use probe::Prober;
use table::Marks;

/// Show which agents are installed, and which agent does which step.
///
/// Each agent's program is asked for its version, and nothing else is run: no model is asked, and it is not checked
/// whether you are logged in. Values of variables that the configuration sets are not shown.
///
/// Exit code 0 means that every step of the default flow has a usable agent, 5 that one has not, 4 that the
/// configuration is wrong.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd doctor
  agentd doctor --commands               # the command line of each phase too
  agentd doctor --json | jq '.agents[] | select(.ok) | .name'
  AGENTD_AGENT=offline agentd doctor     # try everything without a model")]
pub(super) struct Doctor {
    #[command(flatten)]
    format: Format,
    /// How long a program may take to print its version.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    wait: u64,
    /// Also show the command line of each phase.
    #[arg(long)]
    commands: bool,
}

/// Everything that was found out.
struct Diagnosis {
    agents: Vec<AgentState>,
    /// The flow that new changes use.
    flow: String,
    /// Its steps.
    steps: Vec<Assignment>,
    /// The steps of `sdd`.
    phases: Vec<Assignment>,
    /// The members of `team`.
    roles: Vec<Assignment>,
    here: Here,
}

impl Doctor {
    pub(super) fn run(&self) -> Outcome {
        let mut locations = configuration::locations()?;
        if let Ok(context) = ProjectContext::find_to_read() {
            locations.root = context.project.root;
        }
        let config = configuration::read(&locations, Vec::new())?;
        let flow = find_flow(&locations.root, &config.flow)?.flow;
        let mut place = Place::new(&locations.root, &locations.executable);
        place.environment = configuration::environment();
        let hidden = locations.user.iter().cloned().collect();
        place.sandbox = configuration::sandbox(&config, hidden)?.map(Arc::new);
        let untrusted = untrusted_agents(&config, &locations.root)?;
        runtime::block_on(|cancel| async move {
            let diagnosis =
                self.examine(&locations, &config, &flow, &place, &untrusted, cancel.clone()).await;
            if cancel.is_cancelled() {
                return Err(Failure::new(Kind::Interrupted(130), "interrupted"));
            }
            self.print(&diagnosis)?;
            diagnosis.judge()
        })
    }

    async fn examine(
        &self,
        locations: &Locations,
        config: &Config,
        flow: &Flow,
        place: &Place,
        untrusted: &BTreeSet<String>,
        cancel: Cancel,
    ) -> Diagnosis {
        let prober = Prober {
            guard: place.guard.clone(),
            workspace: place.workspace.clone(),
            wait: Duration::from_secs(self.wait),
            cancel,
        };
        let agents = agents::examine(config, untrusted, place, &prober).await;
        let here = here::examine(locations, place, &prober).await;
        let of_flow = |flow: &Flow| assignments::of_flow(flow, config, place, &agents);
        let built_in = |name| CATALOG.flow(name).map(of_flow).unwrap_or_default();
        let (steps, phases, roles) = (of_flow(flow), built_in("sdd"), built_in("team"));
        let flow = flow.name.to_string();
        Diagnosis { agents, flow, steps, phases, roles, here }
    }

    fn print(&self, diagnosis: &Diagnosis) -> Outcome {
        if self.format.json {
            return print_json(json::report(diagnosis));
        }
        let marks = if io::stdout().is_terminal() { Marks::Signs } else { Marks::Words };
        let mut text = table::report(diagnosis, marks);
        if self.commands {
            table::commands(&mut text, &diagnosis.phases);
        }
        Ok(anstream::stdout().write_all(text.as_bytes())?)
    }
}

impl Diagnosis {
    /// Returns the steps of the flow that have no usable agent.
    fn stuck(&self) -> Vec<&Assignment> {
        self.steps.iter().filter(|step| step.trouble.is_some()).collect()
    }

    /// Returns the agent whose installation would help most: one that a step needs, else one from another vendor for a
    /// judge.
    fn wanted(&self) -> Option<&AgentState> {
        let missing =
            |name: &str| self.agents.iter().find(|state| state.name == name && state.is_missing());
        let lacking = self.stuck().into_iter().find_map(|step| missing(&step.agent));
        lacking.or_else(|| {
            let lacks_judge = self.steps.iter().any(|it| it.shares_vendor_with.is_some());
            lacks_judge.then(|| CANDIDATES.iter().find_map(|name| missing(name))).flatten()
        })
    }

    /// Fails if a step of the flow has no usable agent, and says what to do next.
    fn judge(&self) -> Outcome {
        let stuck = self.stuck();
        if stuck.is_empty() {
            return Ok(());
        }
        let named: Vec<_> = stuck.iter().map(|it| format!("{} ({})", it.task, it.agent)).collect();
        let mut advice: Vec<_> = stuck.iter().filter_map(|it| it.advice.as_deref()).collect();
        advice.dedup();
        let wanted = self.wanted().and_then(|agent| agent.advice.as_deref());
        let advice = match (wanted, advice.as_slice()) {
            (Some(advice), _) => format!("{advice}; or "),
            (None, []) => String::new(),
            (None, [advice]) => format!("{advice}; or "),
            (None, [..]) => "follow the advice for each agent; or ".to_owned(),
        };
        let message = format!("no usable agent for {}", named.join(", "));
        Err(Failure::new(Kind::Agent, message).help(format!(
            "{advice}name another agent in `[phases]` of agentd/config.toml or with `--agent NAME`; `--agent offline` and \
             AGENTD_AGENT=offline try everything without a model"
        )))
    }
}
