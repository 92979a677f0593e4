//! `agentd doctor`: which agents can be used here, what each phase would run, and what to do about the rest.

mod agents;
mod command;
mod here;
mod json;
mod phases;
mod probe;
mod roles;
mod table;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use clap::Args;

use super::configuration;
use super::failure::{Failure, Kind, Outcome};
use super::runtime;
use super::trust::untrusted_agents;
use crate::config::{Config, Locations};
use crate::orchestrator::Place;
use crate::output::secrets::hide_in;
use crate::process::Cancel;
use agents::AgentState;
use here::Here;
use phases::PhaseState;
use probe::Prober;
use roles::RoleState;
use table::Marks;

/// Show which agents are installed and what each phase would run.
///
/// Each agent's program is asked for its version, and nothing else is run: no model is asked, and whether you are logged
/// in is not found out. Values of variables that the configuration sets are not shown.
///
/// Exit code 0 means that every phase has a usable agent, 5 that one has not, 4 that the configuration is not right.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd doctor
  agentd doctor --json | jq '.agents[] | select(.ok) | .name'
  AGENTD_AGENT=offline agentd doctor     # everything can be tried without a model")]
pub(super) struct Doctor {
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// How long a program may take to tell its version.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    wait: u64,
}

/// All that was found out.
struct Diagnosis {
    agents: Vec<AgentState>,
    phases: Vec<PhaseState>,
    roles: Vec<RoleState>,
    here: Here,
}

impl Doctor {
    pub(super) fn run(&self) -> Outcome {
        let locations = configuration::locations()?;
        let config = configuration::read(&locations, Vec::new())?;
        let untrusted = untrusted_agents(&config, &locations.root)?;
        runtime::block_on(|cancel| async move {
            let diagnosis = self.examine(&locations, &config, &untrusted, cancel.clone()).await;
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
        untrusted: &BTreeSet<String>,
        cancel: Cancel,
    ) -> Diagnosis {
        let mut place = Place::new(&locations.root, &locations.executable);
        place.environment = configuration::environment();
        let prober = Prober {
            guard: place.guard.clone(),
            workspace: place.workspace.clone(),
            wait: Duration::from_secs(self.wait),
            cancel,
        };
        let agents = agents::examine(config, untrusted, &place, &prober).await;
        let here = here::examine(locations, &place, &prober).await;
        let phases = phases::examine(config, &place, &agents);
        let roles = roles::examine(config, &agents);
        Diagnosis { agents, phases, roles, here }
    }

    fn print(&self, diagnosis: &Diagnosis) -> io::Result<()> {
        if self.json {
            let mut report = json::report(diagnosis);
            hide_in(&mut report);
            return writeln!(io::stdout().lock(), "{report:#}");
        }
        let marks = if io::stdout().is_terminal() { Marks::Signs } else { Marks::Words };
        anstream::stdout().write_all(table::report(diagnosis, marks).as_bytes())
    }
}

impl Diagnosis {
    /// Gives the phases that cannot be done.
    fn stuck(&self) -> Vec<&PhaseState> {
        self.phases.iter().filter(|phase| phase.obstacle.is_some()).collect()
    }

    /// Says what to do next, where a phase has no usable agent.
    fn judge(&self) -> Outcome {
        let stuck = self.stuck();
        if stuck.is_empty() {
            return Ok(());
        }
        let named: Vec<_> =
            stuck.iter().map(|state| format!("{} ({})", state.phase, state.agent)).collect();
        let mut advice: Vec<&str> =
            stuck.iter().filter_map(|state| state.obstacle.as_ref()?.advice.as_deref()).collect();
        advice.dedup();
        let advice = match advice.as_slice() {
            [] => String::new(),
            [advice] => format!("{advice}; or "),
            [..] => "do what is said of each agent; or ".to_owned(),
        };
        let message = format!("no usable agent for {}", named.join(", "));
        Err(Failure::new(Kind::Agent, message).help(format!(
            "{advice}name another agent in `[phases]` of agentd/config.toml or with `--agent NAME`; `--agent offline` and \
             AGENTD_AGENT=offline try everything without a model"
        )))
    }
}
