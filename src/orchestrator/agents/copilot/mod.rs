//! GitHub Copilot CLI: the prompt on standard input, one JSON object a line on standard output, and what it used in a
//! file of its own.

mod arguments;
mod transcript;

use serde_json::{Value, json};

use crate::models::agent::{AgentSettings, Permissions};
use crate::models::mcp_server::McpServer;
use crate::models::run::Invocation;

use super::call::Call;
use super::environment::{self, Vendor};
use super::{Adapter, AgentError, Dialog, REPORT, Request, Transcript, size};

pub(super) use arguments::OPTIONS;

/// Leaves only the tools that look.
const LOOK: &str = "--available-tools=view,grep,glob";

/// Leaves out the tools that run commands, and the one that looks into earlier sessions.
const WITHOUT_COMMANDS: &str =
    "--excluded-tools=bash,list_bash,read_bash,session_store_sql,stop_bash,write_bash";

/// The adapter for Copilot.
pub(super) struct Copilot;

impl Adapter for Copilot {
    fn invocation(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        size::check(request, request.prompt, &[])?;
        let mut call = Call::new(settings)?;
        call.words(["--output-format", "json", "--no-ask-user", "--no-auto-update"]);
        call.option("--usage-output-file", Some(request.run_folder.join(REPORT)));
        call.option("--model", settings.model.as_ref());
        call.words(&settings.args);
        call.words(permissions(request.permissions, request.server));
        if let Some(server) = request.server {
            call.option("--additional-mcp-config", Some(configuration(server).to_string()));
        }
        call.option("--add-dir", request.extra_folder);
        let mut environment = environment::of(request, Vendor::GitHub, [("NO_COLOR", "1")]);
        if settings.isolated {
            call.words(["--no-custom-instructions", "--disable-builtin-mcps"]);
            environment.insert("COPILOT_HOME".into(), request.run_folder.join("copilot").into());
        }
        Ok(call.invocation(environment, request.prompt, Vec::new()))
    }

    fn interactive(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        let mut call = Call::new(settings)?;
        call.words(["--no-auto-update"]);
        call.option("--model", settings.model.as_ref());
        call.words(&settings.args);
        call.words(permissions(request.permissions, request.server));
        if let Some(server) = request.server {
            call.option("--additional-mcp-config", Some(configuration(server).to_string()));
        }
        call.option("--add-dir", request.extra_folder);
        let mut environment = environment::of(request, Vendor::GitHub, [("NO_COLOR", "1")]);
        if settings.isolated {
            call.words(["--no-custom-instructions", "--disable-builtin-mcps"]);
            environment.insert("COPILOT_HOME".into(), request.run_folder.join("copilot").into());
        }
        Ok(call.invocation(environment, "", Vec::new()))
    }

    fn dialogs(&self, level: Permissions) -> &'static [Dialog] {
        // Whoever trusts the folder lets its hooks and servers run, which are commands.
        match level {
            Permissions::Read | Permissions::Write => &[],
            Permissions::Shell => &[Dialog(&["Confirm folder trust", "❯ 1. Yes"])],
        }
    }

    fn transcript(&self, _: &AgentSettings) -> Box<dyn Transcript> {
        Box::<transcript::Reader>::default()
    }
}

/// Gives the arguments for a level. What is denied stays denied whatever the user has allowed before; the tool that
/// looks into earlier sessions is never there.
fn permissions(level: Permissions, server: Option<&McpServer>) -> Vec<String> {
    let tools = || server.into_iter().flat_map(|server| &server.tools);
    let own: &[&str] = match level {
        Permissions::Read => &["--deny-tool=write", "--deny-tool=shell"],
        Permissions::Write => &[WITHOUT_COMMANDS, "--allow-tool=write", "--deny-tool=shell"],
        Permissions::Shell => &["--excluded-tools=session_store_sql", "--allow-all-tools"],
    };
    let available = (level == Permissions::Read).then(|| {
        let served = tools().map(|tool| format!(",{}-{tool}", McpServer::NAME));
        format!("{LOOK}{}", served.collect::<String>())
    });
    let allowed = tools().map(|tool| format!("--allow-tool={}({tool})", McpServer::NAME));
    available.into_iter().chain(own.iter().map(|word| (*word).to_owned())).chain(allowed).collect()
}

/// Names a server of tools.
fn configuration(server: &McpServer) -> Value {
    let McpServer { command, args, tools } = server;
    let entry = json!({ "type": "local", "command": command, "args": args, "tools": tools });
    json!({ "mcpServers": { (McpServer::NAME): entry } })
}
