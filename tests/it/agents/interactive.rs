//! What is started on a terminal of its own: the CLI as a person would start it, with the same leave, the same server and
//! the same environment as without one, and no question at its start that agentd can spare people.

use agentd::models::agent::{Permissions, Protocol};
use agentd::models::mcp_server::McpServer;
use agentd::models::run::Invocation;
use agentd::orchestrator::agents::adapter;
use serde_json::{Value, json};

use super::recording::{CLIS, protocol};
use super::request::{RUN, ask};

const LEVELS: [Permissions; 3] = [Permissions::Read, Permissions::Write, Permissions::Shell];

fn server() -> McpServer {
    let args = ["mcp", "--outbox", "/shop", "--role", "reviewer"];
    McpServer::new("/opt/agentd", &args, &["submit_review"]).expect("a server")
}

fn words(invocation: &Invocation) -> Vec<String> {
    let words = std::iter::once(&invocation.program).chain(&invocation.args);
    words.map(|word| word.to_str().expect("UTF-8").to_owned()).collect()
}

fn has(invocation: &Invocation, variable: &str) -> bool {
    invocation.env.iter().any(|(name, _)| name == variable)
}

#[test]
fn every_cli_gets_on_a_terminal_what_it_gets_without_one_but_how_to_print() {
    // What belongs to being asked once, without anybody at the terminal, and what to being asked by a person.
    let headless = |cli: &str| -> &[&str] {
        match cli {
            "claude" => {
                &["-p", "--output-format", "stream-json", "--verbose", "--no-session-persistence"]
            }
            "gemini" => &["-o", "stream-json"],
            "codex" => {
                &["exec", "--json", "--ephemeral", "--skip-git-repo-check", "--ignore-rules", "-"]
            }
            "copilot" => &["--output-format", "json", "--no-ask-user", "--usage-output-file"],
            other => panic!("{other} is no CLI"),
        }
    };
    for cli in CLIS {
        for level in LEVELS {
            let asked = ask(cli).to(level).server(&server()).environment(&[("HOME", "/home/me")]);
            let without = words(&asked.invocation());
            let mut on_terminal = words(&asked.interactive());
            let report = format!("{RUN}/own/report.json");
            for word in without {
                if headless(cli).contains(&word.as_str()) || word == report {
                    continue;
                }
                let at = on_terminal.iter().position(|it| *it == word);
                let at = at.unwrap_or_else(|| panic!("{cli} at {level:?}: {word} is missing"));
                on_terminal.remove(at);
            }
            let trusted = r#"projects={"/shop"={trust_level="trusted"}}"#;
            let more: &[&str] = match (cli, level) {
                ("codex", Permissions::Shell) => {
                    &["-c", "check_for_update_on_startup=false", "-c", trusted]
                }
                ("codex", _) => &["-c", "check_for_update_on_startup=false"],
                _ => &[],
            };
            on_terminal.sort_unstable();
            let mut more = more.to_vec();
            more.sort_unstable();
            assert_eq!(on_terminal, more, "{cli} at {level:?}");
            assert_eq!(asked.interactive().overlay, asked.invocation().overlay);
            assert_eq!(asked.interactive().stdin, "");
        }
    }
}

#[test]
fn claude_does_not_ask_on_a_terminal_whether_the_folder_is_trusted() {
    let asked = ask("claude").server(&server());
    assert!(has(&asked.interactive(), "CLAUDE_CODE_SANDBOXED"));
    assert!(!has(&asked.invocation(), "CLAUDE_CODE_SANDBOXED"));
}

#[test]
fn claude_in_isolation_knows_that_it_was_used_before_and_which_key_is_meant() {
    let key = "sk-0123456789-0123456789-the-end";
    let isolated = |variables: &[(&str, &str)]| {
        let asked = ask("claude").environment(variables).set(|it| it.isolated = true);
        let (path, text) = asked.interactive().files.remove(0);
        assert_eq!(path.to_str(), Some(&*format!("{RUN}/own/claude/.claude.json")));
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    let state = isolated(&[("ANTHROPIC_API_KEY", key)]);
    assert_eq!(state["hasCompletedOnboarding"], true);
    assert_eq!(state["customApiKeyResponses"]["approved"], json!([&key[key.len() - 20..]]));
    assert_eq!(isolated(&[])["customApiKeyResponses"]["approved"], json!([]));
    assert_eq!(ask("claude").interactive().files, []);
}

#[test]
fn a_question_is_confirmed_only_where_it_gives_no_more_leave() {
    let confirms = |cli: &str, level, screen: &str| {
        adapter(&protocol(cli)).dialogs(level).iter().any(|dialog| dialog.is_on(screen))
    };
    let codex = "  Folder access\n  /shop\n\n› 1. Open restricted\n  2. Quit\n";
    let other = codex.replace("› 1.", "  1.").replace("  2.", "› 2.");
    let copilot = "│ Confirm folder trust │\n│ ❯ 1. Yes │\n│   3. No (Esc) │\n";
    let gemini = "│ Do you trust the following folders being added? │\n│ ● 1. Yes │\n│   3. No │\n";
    for level in LEVELS {
        assert!(confirms("codex", level, codex));
        assert!(confirms("gemini", level, gemini));
        assert!(!confirms("codex", level, &other), "where another answer is chosen");
        assert_eq!(confirms("copilot", level, copilot), level == Permissions::Shell);
        assert!(adapter(&Protocol::Claude).dialogs(level).is_empty());
    }
}
