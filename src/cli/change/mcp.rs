//! `agentd mcp`: the tools with which one role submits its work on a change. Agents start this command; people rarely
//! do.

use std::io;
use std::path::PathBuf;

use clap::Args;

use crate::cli::value_parsers::role;
use crate::cli::{Failure, Kind, Outcome, PathContext as _};
use crate::engine::schedule::unschedulable;
use crate::handoff::Desk;
use crate::mcp;
use crate::models::change::{ChangeId, InvalidChangeId};
use crate::models::plan::PlanIndex;
use crate::orchestrator::clock::now_ms;
use crate::prompt::confined::ConfinedFolder;
use crate::template::Role;

/// Serve the hand-off tools of a role over MCP, on standard input and output.
#[derive(Debug, Args)]
#[command(
    long_about = "Serve the hand-off tools of a role over MCP, on standard input and output.\n\n\
                  agentd tells the agents that it runs to start this. docs/handoff-contracts.md describes the tools.",
    after_help = "\
Examples:
  agentd mcp --outbox …/reviewer/add-login --role reviewer    submit_review and submit_done"
)]
pub(crate) struct Mcp {
    /// The outbox of the agent, which is named after the change.
    #[arg(long, value_name = "DIR")]
    outbox: PathBuf,
    /// The role whose tools are served.
    #[arg(long, value_parser = role)]
    role: Role,
    /// The plan of a coder who works on this plan alone: it can report no other plan as done.
    #[arg(long, value_name = "N", value_parser = plan)]
    plan: Option<PlanIndex>,
}

impl Mcp {
    pub(crate) fn run(&self) -> Outcome {
        if self.plan.is_some() && self.role != Role::Coder {
            return Err(Failure::usage(
                "only a coder can have a plan",
                "leave out `--plan`, or use `--role coder`",
            ));
        }
        let path = std::fs::canonicalize(&self.outbox).or_fail("cannot find", &self.outbox)?;
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let change: ChangeId = name.parse().map_err(|error: InvalidChangeId| {
            Failure::usage(
                format!("`{}` is not named after a change: {error}", path.display()),
                "an outbox is `…/ROLE/CHANGE`, as agentd names it in the prompt of a role",
            )
        })?;
        let folder = ConfinedFolder::open(&path).or_fail("cannot open", &path)?;
        let (role, plan, schedule) = (self.role, self.plan, unschedulable);
        let desk = Desk { folder: &folder, role, plan, schedule, change: &change };
        mcp::serve(&desk, now_ms, io::stdin().lock(), io::stdout().lock()).map_err(|error| {
            match error.kind() {
                io::ErrorKind::BrokenPipe => Failure::new(Kind::ClosedPipe, ""),
                _ => Failure::new(Kind::Io, format!("cannot continue serving: {error}")),
            }
        })
    }
}

fn plan(text: &str) -> Result<PlanIndex, String> {
    let plan = text.parse().ok().and_then(PlanIndex::new);
    plan.ok_or_else(|| format!("a plan has a number from 1 to {}", PlanIndex::LARGEST))
}
