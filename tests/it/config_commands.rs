//! `agentd config`, `agentd completions`, the choice of an agent, and the document that explains them.

use std::fs;

use agentd::config::json_schema;

use crate::config::layers;
use crate::home::Home;
use crate::support::{self, read};

#[test]
fn every_setting_in_force_is_shown_with_its_origin_and_reads_back() {
    let home = Home::new()
        .variable("AGENTD_AGENT_PLAN", "codex")
        .file("agentd/config.toml", "\n[verify]\ncommands = [\"cargo test\"]\n");
    let shown = home.agentd(&["config", "show", "--origin"]).exits(0).stdout;
    let origin = |key: &str| {
        let line = shown.lines().find(|line| line.starts_with(&format!("{key} = "))).expect(key);
        line.rsplit_once("  # ").expect("an origin").1.to_owned()
    };
    assert_eq!(origin("verify.commands"), "agentd/config.toml:3");
    assert_eq!(origin("phases.plan"), "AGENTD_AGENT_PLAN");
    assert_eq!(origin("agents.claude.timeout"), "default");
    let plain = home.agentd(&["config", "show"]).exits(0).stdout;
    for text in [&shown, &plain] {
        let config = layers().project(text).config();
        assert_eq!(config.verify.commands.len(), 1);
        assert_eq!(config.phases[&agentd::Phase::Plan], "codex");
    }
    let json = home.agentd(&["config", "show", "--json"]).exits(0).json();
    assert_eq!(json["version"], 1);
    let settings = json["settings"].as_array().expect("settings");
    let find = |key: &str| settings.iter().find(|setting| setting["key"] == key).expect("listed");
    assert_eq!(find("verify.commands")["value"], serde_json::json!(["cargo test"]));
    assert_eq!(find("verify.commands")["layer"], "project");
    assert_eq!(find("limits.plan_rounds")["value"], 3);
    assert_eq!(find("phases.plan")["layer"], "environment");
}

#[test]
fn secrets_are_not_shown() {
    let home = Home::new().variable("SHOP_TOKEN", "correct-horse").file(
        "agentd/config.toml",
        "[agents.claude]\nargs = [\"x=ghp_0123456789abcdefghijABCDEFGHIJ012345\", \"correct-horse\"]\n\
         [agents.claude.env]\nDB_PASSWORD = \"pw\"\nPLAIN = \"shown\"\n",
    );
    for arguments in [&["config", "show"][..], &["config", "show", "--json"]] {
        let shown = home.agentd(arguments).exits(0).stdout;
        for secret in ["ghp_", "correct-horse", "\"pw\""] {
            assert!(!shown.contains(secret), "{secret}\n{shown}");
        }
        assert!(shown.contains("x=***") && shown.contains("\"shown\""), "{shown}");
    }
}

#[test]
fn a_configuration_that_is_not_right_is_told_instead() {
    let home = Home::new().file("agentd/config.toml", "[verify]\ncomands = []\n");
    let ran = home.agentd(&["config", "show"]).exits(4);
    ran.says("unknown key `comands` in `verify`").says("did you mean `commands`?");
}

#[test]
fn the_schema_is_printed() {
    let json = Home::new().agentd(&["config", "schema"]).exits(0).json();
    assert_eq!(json, json_schema());
    assert_eq!(json["properties"]["limits"]["properties"]["plan_rounds"]["minimum"], 1);
    assert_eq!(json["properties"]["verify"]["properties"]["commands"]["type"], "array");
}

#[test]
fn every_shell_can_complete_the_commands_that_people_type() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = Home::new().agentd(&["completions", shell]).exits(0).stdout;
        for word in ["completions", "trust", "revoke", "templates", "schema", "dry-run"] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
        assert!(!script.contains("__guard"), "{shell} offers what nobody types");
    }
    Home::new().agentd(&["completions", "tcsh"]).exits(2).says("bash");
}

#[test]
fn bash_takes_its_completions() {
    let home = Home::new();
    let script = home.agentd(&["completions", "bash"]).exits(0).stdout;
    home.write("script", &script);
    let ask = ". ./script; COMP_WORDS=(agentd tr); COMP_CWORD=1; _agentd agentd tr agentd; echo \"${COMPREPLY[@]}\"";
    let output =
        std::process::Command::new("bash").args(["-c", ask]).current_dir(home.root()).output();
    let output = output.expect("bash runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "trust\n", "{output:?}");
}

#[test]
fn every_new_command_teaches_with_examples() {
    for arguments in
        [&["init"][..], &["trust"], &["config", "show"], &["config", "schema"], &["completions"]]
    {
        let help: Vec<_> = arguments.iter().copied().chain(["--help"]).collect();
        let ran = Home::new().agentd(&help).exits(0);
        ran.prints("Examples:\n").prints(&format!("  agentd {}", arguments.join(" ")));
    }
}

/// Installs a program that does nothing.
fn install(home: &Home, name: &str) {
    support::install(&home.path("bin").join(name), "#!/bin/sh\nexit 1\n", 0o755);
}

#[test]
fn an_agent_that_is_installed_does_what_the_default_would_and_it_is_said() {
    let home = Home::new();
    let ran = home.agentd(&["call", "plan", "x", "Do it"]).exits(5);
    ran.says("no agent is installed")
        .says("npm install -g @anthropic-ai/claude-code")
        .says("`--agent offline`");
    home.write("agentd/changes/x/request.md", "Do it");
    let dry = home.agentd(&["call", "plan", "x", "Do it", "--dry-run"]).exits(0);
    dry.prints("<instructions>Do it</instructions>");
    fs::write(home.path("bin/claude"), "").expect("written");
    home.agentd(&["call", "plan", "x", "Do it"]).exits(5).says("no agent is installed");
    install(&home, "codex");
    let ran = home.agentd(&["-v", "call", "plan", "x", "Do it"]).exits(5);
    ran.says("`codex` does plan (`claude` is not installed)");
    let named = home.agentd(&["-v", "call", "plan", "x", "Do it", "--agent", "gemini"]).exits(5);
    named.says("`gemini` does plan (from --agent)");
}

#[test]
fn every_example_of_the_document_is_right_and_every_section_has_one() {
    let document = read("docs/configuration.md");
    let blocks: Vec<_> =
        document.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    for block in &blocks {
        layers().project(block).config();
    }
    for section in json_schema()["properties"].as_object().expect("sections").keys() {
        let shown = |block: &&&str| {
            block.lines().any(|line| {
                line.strip_prefix(&format!("[{section}"))
                    .is_some_and(|rest| rest.starts_with([']', '.']))
            })
        };
        assert!(blocks.iter().any(|block| shown(&block)), "[{section}] has no example");
    }
    for key in layers().config().listing() {
        let name = key.key.rsplit('.').next().expect("a name");
        assert!(document.contains(name), "{} is not explained", key.key);
    }
    assert!(blocks.len() >= 7);
}
