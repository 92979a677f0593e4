//! The CLIs: how each is pointed at a model server of ours, and what its tools are called.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::model::Api;
use crate::model::anthropic::Anthropic;
use crate::model::behaviour::{Input, Tool};
use crate::model::chat::Chat;
use crate::model::gemini::Gemini;
use crate::model::responses::Responses;

/// A CLI under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cli {
    Claude,
    Gemini,
    Codex,
    Copilot,
}

impl Cli {
    pub(crate) const ALL: [Self; 4] = [Self::Gemini, Self::Claude, Self::Copilot, Self::Codex];

    /// Its name, which is also that of its program.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Gemini => "gemini",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
        }
    }

    /// The API that it speaks.
    pub(crate) fn api(self) -> &'static dyn Api {
        match self {
            Self::Claude => &Anthropic,
            Self::Gemini => &Gemini,
            Self::Codex => &Responses,
            Self::Copilot => &Chat,
        }
    }

    /// The variables of its environment: a server, and a key that opens nothing.
    pub(crate) fn environment(self, port: u16) -> Vec<(&'static str, String)> {
        let url = format!("http://127.0.0.1:{port}");
        let dummy = || "dummy".to_owned();
        match self {
            Self::Claude => vec![("ANTHROPIC_BASE_URL", url), ("ANTHROPIC_API_KEY", dummy())],
            Self::Gemini => vec![("GOOGLE_GEMINI_BASE_URL", url), ("GEMINI_API_KEY", dummy())],
            Self::Codex => vec![("STUB_KEY", dummy())],
            Self::Copilot => vec![
                ("COPILOT_PROVIDER_BASE_URL", format!("{url}/v1")),
                ("COPILOT_PROVIDER_API_KEY", dummy()),
                ("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "1000000".to_owned()),
                ("COPILOT_OFFLINE", "true".to_owned()),
            ],
        }
    }

    /// Its keys in `agentd/config.toml`, with as few repetitions of a failed request as it can be told to make.
    pub(crate) fn settings(self, port: u16) -> String {
        match self {
            Self::Claude => {
                "model = \"sonnet\"\nenv = { CLAUDE_CODE_MAX_RETRIES = \"0\" }\n".to_owned()
            }
            Self::Gemini => "model = \"gemini-2.5-flash\"\n".to_owned(),
            Self::Codex => {
                let provider = [
                    "name=\"stub\"".to_owned(),
                    format!("base_url=\"http://127.0.0.1:{port}/v1\""),
                    "wire_api=\"responses\"".to_owned(),
                    "env_key=\"STUB_KEY\"".to_owned(),
                    "request_max_retries=0".to_owned(),
                    "stream_max_retries=0".to_owned(),
                ];
                let words: String = provider
                    .iter()
                    .map(|pair| format!("  '-c', 'model_providers.stub.{pair}',\n"))
                    .collect();
                format!("model = \"gpt-5.5\"\nargs = [\n  '-c', 'model_provider=stub',\n{words}]\n")
            }
            Self::Copilot => "model = \"stub-model\"\n".to_owned(),
        }
    }

    /// The user's own settings without which it would not run here at all.
    pub(crate) fn user_files(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Gemini => vec![(".gemini/settings.json", gemini_settings(&json!({})))],
            Self::Claude | Self::Codex | Self::Copilot => vec![],
        }
    }

    /// The user's own settings that allow all that the CLI can be told to allow.
    pub(crate) fn permissive_files(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Claude => {
                let allow = ["Write", "Edit", "Bash", "Bash(*)"];
                let permissions = json!({ "allow": allow, "defaultMode": "acceptEdits" });
                vec![(".claude/settings.json", json!({ "permissions": permissions }).to_string())]
            }
            Self::Gemini => {
                let allowed = json!({ "allowed": ["write_file", "run_shell_command"] });
                let rule = "[[rule]]\ntoolName = [\"write_file\", \"run_shell_command\"]\n\
                            decision = \"allow\"\npriority = 900\n";
                vec![
                    (".gemini/settings.json", gemini_settings(&allowed)),
                    (".gemini/policies/all.toml", rule.to_owned()),
                ]
            }
            Self::Codex => vec![(
                ".codex/config.toml",
                "sandbox_mode = \"danger-full-access\"\napproval_policy = \"never\"\n".to_owned(),
            )],
            Self::Copilot => vec![],
        }
    }

    /// Files of a project that make the CLI run a command, as `touch NAME` does: hooks and servers of tools.
    pub(crate) fn running_files(self) -> Vec<(&'static str, String)> {
        let hooks = |file: &str| {
            let hook = json!({ "type": "command", "command": format!("touch {file}") });
            json!({ "SessionStart": [{ "hooks": [hook] }], "Stop": [{ "hooks": [hook] }] })
        };
        let server = |file: &str| json!({ "x": { "command": "touch", "args": [file] } });
        let own = match self {
            Self::Claude => {
                let text =
                    json!({ "hooks": hooks("ran-by-hook"), "enableAllProjectMcpServers": true });
                vec![(".claude/settings.json", text.to_string())]
            }
            Self::Gemini => {
                let text =
                    json!({ "hooks": hooks("ran-by-hook"), "mcpServers": server("ran-by-server") });
                vec![(".gemini/settings.json", text.to_string())]
            }
            Self::Codex => {
                let server = "[mcp_servers.x]\ncommand = \"touch\"\nargs = [\"ran-by-server\"]\n";
                vec![(".codex/config.toml", server.to_owned())]
            }
            Self::Copilot => {
                let hook = json!({ "type": "command", "bash": "touch ran-by-hook" });
                let text = json!({ "version": 1, "hooks": { "sessionStart": [hook] } });
                vec![(".github/hooks/x.json", text.to_string())]
            }
        };
        let servers = json!({ "mcpServers": server("ran-by-server") }).to_string();
        own.into_iter().chain([(".mcp.json", servers)]).collect()
    }

    /// The files that it takes for instructions by itself: below the user's folder, and below the project.
    pub(crate) const fn memory_files(self) -> (&'static str, &'static str) {
        match self {
            Self::Claude => (".claude/CLAUDE.md", "CLAUDE.md"),
            Self::Gemini => (".gemini/GEMINI.md", "GEMINI.md"),
            Self::Codex => (".codex/AGENTS.md", "AGENTS.md"),
            Self::Copilot => (".copilot/copilot-instructions.md", "AGENTS.md"),
        }
    }

    /// Gives the use of the tool that writes a file.
    pub(crate) fn write(self, path: &Path, content: &str) -> Tool {
        match self {
            Self::Claude => {
                let input = json!({ "file_path": path, "content": content });
                Tool { name: "Write", input: Input::Json(input) }
            }
            Self::Gemini => {
                let input = json!({ "file_path": path, "content": content });
                Tool { name: "write_file", input: Input::Json(input) }
            }
            Self::Codex => {
                let path = path.display();
                let lines: String = content.lines().map(|line| format!("+{line}\n")).collect();
                let patch =
                    format!("*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n");
                Tool { name: "apply_patch", input: Input::Text(patch) }
            }
            Self::Copilot => {
                let input = json!({ "path": path, "file_text": content });
                Tool { name: "create", input: Input::Json(input) }
            }
        }
    }

    /// Gives the uses of tools that put another text into a file that is there already.
    pub(crate) fn replace(self, path: &Path, old: &str, new: &str) -> Vec<Tool> {
        match self {
            Self::Claude => {
                let look = Tool { name: "Read", input: Input::Json(json!({ "file_path": path })) };
                vec![look, self.write(path, new)]
            }
            Self::Gemini | Self::Codex => vec![self.write(path, new)],
            Self::Copilot => {
                let input = json!({ "path": path, "old_str": old, "new_str": new });
                vec![Tool { name: "edit", input: Input::Json(input) }]
            }
        }
    }

    /// Gives the use of the tool that makes a folder, where that for writing a file does not.
    pub(crate) fn make(self, folder: &Path) -> Option<Tool> {
        match self {
            Self::Claude | Self::Gemini | Self::Codex => None,
            Self::Copilot => Some(self.shell(&format!("mkdir -p '{}'", folder.display()))),
        }
    }

    /// The least that it must be allowed to implement with.
    pub(crate) const fn implements_with(self) -> &'static str {
        match self {
            Self::Claude | Self::Gemini | Self::Codex => "write",
            Self::Copilot => "shell",
        }
    }

    /// Finds the folder that the CLI works in, by what it tells its model.
    pub(crate) fn workspace(self, request: &str) -> Option<PathBuf> {
        // The request is JSON: a line ends with a backslash and an `n`.
        let before = match self {
            Self::Claude => "Primary working directory: ",
            Self::Gemini => "**Workspace Directories:**\\n  - ",
            Self::Codex => "<cwd>",
            Self::Copilot => "* Current working directory: ",
        };
        let (_, rest) = request.split_once(before)?;
        rest.split(['\\', '<']).next().map(PathBuf::from)
    }

    /// Names a tool of agentd's own server: `submit_review` or `submit_done`.
    pub(crate) fn served(self, tool: &str) -> &'static str {
        let is_review = tool == "submit_review";
        match self {
            Self::Claude if is_review => "mcp__agentd__submit_review",
            Self::Claude => "mcp__agentd__submit_done",
            Self::Gemini if is_review => "mcp_agentd_submit_review",
            Self::Gemini => "mcp_agentd_submit_done",
            Self::Codex if is_review => "mcp__agentd.submit_review",
            Self::Codex => "mcp__agentd.submit_done",
            Self::Copilot if is_review => "agentd-submit_review",
            Self::Copilot => "agentd-submit_done",
        }
    }

    /// Gives the uses of tools that hand in work. Codex tells of the tools of servers only when it is asked for them.
    pub(crate) fn hand_in(self, tool: &str, input: &Value) -> Vec<Tool> {
        let search = Tool { name: "tool_search", input: Input::Json(json!({ "query": tool })) };
        let hand_in = Tool { name: self.served(tool), input: Input::Json(input.clone()) };
        if self == Self::Codex { vec![search, hand_in] } else { vec![hand_in] }
    }

    /// Gives the use of the tool that runs a command.
    pub(crate) fn shell(self, command: &str) -> Tool {
        match self {
            Self::Claude => {
                let input = json!({ "command": command, "description": "Runs a command" });
                Tool { name: "Bash", input: Input::Json(input) }
            }
            Self::Gemini => {
                let input = json!({ "command": command, "description": "Runs a command" });
                Tool { name: "run_shell_command", input: Input::Json(input) }
            }
            Self::Codex => {
                Tool { name: "exec_command", input: Input::Json(json!({ "cmd": command })) }
            }
            Self::Copilot => {
                let input = json!({ "command": command, "description": "Runs a command" });
                Tool { name: "bash", input: Input::Json(input) }
            }
        }
    }
}

/// Gives the settings of Gemini CLI: which login is meant, nothing sent to its vendor, and no request repeated.
fn gemini_settings(tools: &Value) -> String {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "privacy": { "usageStatisticsEnabled": false },
        "general": {
            "enableAutoUpdate": false,
            "enableAutoUpdateNotification": false,
            "maxAttempts": 1,
        },
        "tools": tools,
    });
    settings.to_string()
}
