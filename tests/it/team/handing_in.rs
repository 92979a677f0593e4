//! Each agent of a team is told of the server with which its role hands in work, and of no file of the user's is anything
//! changed for it.

use std::fs;
use std::os::unix::fs::lchown;
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::project::{AGENTD, ran};
use crate::support::install;
use crate::workflow::scene::{ID, Scene};

/// Somebody without rights of their own.
const NOBODY: u32 = 65534;

const SETTINGS: &str = "{\n  // Mine.\n  \"ui\": { \"theme\": \"dark\" }\n}\n";

/// Sets up an agent `gem` that is called like Gemini CLI, takes down what it sees, and does what the offline agent does.
fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("home/.gemini/settings.json", SETTINGS);
    scene.write("home/.gemini/oauth_creds.json", "secret");
    let seen = scene.path("seen");
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

fn give_away(path: &Path) {
    lchown(path, Some(NOBODY), Some(NOBODY)).expect("it is given away");
    if path.symlink_metadata().expect("it is there").is_dir() {
        for entry in fs::read_dir(path).expect("a folder").flatten() {
            give_away(&entry.path());
        }
    }
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
    let settings: Value = serde_json::from_str(&scene.read("seen/settings.json")).expect("JSON");
    let repo = scene.path("repo").display().to_string();
    let args = ["mcp", "--project", &repo, "--change", ID, "--role", "architect"];
    let server = json!({ "command": AGENTD, "args": args, "trust": true });
    let expected = json!({ "ui": { "theme": "dark" }, "mcpServers": { "agentd": server } });
    assert_eq!(settings, expected);
    let login = fs::read_link(scene.path("seen/oauth_creds.json")).expect("a link");
    assert_eq!(login, scene.path("home/.gemini/oauth_creds.json"));
    assert_eq!(scene.read("home/.gemini/settings.json"), SETTINGS);
    assert_eq!(scene.read("home/.gemini/oauth_creds.json"), "secret");
    let names = fs::read_dir(scene.path("home/.gemini")).expect("a folder").count();
    assert_eq!(names, 2, "nothing was added");
    let run = scene.runs_of("architect").pop().expect("a run");
    assert!(!run.join("overlay").exists(), "{}", run.display());
}

#[test]
fn settings_of_the_users_that_cannot_be_read_are_named_and_nothing_is_asked() {
    let scene = scene();
    scene.write("home/.gemini/settings.json", "{ \"ui\": ");
    let refused = architect(&scene).exits(4);
    refused.says("home/.gemini/settings.json` cannot be understood").says("help: mend `");
    assert!(!scene.path("seen").exists());
}
