//! Claude Code: the prompt on standard input, one JSON object a line on standard output.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::call::{Call, Mode};
use super::environment::Environment;
use super::facts::Facts;
use super::{Cli, Request};
use crate::models::mcp_server::McpServer;

/// The adapter for Claude Code.
pub(super) struct Claude;

impl Cli for Claude {
    fn complete(&self, request: &Request<'_>, call: &mut Call) {
        let (settings, server) = (request.settings, request.server);
        call.option("--mcp-config", server.map(|server| configuration(server).to_string()));
        let own = &Facts::of(&settings.protocol).call.level(request.permissions).allowed;
        let served = server.into_iter().flat_map(|server| &server.tools);
        let served = served.map(|tool| format!("mcp__{}__{tool}", McpServer::NAME));
        let allowed: Vec<_> = own.iter().cloned().chain(served).collect();
        call.option("--allowedTools", (!allowed.is_empty()).then(|| allowed.join(",")));
        // Its safe mode knows no server, not even one that is named on the command line.
        let is_bare = settings.isolated && server.is_some();
        let admits_project = request.admits_project();
        if !admits_project || is_bare {
            // The project's settings may bring hooks and servers, which are commands. Without them its `CLAUDE.md`
            // is read only as one of a further folder.
            call.words(["--setting-sources", "user"]);
        }
        if !admits_project && !is_bare {
            call.option("--add-dir", Some(request.workspace));
            let variable = "CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD";
            call.environment.insert(variable.into(), "1".into());
        }
        if settings.isolated {
            call.words((!is_bare).then_some("--safe-mode"));
            call.words(["--strict-mcp-config"]);
        }
        if call.mode == Mode::Interactive {
            // It asks whether the folder is trusted, which it does not with `-p`. What a project could bring is left out
            // by the sources of settings, where commands are not allowed.
            call.environment.insert("CLAUDE_CODE_SANDBOXED".into(), "1".into());
            if settings.isolated {
                call.files.push(own_state(request, &call.environment));
            }
        }
    }
}

/// Returns the file of its state for a run that has none of the user's: it has been used before, and the key in its
/// environment, of which it knows the end, is the one to use.
fn own_state(request: &Request<'_>, environment: &Environment) -> (PathBuf, String) {
    let key = environment.get(OsStr::new("ANTHROPIC_API_KEY")).and_then(|key| key.to_str());
    let end = key.map(|key| key.char_indices().rev().nth(19).map_or(key, |(at, _)| &key[at..]));
    let state = json!({
        "hasCompletedOnboarding": true,
        "customApiKeyResponses": { "approved": end.into_iter().collect::<Vec<_>>(), "rejected": [] },
    });
    (request.own("claude/.claude.json"), state.to_string())
}

/// Names a server of tools. It is let in where `--strict-mcp-config` keeps all others out.
fn configuration(server: &McpServer) -> Value {
    let McpServer { command, args, .. } = server;
    let entry = json!({ "type": "stdio", "command": command, "args": args });
    json!({ "mcpServers": { (McpServer::NAME): entry } })
}
