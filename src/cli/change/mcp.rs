//! `agentd mcp`: the tools with which one role hands in its work on a change. Agents start it, people rarely do.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::super::failure::{Failure, Kind, Outcome};
use super::super::words::role;
use super::ids::id;
use super::workshop::{Room, no_such_change, refuse_link, refuse_links};
use crate::engine::project::Project;
use crate::engine::schedule::unschedulable;
use crate::handoff::{Approval, Desk, PreferenceMemory};
use crate::mcp;
use crate::models::change::ChangeId;
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
  agentd mcp --change add-login --role reviewer    submit_review and submit_done"
)]
pub(in super::super) struct Mcp {
    /// The project's root; the repository that this folder is in unless given.
    #[arg(long, value_name = "DIR", hide = true)]
    project: Option<PathBuf>,
    /// The change's id.
    #[arg(long, value_name = "ID", value_parser = id)]
    change: ChangeId,
    /// Whose tools are served.
    #[arg(long, value_parser = role)]
    role: Role,
    /// The plan of a coder that carries out this one alone: no other can be said to be done.
    #[arg(long, value_name = "N", value_parser = plan)]
    plan: Option<PlanIndex>,
    /// Somebody sits beside the agent and has approved its preferences: they are written down at once.
    #[arg(long, hide = true)]
    attended: bool,
}

impl Mcp {
    pub(in super::super) fn run(&self) -> Outcome {
        if self.plan.is_some() && self.role != Role::Coder {
            return Err(Failure::new(Kind::Usage, "only a coder has a plan of its own")
                .help("leave `--plan` out, or say `--role coder`"));
        }
        let project = match &self.project {
            Some(root) => Project::at(
                std::fs::canonicalize(root)
                    .map_err(|error| Failure::io("cannot find", root, &error))?,
            ),
            None => Room::find()?.project,
        };
        refuse_links(&project)?;
        let path = project.change(&self.change);
        refuse_link(&path)?;
        if !path.is_dir() {
            return Err(no_such_change(&self.change));
        }
        let folder = ConfinedFolder::open(&path)
            .map_err(|error| Failure::io("cannot open", &path, &error))?;
        let approval = if self.attended { Approval::Given } else { Approval::Pending };
        let project = &project.root;
        let preferences = PreferenceMemory { project, change: &self.change, approval };
        let (role, plan) = (self.role, self.plan);
        let desk = Desk { folder: &folder, role, plan, schedule: unschedulable, preferences };
        mcp::serve(&desk, now_ms, io::stdin().lock(), io::stdout().lock()).map_err(|error| {
            match error.kind() {
                io::ErrorKind::BrokenPipe => Failure::new(Kind::ClosedPipe, ""),
                _ => Failure::new(Kind::Io, format!("cannot go on serving: {error}")),
            }
        })
    }
}

fn plan(text: &str) -> Result<PlanIndex, String> {
    let plan = text.parse().ok().and_then(PlanIndex::new);
    plan.ok_or_else(|| format!("a plan has a number from 1 to {}", PlanIndex::LARGEST))
}
