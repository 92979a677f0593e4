//! The server with the tools by which an agent of a team hands in its work: `agentd mcp`, started by the agent itself, from
//! the binary that guards the agent.

use std::num::NonZeroU32;

use log::warn;

use crate::handoff::Tool;
use crate::models::mcp_server::McpServer;
use crate::orchestrator::Place;
use crate::prompt::team::TeamSession;
use crate::template::Role;

/// Returns the server for the agent of a role, or of the coder of one plan, who has no say about others. It writes into
/// the agent's outbox alone. Where its path cannot be told to a CLI there is none, and the agent hands in files.
pub(super) fn server(
    place: &Place,
    session: &TeamSession,
    role: Role,
    plan: Option<NonZeroU32>,
) -> Option<McpServer> {
    let plan = plan.map(|plan| plan.to_string());
    let tools: Vec<_> = Tool::of(role).iter().map(|tool| tool.word()).collect();
    let words = || {
        let outbox = session.feature_dir.to_str()?;
        let mut args = vec!["mcp", "--outbox", outbox, "--role", role.word()];
        if let Some(plan) = &plan {
            args.extend(["--plan", plan]);
        }
        McpServer::new(place.guard.to_str()?, &args, &tools)
    };
    let server = words();
    if server.is_none() {
        let outbox = session.feature_dir.display();
        warn!("an agent cannot be told how to hand in its work with tools in `{outbox}`");
    }
    server
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::prompt::team::Facts;

    #[test]
    fn the_coder_of_a_plan_is_served_for_that_plan_alone() {
        let place = Place::new(Path::new("/shop"), Path::new("/bin/agentd"));
        let session = TeamSession {
            feature_dir: PathBuf::from("/state/add-login.outbox/coder/add-login"),
            project_dir: PathBuf::from("/state/add-login.plan-2"),
            project_root: PathBuf::from("/shop"),
            facts: Facts::default(),
        };
        let args = |plan| server(&place, &session, Role::Coder, plan).unwrap().args.join(" ");
        let all = "mcp --outbox /state/add-login.outbox/coder/add-login --role coder";
        assert_eq!(args(None), all, "one coder for all plans, or for a fix");
        assert_eq!(args(NonZeroU32::new(2)), format!("{all} --plan 2"));
    }
}
