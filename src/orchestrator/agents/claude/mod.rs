//! Claude Code: the prompt on standard input, one JSON object a line on standard output.

mod arguments;
mod transcript;

use std::ffi::OsStr;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::models::agent::{AgentSettings, Permissions};
use crate::models::mcp_server::McpServer;
use crate::models::run::Invocation;

use super::call::Call;
use super::environment::{self, Environment, Vendor};
use super::size::{self, Unit};
use super::{Adapter, AgentError, Request, Transcript};

pub(super) use arguments::OPTIONS;

/// It reads no more; how much of that a model takes is another matter.
const LIMITS: [(Unit, u64); 1] = [(Unit::Bytes, 10 * 1024 * 1024)];

/// The tools that only look. `Glob` and `Grep` are there only where `Bash` is not.
const LOOK: &str = "Read,Glob,Grep,Task,TaskCreate,TaskGet,TaskList,TaskOutput,TaskStop,TaskUpdate,\
                    TodoWrite,WebFetch,WebSearch";

/// The tools that write files.
const WRITE: &str = "Edit,NotebookEdit,Skill,Write";

/// The adapter for Claude Code.
pub(super) struct Claude;

impl Adapter for Claude {
    fn invocation(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        let settings = request.settings;
        super::check(settings)?;
        size::check(request, request.prompt, &LIMITS)?;
        let headless =
            ["-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence"];
        let (call, environment) = call(request, &headless)?;
        Ok(call.invocation(environment, request.prompt, Vec::new()))
    }

    fn interactive(&self, request: &Request<'_>) -> Result<Invocation, AgentError> {
        super::check(request.settings)?;
        let (call, mut environment) = call(request, &[])?;
        // It asks whether the folder is trusted, which it does not with `-p`. What a project could bring is left out by
        // the sources of settings, where commands are not allowed.
        environment.insert("CLAUDE_CODE_SANDBOXED".into(), "1".into());
        let files =
            if request.settings.isolated { vec![own_state(request, &environment)] } else { vec![] };
        Ok(call.invocation(environment, "", files))
    }

    fn transcript(&self, _: &AgentSettings) -> Box<dyn Transcript> {
        Box::<transcript::Reader>::default()
    }
}

/// Puts together what is the same for every way to call it.
fn call(request: &Request<'_>, first: &[&str]) -> Result<(Call, Environment), AgentError> {
    let settings = request.settings;
    let mut call = Call::new(settings)?;
    call.words(first);
    call.option("--model", settings.model.as_ref());
    call.words(&settings.args);
    call.option("--mcp-config", request.server.map(|server| configuration(server).to_string()));
    call.words(permissions(request.permissions, request.server));
    call.option("--add-dir", request.extra_folder);
    let mut environment = environment::of(
        request,
        Vendor::Anthropic,
        [
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            // Without it a word such as `@src/main.rs` in the prompt inserts that file.
            ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1"),
        ],
    );
    // Its safe mode knows no server, not even one that is named on the command line.
    let is_bare = settings.isolated && request.server.is_some();
    if request.permissions < Permissions::Shell || is_bare {
        // The project's settings may bring hooks and servers, which are commands. Without them its `CLAUDE.md`
        // is read only as one of a further folder.
        call.words(["--setting-sources", "user"]);
    }
    if request.permissions < Permissions::Shell && !is_bare {
        call.option("--add-dir", Some(request.workspace));
        environment.insert("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD".into(), "1".into());
    }
    if settings.isolated {
        call.words((!is_bare).then_some("--safe-mode"));
        call.words(["--strict-mcp-config"]);
        environment.insert("CLAUDE_CONFIG_DIR".into(), request.run_folder.join("claude").into());
    }
    Ok((call, environment))
}

/// Gives the file of its state for a run that has none of the user's: it has been used before, and the key in its
/// environment, of which it knows the end, is the one to use.
fn own_state(request: &Request<'_>, environment: &Environment) -> (PathBuf, String) {
    let key = environment.get(OsStr::new("ANTHROPIC_API_KEY")).and_then(|key| key.to_str());
    let end = key.map(|key| key.char_indices().rev().nth(19).map_or(key, |(at, _)| &key[at..]));
    let state = json!({
        "hasCompletedOnboarding": true,
        "customApiKeyResponses": { "approved": end.into_iter().collect::<Vec<_>>(), "rejected": [] },
    });
    (request.run_folder.join("claude/.claude.json"), state.to_string())
}

/// Names a server of tools. It is let in where `--strict-mcp-config` keeps all others out.
fn configuration(server: &McpServer) -> Value {
    let McpServer { command, args, .. } = server;
    let entry = json!({ "type": "stdio", "command": command, "args": args });
    json!({ "mcpServers": { (McpServer::NAME): entry } })
}

/// Gives the arguments for a level: which tools there are, and which of them need no leave. What the user's own
/// settings allow does not count then: a tool that is not there cannot be allowed.
fn permissions(level: Permissions, server: Option<&McpServer>) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let tools = |tools: &[&str]| vec!["--tools".to_owned(), tools.join(",")];
    let allowed = |own: Option<&str>| {
        let served = server.into_iter().flat_map(|server| &server.tools);
        let served = served.map(|tool| format!("mcp__{}__{tool}", McpServer::NAME));
        let all: Vec<_> = own.map(str::to_owned).into_iter().chain(served).collect();
        if all.is_empty() { all } else { vec!["--allowedTools".to_owned(), all.join(",")] }
    };
    match level {
        Permissions::Read => [
            tools(&[LOOK]),
            words(&["--disallowedTools", "Bash,Edit,NotebookEdit,Write"]),
            allowed(None),
            // A server of the user's may write files too.
            words(&["--strict-mcp-config", "--permission-mode", "default"]),
        ]
        .concat(),
        Permissions::Write => [
            tools(&[LOOK, WRITE]),
            words(&["--disallowedTools", "Bash"]),
            allowed(None),
            words(&["--permission-mode", "acceptEdits"]),
        ]
        .concat(),
        Permissions::Shell => [
            tools(&[LOOK, WRITE, "Bash"]),
            allowed(Some("Bash")),
            words(&["--permission-mode", "acceptEdits"]),
        ]
        .concat(),
    }
}
