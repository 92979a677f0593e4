//! Each agent of a team is told of the server with which its role hands in work, and of no file of the user's is anything
//! changed for it.

use std::fs;
use std::os::unix::process::CommandExt as _;

use serde_json::{Value, json};

use crate::project::{AGENTD, ran};
use crate::support::{NOBODY, give_away, install};
use crate::workflow::scene::{ID, Scene};

const SETTINGS: &str = "{\n  // Mine.\n  \"ui\": { \"theme\": \"dark\" }\n}\n";

/// Sets up an agent `gem` that is called like Gemini CLI, takes down what it sees, and does what the offline agent does.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("home/.gemini/settings.json", SETTINGS);
    scene.write("home/.gemini/oauth_creds.json", "secret");
    let seen = scene.path("notes/seen");
    let seen = seen.display();
    let script = format!(
        "#!/bin/sh\nmkdir -p {seen} && cd \"$GEMINI_CLI_HOME/.gemini\" && cp -P * {seen}/ && cd \"$OLDPWD\" \
         && exec {AGENTD} offline-agent --speak gemini\n"
    );
    install(&scene.path("gem"), script, 0o755);
    let command = scene.path("gem").display().to_string();
    let agent = format!("\n[agents.gem]\ncli = \"gemini\"\ncommand = [{command:?}]\n");
    scene.write("user.toml", scene.read("user.toml") + &agent);
    scene
}

/// Runs the architect, and as nobody where the tests run as root.
fn architect(scene: &Scene) -> crate::ran::Ran {
    let until = ["--flow", "team", "--until", "architect"];
    let agents = ["--agent", "offline", "--agent", "architect=gem"];
    let mut command =
        scene.agentd(&[&["run", ID, "Add a login page"], &until[..], &agents].concat());
    if rustix::process::geteuid().is_root() {
        give_away(&scene.path(""));
        command.uid(NOBODY).gid(NOBODY);
    }
    ran(&mut command)
}

#[test]
fn an_agent_that_takes_settings_from_files_sees_the_users_with_the_server_of_its_role() {
    let scene = scene();
    architect(&scene).exits(0);
    let settings: Value =
        serde_json::from_str(&scene.read("notes/seen/settings.json")).expect("JSON");
    let server = &settings["mcpServers"]["agentd"];
    let outbox = server["args"][2].as_str().unwrap_or_default();
    assert!(outbox.ends_with(&format!("{ID}.outbox/architect/{ID}")), "{outbox}");
    let args = ["mcp", "--outbox", outbox, "--role", "architect"];
    assert_eq!(*server, json!({ "command": AGENTD, "args": args, "trust": true }));
    assert_eq!(settings["ui"], json!({ "theme": "dark" }));
    let login = fs::read_link(scene.path("notes/seen/oauth_creds.json")).expect("a link");
    assert_eq!(login, scene.path("home/.gemini/oauth_creds.json"));
    assert_eq!(scene.read("home/.gemini/settings.json"), SETTINGS);
    assert_eq!(scene.read("home/.gemini/oauth_creds.json"), "secret");
    let names = fs::read_dir(scene.path("home/.gemini")).expect("a folder").count();
    assert_eq!(names, 2, "nothing was added");
    let run = scene.runs_of("architect").pop().expect("a run");
    assert!(!run.join("own/overlay").exists(), "{}", run.display());
}

#[test]
fn settings_of_the_users_that_cannot_be_read_are_named_and_nothing_is_asked() {
    let scene = scene();
    scene.write("home/.gemini/settings.json", "{ \"ui\": ");
    let refused = architect(&scene).exits(4);
    refused.says("home/.gemini/settings.json` cannot be understood").says("help: correct `");
    assert!(!scene.path("notes/seen").exists());
}
