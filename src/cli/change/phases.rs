//! `agentd plan|challenge|implement|review|archive`: one phase of a change that is there.

use std::sync::Arc;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::drive::{Course, drive};
use super::flow::ChosenFlow;
use super::ids::id;
use super::live::Afterwards;
use super::run::answers;
use super::workshop::{AgentOptions, Room, set_up};
use crate::engine::change::Change;
use crate::flow::{Next, Position, Waiting};
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
        let flow = ChosenFlow::begun(&room.project.root, &change.history)?;
        let Some(step) = flow.flow.find(phase.word()) else {
            let message = format!(
                "change `{}` follows the flow `{}`, which has no step `{phase}`",
                self.change, flow.flow.name
            );
            return Err(Failure::new(Kind::Precondition, message)
                .help(format!("`agentd run {}` goes on", self.change)));
        };
        let is_due = change.history.state.position == Position::Step(step);
        let needed = is_due.then_some(step).into_iter().collect();
        let setup = set_up(room, &self.agents, &flow, needed)?;
        setup.refuse_without_way(&self.change)?;
        let next = change.history.state.next(&flow.flow, |limit| setup.rounds(limit));
        match next {
            Next::Run(due) if due == step => {}
            Next::Wait(waiting) => {
                let id = &self.change;
                let help = answers(id, &change.history, waiting);
                return Err(match waiting {
                    Waiting::Exhausted(due) if due == step => {
                        let message = format!("`{phase}` of `{id}` has had all its rounds");
                        Failure::new(Kind::NotPassed, message).help(help)
                    }
                    _ => self.elsewhere(phase, &change).help(help),
                });
            }
            Next::Run(_) | Next::End => {
                return Err(self
                    .elsewhere(phase, &change)
                    .help(format!("`agentd run {}` does what is next", self.change)));
            }
        }
        let screen =
            Arc::new(Screen::new(if self.json { Audience::Programs } else { Audience::people() }));
        drive(&setup, change, &screen, Course::One(step), Afterwards::default())
    }

    fn elsewhere(&self, phase: Phase, change: &Change) -> Failure {
        let (id, at) = (&self.change, change.history.at());
        Failure::new(Kind::Precondition, format!("change `{id}` is at {at}, not at {phase}"))
    }
}
