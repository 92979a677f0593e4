//! The server with the tools by which an agent of a team hands in its work: `agentd mcp`, started by the agent itself, from
//! the binary that guards the agent.

use log::warn;

use crate::handoff::Tool;
use crate::models::mcp_server::McpServer;
use crate::orchestrator::Place;
use crate::prompt::team::TeamSession;
use crate::template::Role;

/// Gives the server for the agent of a role. It is told where the project is, for the agent works elsewhere. Where a path
/// cannot be told to a CLI there is none, and the agent hands in files.
pub(super) fn server(place: &Place, session: &TeamSession, role: Role) -> Option<McpServer> {
    let tools: Vec<_> = Tool::of(role).iter().map(|tool| tool.name()).collect();
    let words = || {
        let change = session.feature_dir.file_name()?.to_str()?;
        let project = place.project.to_str()?;
        let args = ["mcp", "--project", project, "--change", change, "--role", role.word()];
        McpServer::new(place.guard.to_str()?, &args, &tools)
    };
    let server = words();
    if server.is_none() {
        let project = place.project.display();
        warn!("an agent cannot be told how to hand in its work with tools for `{project}`");
    }
    server
}
