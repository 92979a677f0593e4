//! Codex CLI: `codex exec` with the prompt on standard input, one JSON object a line on standard output.

use serde_json::Value;

use super::call::{Call, Mode};
use super::{AgentError, Cli, Exit, Request, failure, json};
use crate::models::mcp_server::McpServer;

/// The adapter for Codex CLI.
pub(super) struct Codex;

impl Cli for Codex {
    fn complete(&self, request: &Request<'_>, call: &mut Call) {
        call.option("-c", trust(request, call.mode));
        for setting in request.server.map(settings_of).into_iter().flatten() {
            call.words(["-c", &setting]);
        }
        if request.settings.isolated {
            call.words(["-c", "project_doc_max_bytes=0"]);
            // The folder must be there, and it is there once a file is.
            call.files.push((request.own("codex/config.toml"), String::new()));
        }
        if call.mode == Mode::Headless {
            call.words(request.settings.isolated.then_some("--ignore-user-config"));
            call.words(["-"]);
        }
    }

    /// A bad request is told by the server's own answer, any other by its status.
    fn failure(&self, message: Option<&str>, _: &Exit<'_>) -> Option<AgentError> {
        let message = message?;
        if let Some(answer) = json::object(message) {
            let said = json::shown(&answer, "/error/message").unwrap_or_else(|| message.into());
            return failure::by_status(400, &said);
        }
        let (_, rest) = message.split_once("status")?;
        let status = rest.trim_start_matches([':', ' ']).split(' ').next()?.parse().ok()?;
        failure::by_status(status, message)
    }
}

/// Keeps what the project's own `.codex/config.toml` starts from being started where nobody has allowed commands. Unless
/// told, Codex takes a project that it may write to for trusted, or asks on its screen, and notes that in the user's
/// configuration.
fn trust(request: &Request<'_>, mode: Mode) -> Option<String> {
    let level = match (request.admits_project(), mode) {
        (false, _) => "untrusted",
        (true, Mode::Interactive) => "trusted",
        (true, Mode::Headless) => return None,
    };
    let workspace = Value::from(request.workspace.to_string_lossy());
    Some(format!("projects={{{workspace}={{trust_level=\"{level}\"}}}}"))
}

/// Returns the settings that name a server of tools, each of which is used without asking. Codex starts it outside of its
/// sandbox, hence it can write where the agent's own commands cannot.
fn settings_of(server: &McpServer) -> [String; 3] {
    let McpServer { command, args, .. } = server;
    let text = |text: &String| toml::Value::from(text.as_str());
    let args = toml::Value::Array(args.iter().map(text).collect());
    let key =
        |key: &str, value: &toml::Value| format!("mcp_servers.{}.{key}={value}", McpServer::NAME);
    [
        key("command", &text(command)),
        key("args", &args),
        key("default_tools_approval_mode", &"approve".into()),
    ]
}
