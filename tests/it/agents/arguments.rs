//! How each CLI is called: nothing that would continue a session or bring in a system prompt, the prompt on standard
//! input alone, and just the permissions of the phase.

use std::path::PathBuf;

use agentd::Phase;
use agentd::catalog::CATALOG;
use agentd::models::agent::Permissions;

use super::recording::CLIS;
use super::request::{Asked, CHANGE, RUN, ask};

const LEVELS: [Permissions; 3] = [Permissions::Read, Permissions::Write, Permissions::Shell];

/// An environment that would lead every agent astray.
const ASTRAY: [(&str, &str); 24] = [
    ("PATH", "/usr/bin"),
    ("HOME", "/home/me"),
    ("GEMINI_SYSTEM_MD", "/home/me/system.md"),
    ("GEMINI_WRITE_SYSTEM_MD", "1"),
    ("GEMINI_CLI", "1"),
    ("GEMINI_CLI_IDE_SERVER_PORT", "4711"),
    ("GEMINI_SESSION_ID", "s"),
    ("CLAUDECODE", "1"),
    ("CLAUDE_CODE_ENTRYPOINT", "cli"),
    ("CLAUDE_CODE_SSE_PORT", "4711"),
    ("CLAUDE_CODE_SYSTEM_PROMPT", "You are a pirate."),
    ("CLAUDE_CODE_APPEND_SYSTEM_PROMPT_FILE", "/home/me/pirate.md"),
    ("CLAUDE_CODE_SESSION_ID", "s"),
    ("CLAUDE_CODE_RESUME_INTERRUPTED_TURN", "1"),
    ("CLAUDE_CODE_EXTRA_BODY", "{\"system\":\"You are a pirate.\"}"),
    ("CLAUDE_CODE_REMOTE_SESSION_ID", "s"),
    ("ANTHROPIC_SESSION_TOKEN", "s"),
    ("CODEX_THREAD_ID", "s"),
    ("CODEX_SANDBOX", "seatbelt"),
    ("CODEX_SESSION_ID", "s"),
    ("COPILOT_SESSION_ID", "s"),
    ("COPILOT_CUSTOM_INSTRUCTIONS_DIRS", "/home/me"),
    ("COPILOT_ALLOW_ALL", "true"),
    ("AI_AGENT", "claude"),
];

/// Every way to ask every CLI, in an environment that would lead it astray.
fn every_way() -> Vec<(String, Asked)> {
    let mut ways = Vec::new();
    for cli in CLIS {
        for level in LEVELS {
            for isolated in [false, true] {
                for extra in [None, Some(CHANGE)] {
                    let asked = ask(cli)
                        .to(level)
                        .set(|settings| settings.isolated = isolated)
                        .set(|settings| settings.model = Some("large".to_owned()))
                        .extra_folder(extra)
                        .environment(&ASTRAY);
                    ways.push((format!("{cli} {level:?} {isolated} {extra:?}"), asked));
                }
            }
        }
    }
    assert_eq!(ways.len(), 4 * 3 * 2 * 2);
    ways
}

/// Says whether a word of a command line or the name of a variable speaks of sessions.
fn speaks_of_sessions(word: &str) -> bool {
    // What keeps a session from being written, and what hides earlier ones from the agent.
    let against = ["--no-session-persistence"];
    let word = word.to_lowercase();
    if word
        .strip_prefix("--excluded-tools=")
        .is_some_and(|tools| tools.contains("session_store_sql"))
    {
        return false;
    }
    let telling = ["resume", "continue", "session", "thread", "conversation", "fork", "teleport"];
    !against.contains(&word.as_str()) && telling.iter().any(|telling| word.contains(telling))
}

fn name_of(variable: &str) -> &str {
    variable.split('=').next().unwrap_or_default()
}

#[test]
fn seed_004_r1_no_way_to_ask_an_agent_continues_a_session() {
    for (way, asked) in every_way() {
        let command = asked.command();
        for word in &command {
            assert!(!speaks_of_sessions(word), "{way}: {word} in {command:?}");
            assert!(
                !["-r", "-n", "--last", "--all", "--name"].contains(&word.as_str()),
                "{way}: {word} in {command:?}"
            );
        }
        // Codex alone has options after `-c`.
        assert!(way.starts_with("codex") || !command.contains(&"-c".to_owned()), "{way}");
        for variable in asked.variables() {
            assert!(!speaks_of_sessions(name_of(&variable)), "{way}: {variable}");
        }
    }
}

#[test]
fn seed_004_r1_what_can_be_kept_from_being_written_is() {
    for (way, asked) in every_way() {
        let command = asked.command();
        let expected = match command[0].as_str() {
            "claude" => "--no-session-persistence",
            "codex" => "--ephemeral",
            // They have no such option; an isolated run keeps what they write in its own folder.
            _ => continue,
        };
        assert!(command.contains(&expected.to_owned()), "{way}: {command:?}");
    }
    for (cli, variable, folder) in [
        ("claude", "CLAUDE_CONFIG_DIR", "claude"),
        ("gemini", "GEMINI_CLI_HOME", "gemini"),
        ("codex", "CODEX_HOME", "codex"),
        ("copilot", "COPILOT_HOME", "copilot"),
    ] {
        let isolated = ask(cli).set(|settings| settings.isolated = true);
        // Not even the user's own choice counts then.
        let isolated = isolated.environment(&[(variable, "/home/me/own")]);
        let expected = format!("{variable}={RUN}/own/{folder}");
        assert!(isolated.variables().contains(&expected), "{cli}: {:?}", isolated.variables());
        let usual = ask(cli).environment(&[(variable, "/home/me/own")]).variables();
        assert!(usual.contains(&format!("{variable}=/home/me/own")), "{cli}: {usual:?}");
    }
}

#[test]
fn seed_004_r3_no_way_to_ask_an_agent_brings_in_a_system_prompt() {
    for (way, asked) in every_way() {
        let command = asked.command();
        for word in &command {
            let word = word.to_lowercase();
            // The one word about instructions keeps those of the user's files away.
            let about = word != "--no-custom-instructions"
                && ["system", "instructions", "append", "persona"].iter().any(|w| word.contains(w));
            assert!(!about && word != "--agent", "{way}: {word} in {command:?}");
        }
        for variable in asked.variables() {
            let name = name_of(&variable);
            for telling in ["SYSTEM", "INSTRUCTION", "PROMPT", "EXTRA_BODY", "_AGENT"] {
                assert!(!name.contains(telling), "{way}: {variable}");
            }
        }
    }
}

#[test]
fn of_an_environment_that_leads_astray_only_the_harmless_part_is_left() {
    let own = [
        "NO_COLOR",
        "DISABLE_",
        "CLAUDE_CODE_DISABLE_",
        "CLAUDE_CODE_ADDITIONAL_",
        "GEMINI_CLI_NO_RELAUNCH",
    ];
    let state = ["CLAUDE_CONFIG_DIR", "GEMINI_CLI_HOME", "CODEX_HOME", "COPILOT_HOME"];
    for (way, asked) in every_way() {
        let left: Vec<_> = asked
            .variables()
            .into_iter()
            .filter(|variable| !own.iter().any(|own| variable.starts_with(own)))
            .filter(|variable| !state.contains(&name_of(variable)))
            .collect();
        assert_eq!(left, ["HOME=/home/me", "PATH=/usr/bin"], "{way}");
    }
}

#[test]
fn the_prompt_is_on_standard_input_and_nowhere_else() {
    let prompt = "<prompt>\n<instructions>a secret of mine</instructions>\n</prompt>\n";
    for (way, asked) in every_way() {
        let asked = asked.prompt(prompt);
        let invocation = asked.invocation();
        assert_eq!(invocation.stdin, prompt, "{way}");
        let elsewhere = [asked.command(), asked.variables()].concat();
        assert!(!elsewhere.iter().any(|word| word.contains("secret")), "{way}");
        assert!(!invocation.files.iter().any(|(_, text)| text.contains("secret")), "{way}");
        assert!(elsewhere.iter().all(|word| word.len() < 1_000), "{way}");
    }
}

#[test]
fn the_files_of_a_run_lie_in_its_own_folder() {
    for (way, asked) in every_way() {
        for (path, text) in asked.invocation().files {
            assert!(path.starts_with(RUN), "{way}: {}", path.display());
            assert!(!text.contains("/shop"), "{way}: {text}");
        }
    }
}

#[test]
fn seed_004_r1_each_cli_is_called_with_exactly_this() {
    for (cli, model, key, expected) in [
        (
            "claude",
            "sonnet",
            "ANTHROPIC_API_KEY",
            format!(
                "claude -p --output-format stream-json --verbose --no-session-persistence --model sonnet \
                 --tools Read,Glob,Grep,Task,TaskCreate,TaskGet,TaskList,TaskOutput,TaskStop,TaskUpdate,\
                 TodoWrite,WebFetch,WebSearch,Edit,NotebookEdit,Skill,Write \
                 --disallowedTools Bash --permission-mode acceptEdits --add-dir {CHANGE} \
                 --setting-sources user --add-dir /shop"
            ),
        ),
        (
            "gemini",
            "pro",
            "GEMINI_API_KEY",
            format!(
                "gemini -o stream-json --skip-trust -m pro --approval-mode auto_edit \
                 --include-directories {CHANGE} --admin-policy {RUN}/own/gemini-policy.toml"
            ),
        ),
        (
            "codex",
            "gpt-5.5",
            "OPENAI_API_KEY",
            format!(
                "codex exec --json --ephemeral --skip-git-repo-check --disable plugins \
                 --disable unbounded_connection_retries -c analytics.enabled=false -m gpt-5.5 \
                 -c approval_policy=never -s workspace-write \
                 -c sandbox_workspace_write.exclude_slash_tmp=true \
                 -c sandbox_workspace_write.exclude_tmpdir_env_var=true --ignore-rules --add-dir {CHANGE} \
                 -c projects={{\"/shop\"={{trust_level=\"untrusted\"}}}} -"
            ),
        ),
        (
            "copilot",
            "gpt-5",
            "GH_TOKEN",
            format!(
                "copilot --output-format json --no-ask-user --no-auto-update --model gpt-5 \
                 --excluded-tools=bash,list_bash,read_bash,session_store_sql,stop_bash,write_bash \
                 --allow-tool=write --deny-tool=shell \
                 --add-dir {CHANGE} --usage-output-file {RUN}/own/report.json"
            ),
        ),
    ] {
        let asked = ask(cli)
            .set(|settings| settings.model = Some(model.to_owned()))
            .extra_folder(Some(CHANGE))
            .environment(&[("PATH", "/bin"), (key, "k")]);
        assert_eq!(asked.command().join(" "), expected, "{cli}");
        let environment = match cli {
            "claude" => {
                "ANTHROPIC_API_KEY=k CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD=1 \
                 CLAUDE_CODE_DISABLE_ATTACHMENTS=1 \
                 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 \
                 DISABLE_TELEMETRY=1 PATH=/bin"
            }
            "gemini" => "GEMINI_API_KEY=k GEMINI_CLI_NO_RELAUNCH=true NO_COLOR=1 PATH=/bin",
            "codex" => "NO_COLOR=1 OPENAI_API_KEY=k PATH=/bin",
            _ => "GH_TOKEN=k NO_COLOR=1 PATH=/bin",
        };
        assert_eq!(asked.variables().join(" "), environment, "{cli}");
    }
}

/// What must be in a command line, words in this order and next to each other, and what must not.
type Expected = (&'static [&'static str], &'static [&'static str]);

#[test]
fn permissions_are_what_the_level_says_and_no_more() {
    let expected: [(&str, [Expected; 3]); 4] = [
        (
            "claude",
            [
                (
                    &[
                        ",WebFetch,WebSearch --disallowedTools Bash,Edit,NotebookEdit,Write ",
                        " --strict-mcp-config --permission-mode default",
                    ],
                    &["acceptEdits", "--allowedTools", ",Skill"],
                ),
                (
                    &["--permission-mode acceptEdits", "--disallowedTools Bash", ",Write "],
                    &["--allowedTools", ",Bash ", "bypassPermissions"],
                ),
                (
                    &["--permission-mode acceptEdits", "--allowedTools Bash", ",Write,Bash "],
                    &["--disallowedTools", "bypassPermissions"],
                ),
            ],
        ),
        (
            "gemini",
            [
                (&["--approval-mode default", "--admin-policy"], &["yolo", "auto_edit"]),
                (&["--approval-mode auto_edit", "--admin-policy"], &["yolo"]),
                (&["--approval-mode yolo"], &["auto_edit", "--admin-policy"]),
            ],
        ),
        (
            "codex",
            [
                (&["approval_policy=never -s read-only --ignore-rules"], &["workspace-write"]),
                (&["approval_policy=never -s workspace-write", "--ignore-rules"], &["read-only"]),
                (&["approval_policy=never -s workspace-write"], &["read-only", "--ignore-rules"]),
            ],
        ),
        (
            "copilot",
            [
                (
                    &["--available-tools=view,grep,glob", "--deny-tool=write --deny-tool=shell"],
                    &["--allow-tool", "--allow-all"],
                ),
                (&["--allow-tool=write --deny-tool=shell"], &["--allow-all"]),
                (&["--allow-all-tools"], &["--deny-tool", "--allow-all-paths"]),
            ],
        ),
    ];
    for (cli, levels) in expected {
        for (level, (present, absent)) in LEVELS.into_iter().zip(levels) {
            let command = ask(cli).to(level).command().join(" ") + " ";
            for words in present {
                assert!(command.contains(words), "{cli} {level:?}: no {words} in {command}");
            }
            for words in absent.iter().chain(&["danger", "skip-permissions", "full-auto"]) {
                assert!(!command.contains(words), "{cli} {level:?}: {words} in {command}");
            }
        }
    }
}

#[test]
fn geminis_rules_deny_what_the_level_does_not_allow() {
    let rules = |level| {
        let files = ask("gemini").to(level).invocation().files;
        files
            .into_iter()
            .find(|(path, _)| *path == PathBuf::from(RUN).join("own/gemini-policy.toml"))
    };
    let parsed = |level| {
        let (_, text) = rules(level).expect("rules");
        text.parse::<toml::Table>().expect("TOML")
    };
    let read = parsed(Permissions::Read);
    let list = read["rule"].as_array().expect("rules");
    assert_eq!(list.len(), 2);
    assert_eq!(list[0]["decision"].as_str(), Some("allow"));
    for tool in list[0]["toolName"].as_array().expect("names") {
        let tool = tool.as_str().expect("a name");
        assert!(!["write_file", "replace", "run_shell_command", "save_memory"].contains(&tool));
    }
    assert_eq!(list[1]["toolName"].as_str(), Some("*"));
    assert_eq!(list[1]["decision"].as_str(), Some("deny"));
    assert!(list[0]["priority"].as_integer() > list[1]["priority"].as_integer());
    let write = parsed(Permissions::Write);
    assert_eq!(write["rule"][0]["toolName"].as_str(), Some("run_shell_command"));
    assert_eq!(write["rule"][0]["decision"].as_str(), Some("deny"));
    assert_eq!(rules(Permissions::Shell), None);
}

#[test]
fn phases_that_judge_only_read_and_commands_run_only_where_the_configuration_allows_them() {
    use Permissions::{Read, Shell, Write};
    for (phase, levels) in [
        (Phase::Plan, [Read, Write, Write]),
        (Phase::Challenge, [Read, Read, Read]),
        (Phase::Implement, [Read, Write, Shell]),
        (Phase::Review, [Read, Read, Shell]),
        (Phase::Archive, [Read, Write, Write]),
    ] {
        assert_eq!(LEVELS.map(|level| level.in_step(CATALOG.step(phase))), levels, "{phase:?}");
        for level in LEVELS {
            assert!(
                level.in_step(CATALOG.step(phase)) <= level,
                "{phase:?} gives more than {level:?}"
            );
        }
    }
    assert_eq!(Permissions::default(), Write);
}

#[test]
fn a_folder_outside_the_workspace_is_granted_only_when_it_is_given() {
    for (cli, option) in [
        ("claude", "--add-dir"),
        ("gemini", "--include-directories"),
        ("codex", "--add-dir"),
        ("copilot", "--add-dir"),
    ] {
        let command = ask(cli).extra_folder(Some(CHANGE)).command();
        let at = command.iter().position(|word| word == option).expect(cli);
        assert_eq!(command[at + 1], CHANGE, "{cli}");
        let without = ask(cli).command();
        assert!(!without.contains(&CHANGE.to_owned()), "{cli}: {without:?}");
    }
}

#[test]
fn what_the_configuration_adds_comes_before_what_agentd_decides() {
    for (cli, added) in [
        ("claude", vec!["--effort", "high"]),
        ("gemini", vec!["--debug"]),
        ("codex", vec!["-c", "model_reasoning_effort=high"]),
        ("copilot", vec!["--log-level", "all"]),
    ] {
        let words: Vec<String> = added.iter().map(|word| (*word).to_owned()).collect();
        let asked = ask(cli).set(|settings| {
            settings.args.clone_from(&words);
            settings.command = vec!["nice".to_owned(), format!("/opt/{cli}")];
        });
        let command = asked.command();
        assert_eq!(command[..2], ["nice".to_owned(), format!("/opt/{cli}")]);
        let at = command.windows(words.len()).position(|window| window == words).expect(cli);
        let permission = ["--permission-mode", "--approval-mode", "-s", "--allow-tool=write"];
        let decides = command.iter().rposition(|word| permission.contains(&word.as_str()));
        assert!(decides > Some(at), "{cli}: {command:?}");
    }
}

#[test]
fn what_a_project_brings_stays_out_where_nobody_has_allowed_commands() {
    for (cli, word) in [("claude", "--setting-sources"), ("codex", "trust_level=\"untrusted\"")] {
        let command = |is_default: bool| {
            let asked = ask(cli).to(Permissions::Shell);
            asked.set(|settings| settings.runs_commands = is_default).command().join(" ")
        };
        assert!(command(true).contains(word), "{cli}");
        assert!(!command(false).contains(word), "{cli}");
    }
}
