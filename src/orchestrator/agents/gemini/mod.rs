//! Gemini CLI: the prompt on standard input, one JSON object a line on standard output. It takes settings from files
//! only, so that what no flag says is a file of the run.

mod arguments;
mod mentions;
mod transcript;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::models::agent::{AgentSettings, Permissions};
use crate::models::mcp_server::McpServer;
use crate::models::run::{Invocation, Overlay};

use super::call::Call;
use super::environment::{self, Environment, Vendor};
use super::size::{self, Unit};
use super::{Adapter, AgentError, Dialog, Request, Transcript};

pub(super) use arguments::OPTIONS;

/// A prompt that it takes for larger than the model's window, at four UTF-16 units a token, it answers with nothing at
/// all; and it cuts what it reads.
const LIMITS: [(Unit, u64); 2] = [(Unit::Utf16, 4_190_000), (Unit::Bytes, 8 * 1024 * 1024)];

/// The file of its settings, below the user's folder.
const SETTINGS: &str = ".gemini/settings.json";

/// The rules that leave only tools that look. They are an administrator's rules, so that none of the user's counts
/// against them.
const LOOK_ONLY: &str = r#"[[rule]]
toolName = ["complete_task", "glob", "google_web_search", "grep_search", "list_directory", "read_file", "read_many_files", "update_topic"]
decision = "allow"
priority = 999

[[rule]]
toolName = "*"
decision = "deny"
priority = 998
"#;

/// The rules that leave out commands.
const NO_COMMANDS: &str = r#"[[rule]]
toolName = "run_shell_command"
decision = "deny"
priority = 999
"#;

/// The adapter for Gemini CLI.
pub(super) struct Gemini;

impl Adapter for Gemini {
    fn invocation(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        let prompt = mentions::escape(request.prompt);
        size::check(request, &prompt, &LIMITS)?;
        called(request, &["-o", "stream-json", "--skip-trust"], prompt)
    }

    fn interactive(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        super::check(request.settings)?;
        called(request, &["--skip-trust"], String::new())
    }

    fn dialogs(&self, _: Permissions) -> &'static [Dialog] {
        // It asks whether it may use the further folder that it is started with.
        &[Dialog(&["Do you trust the following folders", "● 1. Yes"])]
    }

    fn transcript(&self, _: &AgentSettings) -> Box<dyn Transcript> {
        Box::<transcript::Reader>::default()
    }
}

/// Puts together what is the same for every way to call it.
fn called(request: &Request<'_>, first: &[&str], stdin: String) -> Result<Invocation, AgentError> {
    let settings = request.settings;
    let mut call = Call::new(settings)?;
    call.words(first);
    call.option("-m", settings.model.as_ref());
    call.words(&settings.args);
    let (mode, rules) = permissions(request.permissions);
    call.words(["--approval-mode", mode]);
    let mut files = Vec::new();
    if let Some(rules) = rules {
        let path = request.run_folder.join("gemini-policy.toml");
        call.option("--admin-policy", Some(&path));
        files.push((path, format!("{rules}{}", rules_of(request))));
    }
    call.option("--include-directories", request.extra_folder);
    let own = [("GEMINI_CLI_NO_RELAUNCH", "true"), ("NO_COLOR", "1")];
    let mut environment = environment::of(request, Vendor::Google, own);
    let mut overlay = None;
    if settings.isolated {
        let home = request.run_folder.join("gemini");
        call.words(["-e", "none"]);
        files.push(own_settings(&home, &environment, request.server));
        environment.insert("GEMINI_CLI_HOME".into(), home.into());
    } else if let (Some(server), Some(home)) = (request.server, home(&environment)) {
        overlay = Some(overlay_of(home, server));
        let home = request.run_folder.join(Overlay::FOLDER);
        environment.insert("GEMINI_CLI_HOME".into(), home.into());
    }
    Ok(Invocation { overlay, ..call.invocation(environment, stdin, files) })
}

/// Gives the approval mode of a level, and the rules that hold it whatever the user's own say.
fn permissions(level: Permissions) -> (&'static str, Option<&'static str>) {
    match level {
        Permissions::Read => ("default", Some(LOOK_ONLY)),
        Permissions::Write => ("auto_edit", Some(NO_COMMANDS)),
        Permissions::Shell => ("yolo", None),
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

/// Gives the settings file of a run that has none of the user's. Which login is meant must be said in it, once a server
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
