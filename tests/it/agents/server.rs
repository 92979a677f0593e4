//! How each CLI is told of the server with which work is handed in: for this run alone, with leave to use its tools and no
//! others.

use agentd::models::agent::{AgentSettings, Permissions, Protocol, Shape};
use agentd::models::mcp_server::McpServer;
use agentd::models::run::Overlay;
use serde_json::{Value, json};

use super::recording::CLIS;
use super::request::{Asked, RUN, ask, asking};

const LEVELS: [Permissions; 3] = [Permissions::Read, Permissions::Write, Permissions::Shell];

/// A path that means something else to whoever does not quote it.
const ODD: &str = "/shops/\"it's\" a \\ shop, [1]=é";

fn server() -> McpServer {
    let args = ["mcp", "--outbox", ODD, "--role", "reviewer"];
    McpServer::new("/opt/agent d/agentd", &args, &["submit_review", "submit_done"])
        .expect("a server")
}

fn asked(cli: &str, level: Permissions) -> Asked {
    ask(cli).to(level).server(&server()).environment(&[("HOME", "/home/me")])
}

/// Gives the word after an option that stands there once.
fn value(command: &[String], option: &str) -> String {
    let at: Vec<_> = (0..command.len()).filter(|at| command[*at] == option).collect();
    assert_eq!(at.len(), 1, "{option} in {command:?}");
    command[at[0] + 1].clone()
}

/// Gives the words after an option, wherever it stands.
fn values<'c>(command: &'c [String], option: &str) -> Vec<&'c str> {
    let pairs = command.windows(2).filter(|pair| pair[0] == option);
    pairs.map(|pair| pair[1].as_str()).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn without_a_server_no_cli_is_told_of_one() {
    for cli in CLIS {
        for level in LEVELS {
            let asked = ask(cli).to(level).environment(&[("HOME", "/home/me")]);
            let command = asked.command();
            let tells = |word: &String| {
                ["--mcp-config", "--additional-mcp-config"].contains(&word.as_str())
                    || ["agentd", "mcp_servers"].iter().any(|it| word.contains(it))
            };
            // The run's own folder is in the project's folder of agentd.
            let told = command.iter().filter(|word| !word.contains(RUN)).any(tells);
            assert!(!told, "{command:?}");
            assert_eq!(asked.invocation().overlay, None);
        }
    }
}

#[test]
fn claude_is_told_in_json_and_allowed_the_tools_in_one_flag_with_what_else_it_may() {
    for (level, allowed) in [
        (Permissions::Read, "mcp__agentd__submit_review,mcp__agentd__submit_done"),
        (Permissions::Write, "mcp__agentd__submit_review,mcp__agentd__submit_done"),
        (Permissions::Shell, "Bash,mcp__agentd__submit_review,mcp__agentd__submit_done"),
    ] {
        let command = asked("claude", level).command();
        let McpServer { command: program, args, .. } = server();
        let entry = json!({ "type": "stdio", "command": program, "args": args });
        let expected = json!({ "mcpServers": { "agentd": entry } });
        assert_eq!(parsed(&value(&command, "--mcp-config")), expected);
        assert_eq!(value(&command, "--allowedTools"), allowed);
        let strict = command.contains(&"--strict-mcp-config".to_owned());
        assert_eq!(strict, level == Permissions::Read, "{command:?}");
        let sources = values(&command, "--setting-sources");
        assert_eq!(sources.is_empty(), level == Permissions::Shell, "{command:?}");
    }
}

#[test]
fn claude_in_isolation_forgoes_its_safe_mode_which_knows_no_server() {
    for level in LEVELS {
        let asked = asked("claude", level).set(|settings| settings.isolated = true);
        let command = asked.command();
        assert!(!command.contains(&"--safe-mode".to_owned()), "{command:?}");
        assert!(command.contains(&"--strict-mcp-config".to_owned()), "{command:?}");
        assert_eq!(value(&command, "--setting-sources"), "user");
        let reads = |variable: &String| variable.contains("DIRECTORIES_CLAUDE_MD");
        assert!(!asked.variables().iter().any(reads), "{:?}", asked.variables());
    }
}

#[test]
fn codex_is_told_in_toml_that_reads_back_as_what_was_meant() {
    for level in LEVELS {
        let command = asked("codex", level).command();
        let own = values(&command, "-c").into_iter().filter(|it| it.starts_with("mcp_servers."));
        let text = own.collect::<Vec<_>>().join("\n");
        let read: toml::Table = text.parse().unwrap_or_else(|error| panic!("{error}: {text}"));
        let McpServer { command: program, args, .. } = server();
        let mut expected = toml::toml! { default_tools_approval_mode = "approve" };
        expected.insert("command".to_owned(), program.into());
        expected.insert("args".to_owned(), args.into());
        assert_eq!(read["mcp_servers"]["agentd"], toml::Value::Table(expected));
        assert_eq!(command.last().map(String::as_str), Some("-"), "the prompt comes last");
    }
}

#[test]
fn copilot_is_told_in_json_and_allowed_each_tool() {
    for level in LEVELS {
        let command = asked("copilot", level).command();
        let McpServer { command: program, args, tools } = server();
        let entry = json!({ "type": "local", "command": program, "args": args, "tools": tools });
        let expected = json!({ "mcpServers": { "agentd": entry } });
        assert_eq!(parsed(&value(&command, "--additional-mcp-config")), expected);
        for word in ["--allow-tool=agentd(submit_review)", "--allow-tool=agentd(submit_done)"] {
            assert!(command.contains(&word.to_owned()), "{command:?}");
        }
        let available = command.iter().find_map(|word| word.strip_prefix("--available-tools="));
        let expected = "view,grep,glob,agentd-submit_review,agentd-submit_done";
        assert_eq!(available, (level == Permissions::Read).then_some(expected));
    }
}

#[test]
fn gemini_finds_the_server_among_the_settings_of_an_overlay() {
    let McpServer { command, args, .. } = server();
    let entry = json!({ "command": command, "args": args, "trust": true });
    for level in LEVELS {
        let invocation = asked("gemini", level).invocation();
        let overlay = invocation.overlay.expect("an overlay");
        assert_eq!(overlay.from.to_str(), Some("/home/me"));
        assert_eq!(
            (overlay.key, overlay.value),
            (vec!["mcpServers".into(), "agentd".into()], entry.clone())
        );
        let home = format!("GEMINI_CLI_HOME={RUN}/{}", Overlay::FOLDER);
        assert!(asked("gemini", level).variables().contains(&home));
        let rules = invocation.files.iter().map(|(_, text)| text.parse::<toml::Table>());
        let rules: Vec<_> = rules.map(|rules| rules.expect("TOML")).collect();
        let allows = |rules: &toml::Table| {
            let rules = rules["rule"].as_array().expect("rules").clone();
            rules.into_iter().any(|rule| {
                rule.get("mcpName").and_then(toml::Value::as_str) == Some("agentd")
                    && rule["toolName"] == vec!["submit_review", "submit_done"].into()
                    && rule["decision"].as_str() == Some("allow")
                    && rule["priority"].as_integer() == Some(999)
            })
        };
        assert!(rules.iter().all(allows), "{rules:?}");
        assert_eq!(rules.is_empty(), level == Permissions::Shell);
    }
    let own = asked("gemini", Permissions::Write).environment(&[("GEMINI_CLI_HOME", "/own")]);
    assert_eq!(own.invocation().overlay.expect("an overlay").from.to_str(), Some("/own"));
    // Where it would look for settings is not known then, and work is handed in in files.
    let nowhere = ask("gemini").server(&server());
    assert_eq!(nowhere.invocation().overlay, None);
    assert!(nowhere.variables().iter().all(|variable| !variable.starts_with("GEMINI_CLI_HOME")));
}

#[test]
fn gemini_in_isolation_has_the_server_in_the_settings_of_its_own() {
    let asked = asked("gemini", Permissions::Write).set(|settings| settings.isolated = true);
    let invocation = asked.invocation();
    assert_eq!(invocation.overlay, None);
    let settings = invocation.files.iter().find(|(path, _)| path.ends_with("settings.json"));
    let settings = parsed(&settings.expect("settings").1);
    assert_eq!(settings["mcpServers"]["agentd"]["trust"], true);
    assert!(settings["security"]["auth"]["selectedType"].is_string(), "{settings}");
}

#[test]
fn a_described_agent_is_told_of_no_server() {
    let mut settings = AgentSettings::new("mine", Protocol::Described(Shape::default()));
    settings.command = vec!["my-agent".to_owned()];
    let asked = asking(settings);
    let with = asked.clone().server(&server()).invocation();
    assert_eq!(with, asked.invocation());
}
