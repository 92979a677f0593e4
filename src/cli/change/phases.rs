//! `agentd plan|challenge|implement|review|archive`: one phase of a change that is there.

use std::sync::Arc;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::drive::{Course, drive};
use super::ids::id;
use super::workshop::{AgentOptions, Room, set_up};
use crate::engine::change::Change;
use crate::engine::machine::Step;
use crate::models::change::ChangeId;
use crate::output::screen::{Audience, Screen};
use crate::template::Phase;

/// One phase of a change.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd plan add-login                       plan it, if that is what is next
  agentd challenge add-login --agent codex    challenge the plan with this agent
  agentd implement add-login                  write the code, then run the checks
  agentd review add-login --json              review it, telling a script what happens
  agentd archive add-login                    write the archive and put it in place

Each exits with 4 where another phase is next, and with 8 where it did not pass. `agentd run` does all of them.")]
pub(in super::super) struct OnePhase {
    /// The change's id.
    #[arg(value_parser = id)]
    change: ChangeId,
    #[command(flatten)]
    agents: AgentOptions,
    /// Print events as JSON lines.
    #[arg(long)]
    json: bool,
}

impl OnePhase {
    pub(in super::super) fn run(&self, phase: Phase) -> Outcome {
        let room = Room::find()?;
        let change = room.hold(&self.change)?;
        if change.history.team.is_some() {
            let message =
                format!("change `{}` is brought on by a team, not by phases", self.change);
            return Err(Failure::new(Kind::Precondition, message)
                .help(format!("`agentd run {}` goes on", self.change)));
        }
        let setup = set_up(room, &self.agents, &[phase])?;
        setup.refuse_without_way(&self.change)?;
        let state = change.history.state;
        match state.step(setup.rounds()) {
            Step::Run(due) if due == phase => {}
            Step::Exhausted(due) if due == phase => {
                let message =
                    format!("phase `{phase}` of `{}` has had all its rounds", self.change);
                return Err(Failure::new(Kind::NotPassed, message).help(format!(
                    "`agentd reject {} \"what to do\"` gives it new rounds",
                    self.change
                )));
            }
            Step::Wait(_) => {
                let id = &self.change;
                return Err(self.elsewhere(phase, &change).help(format!(
                    "`agentd approve {id}` lets it go on, and `agentd reject {id} \"why\"` sends the work back"
                )));
            }
            Step::Run(_) | Step::Exhausted(_) | Step::Verify(_) | Step::Apply | Step::End => {
                return Err(self
                    .elsewhere(phase, &change)
                    .help(format!("`agentd run {}` does what is next", self.change)));
            }
        }
        let screen =
            Arc::new(Screen::new(if self.json { Audience::Programs } else { Audience::people() }));
        drive(&setup, change, &screen, &Course::One(phase))
    }

    fn elsewhere(&self, phase: Phase, change: &Change) -> Failure {
        let (id, at) = (&self.change, change.history.at());
        Failure::new(Kind::Precondition, format!("change `{id}` is at {at}, not at {phase}"))
    }
}
