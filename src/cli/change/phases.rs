//! `agentd plan|challenge|implement|review|archive`: one phase of an existing change.

use clap::Args;

use super::drive::{RunScope, drive};
use super::live::LiveOptions;
use super::next::answers;
use super::setup::{Needed, set_up};
use crate::cli::agent_options::AgentOptions;
use crate::cli::flows::load::FoundFlow;
use crate::cli::{EventFormat, Failure, Kind, Outcome, ProjectContext};
use crate::flow::{Next, Position, Waiting};
use crate::models::change::ChangeId;
use crate::template::Phase;

// The list of commands describes what each phase does.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  agentd plan add-login                       plan it, if that is next
  agentd challenge add-login --agent codex    challenge the plan with this agent
  agentd implement add-login                  write the code, then run the checks
  agentd review add-login --json              review it, with events for a script
  agentd archive add-login                    write and apply the archive

Each exits with 4 if another phase is next, and with 8 if it did not pass. `agentd run` runs all of them.")]
pub(crate) struct OnePhase {
    /// The change's id.
    change: ChangeId,
    #[command(flatten)]
    agents: AgentOptions,
    #[command(flatten)]
    format: EventFormat,
}

impl OnePhase {
    pub(crate) fn run(&self, phase: Phase) -> Outcome {
        let (context, id) = (ProjectContext::find()?, &self.change);
        let change = context.hold(id)?;
        let flow = FoundFlow::begun(&context.project.root, &change.history)?;
        let step = flow.flow.find(phase.word()).ok_or_else(|| {
            let name = &flow.flow.name;
            Failure::precondition(
                format!("change `{id}` follows the flow `{name}`, which has no step `{phase}`"),
                format!("`agentd run {id}` continues"),
            )
        })?;
        let is_due = change.history.state.position == Position::Step(step);
        let steps = is_due.then_some(step).into_iter().collect();
        let needed = Needed { steps, begun: Some(&change.history) };
        let setup = set_up(context, &self.agents, &flow, needed)?;
        setup.refuse_without_way(id)?;
        let history = &change.history;
        let elsewhere = format!("change `{id}` is at {}, not at {phase}", history.at());
        match history.state.next(&flow.flow, |limit| setup.rounds(limit)) {
            Next::Run(due) if due == step => {}
            Next::Wait(waiting @ Waiting::Exhausted(due)) if due == step => {
                let message = format!("`{phase}` of `{id}` has used all its rounds");
                let help = answers(id, history, waiting);
                return Err(Failure::new(Kind::NotPassed, message).help(help));
            }
            Next::Wait(waiting) => {
                return Err(Failure::precondition(elsewhere, answers(id, history, waiting)));
            }
            Next::Run(_) | Next::End => {
                let help = format!("`agentd run {id}` runs what is next");
                return Err(Failure::precondition(elsewhere, help));
            }
        }
        let screen = self.format.screen();
        drive(&setup, change, &screen, RunScope::One(step), LiveOptions::default())
    }
}
