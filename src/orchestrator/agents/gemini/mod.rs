//! Gemini CLI: the prompt on standard input, one JSON object a line on standard output. It takes settings from files
//! only, so that what no flag says is a file of the run.

mod failure;
mod mentions;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::call::Call;
use super::environment::Environment;
use super::facts::Facts;
use super::{AgentError, Cli, Exit, Request};
use crate::models::mcp_server::McpServer;
use crate::models::run::Overlay;

/// The file of its settings, below the user's folder.
const SETTINGS: &str = ".gemini/settings.json";

/// The adapter for Gemini CLI.
pub(super) struct Gemini;

impl Cli for Gemini {
    fn stdin(&self, prompt: &str) -> String {
        mentions::escape(prompt)
    }

    fn complete(&self, request: &Request<'_>, call: &mut Call) {
        let settings = request.settings;
        let facts = Facts::of(&settings.protocol);
        if let Some(rules) = &facts.call.level(request.permissions).rules {
            let path = request.own("gemini-policy.toml");
            call.option("--admin-policy", Some(&path));
            call.files.push((path, format!("{rules}{}", rules_of(request))));
        }
        if settings.isolated {
            call.words(["-e", "none"]);
            let home = request.own(&facts.program);
            call.files.push(own_settings(&home, &call.environment, request.server));
        } else if let (Some(server), Some(home)) = (request.server, home(&call.environment)) {
            call.overlay = Some(overlay_of(home, server));
            let home = request.run_folder.join(Overlay::FOLDER);
            call.environment.insert("GEMINI_CLI_HOME".into(), home.into());
        }
    }

    fn failure(&self, message: Option<&str>, exit: &Exit<'_>) -> Option<AgentError> {
        failure::failure(message, exit)
    }
}

/// Lets the tools of a server in where all others but a few are kept out.
fn rules_of(request: &Request<'_>) -> String {
    let Some(server) = request.server else { return String::new() };
    let tools = Value::from(server.tools.as_slice());
    let name = McpServer::NAME;
    format!(
        "\n[[rule]]\nmcpName = \"{name}\"\ntoolName = {tools}\ndecision = \"allow\"\npriority = 999\n"
    )
}

/// Finds the folder in which it looks for the user's settings.
fn home(environment: &Environment) -> Option<PathBuf> {
    let named = |name: &str| environment.get(OsStr::new(name)).filter(|home| !home.is_empty());
    named("GEMINI_CLI_HOME").or_else(|| named("HOME")).map(PathBuf::from)
}

/// Shows the user's settings with a server among them. The login and whatever else it keeps is shown as it is.
fn overlay_of(home: PathBuf, server: &McpServer) -> Overlay {
    Overlay {
        from: home,
        settings: SETTINGS.into(),
        shown: vec![".env".into(), ".agents".into()],
        key: vec!["mcpServers".to_owned(), McpServer::NAME.to_owned()],
        value: entry(server),
    }
}

fn entry(server: &McpServer) -> Value {
    let McpServer { command, args, .. } = server;
    json!({ "command": command, "args": args, "trust": true })
}

/// Returns the settings file of a run that has none of the user's. Which login is meant must be said in it, once a server
/// is named in the environment. No setting keeps it from a `GEMINI.md` of the project.
fn own_settings(
    home: &Path,
    environment: &Environment,
    server: Option<&McpServer>,
) -> (PathBuf, String) {
    let login = if environment.contains_key(OsStr::new("GOOGLE_GENAI_USE_VERTEXAI")) {
        "vertex-ai"
    } else if environment.contains_key(OsStr::new("GOOGLE_GENAI_USE_GCA")) {
        "oauth-personal"
    } else {
        "gemini-api-key"
    };
    let mut settings = json!({
        "security": { "auth": { "selectedType": login } },
        "privacy": { "usageStatisticsEnabled": false },
        "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
    });
    if let Some(server) = server {
        settings["mcpServers"] = json!({ (McpServer::NAME): entry(server) });
    }
    (home.join(SETTINGS), settings.to_string())
}
