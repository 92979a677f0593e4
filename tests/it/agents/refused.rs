//! What a configuration must not pass to an agent, and what it may.

use std::process::Command;

use agentd::models::agent::{AgentSettings, Protocol, Shape};
use agentd::orchestrator::agents::AgentError;

use super::recording::protocol;
use super::request::{ask, asking};

const SESSION: &str = "belongs to no session";
const SYSTEM: &str = "system prompts are part of the prompt's document";
const PROMPT: &str = "agentd itself passes the prompt";
const OUTPUT: &str = "in a format that it sets itself";
const PERMISSION: &str = "set by `permissions`";
const MODE: &str = "an agent answers one prompt";

/// A CLI, arguments of a configuration, which of them is refused, and why.
const REFUSED: [(&str, &str, &str, &str); 96] = [
    ("claude", "--resume", "--resume", SESSION),
    ("claude", "--resume=x", "--resume=x", SESSION),
    ("claude", "--resume x", "--resume", SESSION),
    ("claude", "--Resume", "--Resume", SESSION),
    ("claude", "-r", "-r", SESSION),
    ("claude", "-rx", "-rx", SESSION),
    ("claude", "-c", "-c", SESSION),
    ("claude", "--continue", "--continue", SESSION),
    ("claude", "--session-id 1-2", "--session-id", SESSION),
    ("claude", "--fork-session", "--fork-session", SESSION),
    ("claude", "--from-pr 7", "--from-pr", SESSION),
    ("claude", "--teleport", "--teleport", SESSION),
    ("claude", "--effort high --continue", "--continue", SESSION),
    ("claude", "--resume-from-next-year", "--resume-from-next-year", SESSION),
    ("claude", "--system-prompt x", "--system-prompt", SYSTEM),
    ("claude", "--system-prompt-file=x", "--system-prompt-file=x", SYSTEM),
    ("claude", "--append-system-prompt x", "--append-system-prompt", SYSTEM),
    ("claude", "--append-system-prompt-file x", "--append-system-prompt-file", SYSTEM),
    ("claude", "--agents {}", "--agents", SYSTEM),
    ("claude", "--agent reviewer", "--agent", SYSTEM),
    ("claude", "--new-system-prompt-of-next-year x", "--new-system-prompt-of-next-year", SYSTEM),
    ("claude", "--file f:x", "--file", PROMPT),
    ("claude", "--input-format stream-json", "--input-format", PROMPT),
    ("claude", "hello", "hello", PROMPT),
    ("claude", "--verbose hello", "hello", PROMPT),
    ("claude", "--model sonnet hello", "hello", PROMPT),
    ("claude", "--effort=high hello", "hello", PROMPT),
    ("claude", "-- hello", "--", PROMPT),
    ("claude", "-p", "-p", OUTPUT),
    ("claude", "--output-format=text", "--output-format=text", OUTPUT),
    ("claude", "--json-schema {}", "--json-schema", OUTPUT),
    ("claude", "--forward-subagent-text", "--forward-subagent-text", OUTPUT),
    ("claude", "--permission-mode bypassPermissions", "--permission-mode", PERMISSION),
    ("claude", "--dangerously-skip-permissions", "--dangerously-skip-permissions", PERMISSION),
    ("claude", "--allowedTools Bash", "--allowedTools", PERMISSION),
    ("claude", "--allowed-tools=Bash", "--allowed-tools=Bash", PERMISSION),
    ("claude", "--tools default", "--tools", PERMISSION),
    ("claude", "--add-dir /", "--add-dir", PERMISSION),
    ("claude", "--settings {}", "--settings", PERMISSION),
    ("claude", "--worktree", "--worktree", MODE),
    ("claude", "-wv", "-wv", MODE),
    ("claude", "--desktop", "--desktop", MODE),
    ("claude", "--environment x", "--environment", MODE),
    ("claude", "mcp", "mcp", PROMPT),
    ("gemini", "-r latest", "-r", SESSION),
    ("gemini", "--resume=5", "--resume=5", SESSION),
    ("gemini", "-dr", "-dr", SESSION),
    ("gemini", "--session-id x", "--session-id", SESSION),
    ("gemini", "--session-file x", "--session-file", SESSION),
    ("gemini", "--list-sessions", "--list-sessions", SESSION),
    ("gemini", "--session-summary x", "--session-summary", SESSION),
    ("gemini", "-p x", "-p", PROMPT),
    ("gemini", "-i x", "-i", PROMPT),
    ("gemini", "-dph", "-dph", PROMPT),
    ("gemini", "x", "x", PROMPT),
    ("gemini", "-m pro x", "x", PROMPT),
    ("gemini", "-o text", "-o", OUTPUT),
    ("gemini", "-otext", "-otext", OUTPUT),
    ("gemini", "--output-format json", "--output-format", OUTPUT),
    ("gemini", "--outputFormat json", "--outputFormat", OUTPUT),
    ("gemini", "-y", "-y", PERMISSION),
    ("gemini", "--yolo", "--yolo", PERMISSION),
    ("gemini", "--approval-mode=yolo", "--approval-mode=yolo", PERMISSION),
    ("gemini", "--include-directories /", "--include-directories", PERMISSION),
    ("gemini", "--acp", "--acp", MODE),
    ("codex", "exec resume", "exec", PROMPT),
    ("codex", "resume --last", "resume", PROMPT),
    ("codex", "--last", "--last", SESSION),
    ("codex", "-c history.persistence=save-all", "history.persistence=save-all", SESSION),
    ("codex", "-c experimental_resume=/x", "experimental_resume=/x", SESSION),
    ("codex", "-c instructions=x", "instructions=x", SYSTEM),
    ("codex", "-c experimental_instructions_file=x", "experimental_instructions_file=x", SYSTEM),
    ("codex", "-cinstructions=x", "-cinstructions=x", SYSTEM),
    ("codex", "-c=instructions=x", "-c=instructions=x", SYSTEM),
    ("codex", "--config=model_instructions_file=x", "--config=model_instructions_file=x", SYSTEM),
    ("codex", "--config developer_instructions=x", "developer_instructions=x", SYSTEM),
    ("codex", "-c \"instructions\"=x", "\"instructions\"=x", SYSTEM),
    ("codex", "-c profiles.a.instructions=x", "profiles.a.instructions=x", SYSTEM),
    ("codex", "-c compact_prompt=x", "compact_prompt=x", SYSTEM),
    ("codex", "-i x.png", "-i", PROMPT),
    ("codex", "-", "-", PROMPT),
    ("codex", "-m gpt-5 hello", "hello", PROMPT),
    ("codex", "--json", "--json", OUTPUT),
    ("codex", "--output-schema x", "--output-schema", OUTPUT),
    ("codex", "-s danger-full-access", "-s", PERMISSION),
    ("codex", "--full-auto", "--full-auto", PERMISSION),
    ("codex", "--trust", "--trust", PERMISSION),
    ("codex", "-c sandbox_mode=danger-full-access", "sandbox_mode=danger-full-access", PERMISSION),
    ("codex", "-c approval_policy=untrusted", "approval_policy=untrusted", PERMISSION),
    ("codex", "-C /", "-C", MODE),
    ("copilot", "--continue", "--continue", SESSION),
    ("copilot", "--resume=x", "--resume=x", SESSION),
    ("copilot", "-p x", "-p", PROMPT),
    ("copilot", "-s", "-s", OUTPUT),
    ("copilot", "--allow-all-paths", "--allow-all-paths", PERMISSION),
    ("copilot", "--agent x", "--agent", SYSTEM),
];

const ALLOWED: [(&str, &str); 34] = [
    ("claude", ""),
    ("claude", "--effort high"),
    ("claude", "--effort=high"),
    ("claude", "--max-turns 50 --max-budget-usd 2.5"),
    ("claude", "--fallback-model haiku"),
    ("claude", "--mcp-config a.json b.json --strict-mcp-config"),
    ("claude", "--betas one two"),
    ("claude", "--safe-mode --verbose"),
    ("claude", "--no-session-persistence"),
    ("claude", "--no-resume-hints"),
    ("claude", "--setting-sources user,project"),
    ("claude", "--debug-file /tmp/d"),
    ("claude", "--option-of-next-year with values"),
    ("claude", "-d api"),
    ("gemini", "--debug"),
    ("gemini", "-d"),
    ("gemini", "-s"),
    ("gemini", "--sandbox --sandbox-image x"),
    ("gemini", "-e none"),
    ("gemini", "--extensions one two"),
    ("gemini", "--allowed-mcp-server-names a b"),
    ("codex", "--oss --local-provider ollama"),
    ("codex", "-c model_reasoning_effort=high"),
    ("codex", "-cmodel_reasoning_effort=high"),
    ("codex", "--config=model_reasoning_effort=high -c model_verbosity=low"),
    ("codex", "-c model_provider=x -c model_providers.x.base_url=http://localhost/v1"),
    ("codex", "-c mcp_servers.docs.command=docs"),
    ("codex", "-c sandbox_workspace_write.network_access=true"),
    ("codex", "--enable view_image_tool --disable web_search_request"),
    ("codex", "--search"),
    ("copilot", "--log-level all --log-dir /tmp/l"),
    ("copilot", "--no-custom-instructions"),
    ("copilot", "--disable-builtin-mcps --disable-mcp-server x"),
    ("copilot", "--reasoning-effort=high"),
];

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Gives the message with which settings are refused.
fn refusal(what: &str, result: Result<impl Sized, AgentError>) -> String {
    match result.err().unwrap_or_else(|| panic!("{what} is not refused")) {
        AgentError::Misconfigured { message } => message,
        other => panic!("{what}: {other}"),
    }
}

#[test]
fn seed_004_r1_arguments_that_bring_in_what_is_not_agentds_are_refused_by_name() {
    for (cli, line, word, why) in REFUSED {
        let asked = ask(cli).set(|settings| settings.args = words(line));
        let message = refusal(line, asked.result());
        let start = format!("`{word}` must not be passed to agent `{cli}`: ");
        assert!(message.starts_with(&start), "{cli} {line}: {message}");
        assert!(message.contains(why), "{cli} {line}: {message}");
        // It is the same where the words are part of the command.
        let command = [vec![format!("/usr/bin/{cli}")], words(line)].concat();
        let asked = ask(cli).set(|settings| settings.command = command);
        assert_eq!(refusal(line, asked.result()), message, "{cli} {line}");
    }
}

#[test]
fn other_arguments_are_passed_on_as_they_are() {
    for (cli, line) in ALLOWED {
        let asked = ask(cli).set(|settings| settings.args = words(line));
        let command = asked.command();
        let given = words(line);
        let there = given.is_empty() || command.windows(given.len()).any(|window| window == given);
        assert!(there, "{cli} {line}: {command:?}");
    }
}

#[test]
fn a_launcher_has_arguments_of_its_own_and_passes_none_that_is_refused() {
    for (cli, command) in [
        ("gemini", "npx -y @google/gemini-cli@latest"),
        ("claude", "npx -y -p @anthropic-ai/claude-code claude"),
        ("codex", "nice -n 10 codex"),
        ("copilot", "env -i HOME=/tmp npx -y @github/copilot"),
        ("claude", "/opt/wrap --verbose /opt/claude"),
        ("codex", "sh -c codex"),
    ] {
        let asked = ask(cli).set(|settings| settings.command = words(command));
        let expected = words(command);
        assert_eq!(asked.command()[..expected.len()], expected, "{command}");
    }
    for (cli, command, word) in [
        ("gemini", "npx -y @google/gemini-cli -r latest", "-r"),
        ("gemini", "npx -y @google/gemini-cli --resume", "--resume"),
        ("claude", "nice claude -c", "-c"),
        ("claude", "nice claude hello", "hello"),
        ("claude", "claude -c --model claude-x", "-c"),
        ("claude", "wrap --append-system-prompt=x", "--append-system-prompt=x"),
        ("codex", "nice codex exec", "exec"),
        ("gemini", "env GEMINI_SYSTEM_MD=/x gemini", "GEMINI_SYSTEM_MD=/x"),
        ("claude", "wrap -r", "-r"),
    ] {
        let asked = ask(cli).set(|settings| settings.command = words(command));
        let message = refusal(command, asked.result());
        assert!(message.starts_with(&format!("`{word}` must not")), "{command}: {message}");
    }
    let asked = ask("claude").set(|settings| settings.command = words("nice claude"));
    let message = refusal("args", asked.set(|settings| settings.args = words("-c")).result());
    assert!(message.starts_with("`-c` must not"), "{message}");
}

#[test]
fn seed_004_r3_variables_that_bring_in_a_system_prompt_or_a_session_are_refused_by_name() {
    for (name, why) in [
        ("GEMINI_SYSTEM_MD", SYSTEM),
        ("GEMINI_WRITE_SYSTEM_MD", SYSTEM),
        ("CLAUDE_CODE_SYSTEM_PROMPT", SYSTEM),
        ("MY_SYSTEM_PROMPT_FILE", SYSTEM),
        ("CLAUDE_CODE_EXTRA_BODY", SYSTEM),
        ("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", SYSTEM),
        ("CLAUDE_CODE_SESSION_ID", SESSION),
        ("CODEX_RESUME_ID", SESSION),
        ("COPILOT_ALLOW_ALL", PERMISSION),
        ("CLAUDE_CODE_REMOTE", MODE),
    ] {
        for cli in ["claude", "gemini", "codex", "copilot"] {
            let asked = ask(cli).set(|settings| {
                settings.env.insert(name.to_owned(), "x".to_owned());
            });
            let message = refusal(name, asked.result());
            let start = format!("`{name}` must not be passed to agent `{cli}`: ");
            assert!(message.starts_with(&start) && message.contains(why), "{message}");
        }
    }
    for name in ["ANTHROPIC_BASE_URL", "CLAUDE_CODE_MAX_RETRIES", "OPENAI_API_KEY", "SYSTEMD_UNIT"]
    {
        let asked = ask("claude").set(|settings| {
            settings.env.insert(name.to_owned(), "x".to_owned());
        });
        assert!(asked.variables().contains(&format!("{name}=x")), "{name}");
    }
}

#[test]
fn described_programs_are_refused_only_what_is_telling() {
    let mine = |line: &str| {
        let settings = AgentSettings::new("mine", Protocol::Described(Shape::default()));
        asking(settings).set(|settings| settings.args = words(line))
    };
    for line in ["--resume x", "--continue", "--session=1", "--system-prompt x", "--yolo"] {
        let message = refusal(line, mine(line).result());
        assert!(message.contains("must not be passed to agent `mine`"), "{message}");
    }
    for line in ["run -m model --temperature 0", "chat - --no-session", "-- x", "-c x -r y"] {
        assert!(mine(line).result().is_ok(), "{line}");
    }
}

#[test]
fn the_program_refuses_them_with_exit_code_4_before_anything_runs() {
    for (config, agent, word) in [
        ("[agents.claude]\nargs = [\"--resume=x\"]\n", "claude", "--resume=x"),
        ("[agents.claude]\nargs = [\"-c\"]\n", "claude", "-c"),
        (
            "[agents.claude]\nargs = [\"--append-system-prompt\", \"x\"]\n",
            "claude",
            "--append-system-prompt",
        ),
        ("[agents.gemini]\nargs = [\"-dr\", \"latest\"]\n", "gemini", "-dr"),
        ("[agents.gemini]\nenv = { GEMINI_SYSTEM_MD = \"x\" }\n", "gemini", "GEMINI_SYSTEM_MD"),
        ("[agents.codex]\nargs = [\"exec\", \"resume\"]\n", "codex", "exec"),
        ("[agents.codex]\nargs = [\"-c\", \"instructions=x\"]\n", "codex", "instructions=x"),
        ("[agents.copilot]\nargs = [\"--continue\"]\n", "copilot", "--continue"),
        ("[agents.mine]\ncli = \"claude\"\nargs = [\"hello\"]\n", "mine", "hello"),
        (
            "[agents.pipe]\ncommand = [\"cat\"]\ndelivers = \"text\"\nargs = [\"--session=1\"]\n",
            "pipe",
            "--session=1",
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let user = folder.path().join("user.toml");
        std::fs::write(&user, config).expect("a file");
        let output = Command::new(env!("CARGO_BIN_EXE_agentd"))
            .args(["call", "plan", "add-login", "Add login", "--agent", agent])
            .current_dir(folder.path())
            // Nothing would be found, even if it were looked for.
            .env("PATH", folder.path())
            .env("AGENTD_CONFIG", user)
            .output()
            .expect("agentd runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{config}{told}");
        assert!(
            told.contains(&format!("`{word}` must not be passed to agent `{agent}`")),
            "{told}"
        );
        assert!(told.contains(&format!("[agents.{agent}]")), "{told}");
        assert_eq!(output.stdout, b"");
    }
}

#[test]
fn there_are_enough_words_in_these_tables_for_each_cli() {
    for cli in ["claude", "gemini", "codex", "copilot"] {
        let _ = protocol(cli);
        assert!(REFUSED.iter().filter(|(refused, ..)| *refused == cli).count() >= 6, "{cli}");
        assert!(ALLOWED.iter().filter(|(allowed, _)| *allowed == cli).count() >= 4, "{cli}");
    }
}
