//! Codex CLI: `codex exec` with the prompt on standard input, one JSON object a line on standard output.

mod arguments;
mod transcript;

use serde_json::Value;

use crate::models::agent::{AgentSettings, Permissions};
use crate::models::mcp_server::McpServer;
use crate::models::run::Invocation;

use super::call::Call;
use super::environment::{self, Vendor};
use super::size::{self, Unit};
use super::{Adapter, AgentError, Dialog, Request, Transcript};

pub(super) use arguments::OPTIONS;

/// It refuses more.
const LIMITS: [(Unit, u64); 1] = [(Unit::Characters, 1_048_576)];

/// The adapter for Codex CLI.
pub(super) struct Codex;

impl Adapter for Codex {
    fn invocation(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        size::check(request, request.prompt, &LIMITS)?;
        let mut call = Call::new(settings)?;
        call.words(["exec", "--json", "--ephemeral", "--skip-git-repo-check"]);
        call.words(["--disable", "plugins", "--disable", "unbounded_connection_retries"]);
        call.words(["-c", "analytics.enabled=false"]);
        call.option("-m", settings.model.as_ref());
        call.words(&settings.args);
        call.words(permissions(request.permissions));
        call.option("-c", trust(request));
        for setting in request.server.map(settings_of).into_iter().flatten() {
            call.words(["-c", &setting]);
        }
        call.option("--add-dir", request.extra_folder);
        let mut environment = environment::of(request, Vendor::OpenAi, [("NO_COLOR", "1")]);
        let mut files = Vec::new();
        if settings.isolated {
            call.words(["-c", "project_doc_max_bytes=0", "--ignore-user-config"]);
            let home = request.run_folder.join("codex");
            // The folder must be there, and it is there once a file is.
            files.push((home.join("config.toml"), String::new()));
            environment.insert("CODEX_HOME".into(), home.into());
        }
        call.words(["-"]);
        Ok(call.invocation(environment, request.prompt, files))
    }

    fn interactive(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        let mut call = Call::new(settings)?;
        call.words(["--disable", "plugins", "--disable", "unbounded_connection_retries"]);
        call.words(["-c", "analytics.enabled=false", "-c", "check_for_update_on_startup=false"]);
        call.option("-m", settings.model.as_ref());
        call.words(&settings.args);
        // Only `exec` knows that flag.
        let leave = permissions(request.permissions).iter();
        call.words(leave.filter(|word| **word != "--ignore-rules"));
        // Unless told, it asks, and notes the answer in the user's configuration.
        let trusted = || level_of_trust(request, "trusted");
        call.option("-c", trust(request).or_else(|| Some(trusted())));
        for setting in request.server.map(settings_of).into_iter().flatten() {
            call.words(["-c", &setting]);
        }
        call.option("--add-dir", request.extra_folder);
        let mut environment = environment::of(request, Vendor::OpenAi, [("NO_COLOR", "1")]);
        let mut files = Vec::new();
        if settings.isolated {
            call.words(["-c", "project_doc_max_bytes=0"]);
            let home = request.run_folder.join("codex");
            files.push((home.join("config.toml"), String::new()));
            environment.insert("CODEX_HOME".into(), home.into());
        }
        Ok(call.invocation(environment, "", files))
    }

    fn dialogs(&self, _: Permissions) -> &'static [Dialog] {
        // It is told that the folder is not trusted, and asks whether to go on like that.
        &[Dialog(&["Folder access", "› 1. Open restricted"])]
    }

    fn transcript(&self, _: &AgentSettings) -> Box<dyn Transcript> {
        Box::<transcript::Reader>::default()
    }
}

/// Gives the arguments for a level. Codex has one tool for all, a shell, in a sandbox that the system enforces: it reads
/// files with commands at every level, and what it writes is refused outside the sandbox. The user's own rules let
/// commands run outside of it, hence they count only where commands are allowed; and so does that the sandbox holds the
/// system's folders for temporary files.
fn permissions(level: Permissions) -> &'static [&'static str] {
    match level {
        Permissions::Read => &["-c", "approval_policy=never", "-s", "read-only", "--ignore-rules"],
        Permissions::Write => &[
            "-c",
            "approval_policy=never",
            "-s",
            "workspace-write",
            "--ignore-rules",
            "-c",
            "sandbox_workspace_write.exclude_slash_tmp=true",
            "-c",
            "sandbox_workspace_write.exclude_tmpdir_env_var=true",
        ],
        Permissions::Shell => &["-c", "approval_policy=never", "-s", "workspace-write"],
    }
}

/// Keeps what the project's own `.codex/config.toml` starts from being started where commands are not allowed. Unless
/// told, Codex takes a project that it may write to for trusted, and notes that in the user's configuration.
fn trust(request: &Request<'_>) -> Option<String> {
    match request.permissions {
        Permissions::Read | Permissions::Write => Some(level_of_trust(request, "untrusted")),
        Permissions::Shell => None,
    }
}

fn level_of_trust(request: &Request<'_>, level: &str) -> String {
    let workspace = Value::from(request.workspace.to_string_lossy());
    format!("projects={{{workspace}={{trust_level=\"{level}\"}}}}")
}

/// Gives the settings that name a server of tools, each of which is used without asking. Codex starts it outside of its
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
