//! The server with the tools by which an agent of a team hands in its work: `agentd mcp`, started by the agent itself, from
//! the binary that guards the agent.

use std::num::NonZeroU32;

use log::warn;

use super::facts::approval;
use crate::handoff::{Approval, Tool};
use crate::models::mcp_server::McpServer;
use crate::orchestrator::Place;
use crate::prompt::team::TeamSession;
use crate::template::Role;

/// Returns the server for the agent of a role, or of the coder of one plan, who has no say about others. It is told where
/// the project is, for the agent works elsewhere, and whether a person has approved the agent's preferences. Where a path
/// cannot be told to a CLI there is none, and the agent hands in files.
pub(super) fn server(
    place: &Place,
    session: &TeamSession,
    role: Role,
    plan: Option<NonZeroU32>,
) -> Option<McpServer> {
    let plan = plan.map(|plan| plan.to_string());
    let tools: Vec<_> = Tool::of(role).iter().map(|tool| tool.name()).collect();
    let words = || {
        let change = session.feature_dir.file_name()?.to_str()?;
        let project = place.project.to_str()?;
        let mut args = vec!["mcp", "--project", project, "--change", change, "--role", role.word()];
        if let Some(plan) = &plan {
            args.extend(["--plan", plan]);
        }
        if approval(session.facts.audience) == Approval::Given {
            args.push("--attended");
        }
        McpServer::new(place.guard.to_str()?, &args, &tools)
    };
    let server = words();
    if server.is_none() {
        let project = place.project.display();
        warn!("an agent cannot be told how to hand in its work with tools for `{project}`");
    }
    server
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::prompt::team::{Audience, Facts};

    #[test]
    fn the_coder_of_a_plan_is_served_for_that_plan_alone() {
        let place = Place::new(Path::new("/shop"), Path::new("/bin/agentd"));
        let session = TeamSession {
            feature_dir: PathBuf::from("/shop/agentd/changes/add-login"),
            project_dir: PathBuf::from("/state/add-login.plan-2"),
            project_root: PathBuf::from("/shop"),
            facts: Facts::default(),
        };
        let args = |plan| server(&place, &session, Role::Coder, plan).unwrap().args.join(" ");
        let all = "mcp --project /shop --change add-login --role coder";
        assert_eq!(args(None), all, "one coder for all plans, or for a fix");
        assert_eq!(args(NonZeroU32::new(2)), format!("{all} --plan 2"));
        let facts = Facts { audience: Audience::Person, ..Facts::default() };
        let session = TeamSession { facts, ..session.clone() };
        let attended = server(&place, &session, Role::Architect, None).unwrap().args.join(" ");
        assert!(attended.ends_with("--role architect --attended"), "{attended}");
    }
}
