//! GitHub Copilot CLI: the prompt on standard input, one JSON object a line on standard output, and what it used in a
//! file of its own.

use serde_json::{Value, json};

use super::call::{Call, Mode};
use super::{Cli, REPORT, Request};
use crate::models::agent::Permissions;
use crate::models::mcp_server::McpServer;

/// The adapter for Copilot.
pub(super) struct Copilot;

impl Cli for Copilot {
    fn complete(&self, request: &Request<'_>, call: &mut Call) {
        if call.mode == Mode::Headless {
            call.option("--usage-output-file", Some(request.run_folder.join(REPORT)));
        }
        let tools = || request.server.into_iter().flat_map(|server| &server.tools);
        if request.permissions == Permissions::Read {
            let served = tools().map(|tool| format!(",{}-{tool}", McpServer::NAME));
            call.words([format!("--available-tools=view,grep,glob{}", served.collect::<String>())]);
        }
        call.words(tools().map(|tool| format!("--allow-tool={}({tool})", McpServer::NAME)));
        let server = request.server.map(|server| configuration(server).to_string());
        call.option("--additional-mcp-config", server);
        if request.settings.isolated {
            call.words(["--no-custom-instructions", "--disable-builtin-mcps"]);
        }
    }
}

/// Names a server of tools.
fn configuration(server: &McpServer) -> Value {
    let McpServer { command, args, tools } = server;
    let entry = json!({ "type": "local", "command": command, "args": args, "tools": tools });
    json!({ "mcpServers": { (McpServer::NAME): entry } })
}
