//! What cannot be done in tmux is said before anything begins.

use std::fs;
use std::os::unix::fs::symlink;

use super::super::scene::Scene;
use crate::home::Home;
use crate::support::{install, program};

#[test]
fn seed_002_without_tmux_it_is_said_what_to_do() {
    let home = Home::new();
    let tools = home.path("tools");
    fs::create_dir_all(&tools).expect("made");
    for tool in ["git", "sh"] {
        symlink(program(tool), tools.join(tool)).expect("linked");
    }
    let scene = Scene::of(home.variable("PATH", &tools.to_string_lossy()));
    let ran = scene.run(&["--tmux"]).exits(4).says("`tmux` is not installed");
    ran.says("help: install tmux 3.0 or later, or leave out `--tmux`");
    assert!(!scene.change("").exists(), "nothing was begun");
}

#[test]
fn a_tmux_that_is_too_old_is_named() {
    let home = Home::new();
    install(&home.path("bin/tmux"), "#!/bin/sh\necho tmux 2.9a\n", 0o755);
    let scene = Scene::of(home);
    let ran =
        scene.run(&["--tmux"]).exits(4).says("`tmux 2.9a` is too old: 3.0 or later is needed");
    ran.says("help: install tmux 3.0 or later");
}

#[test]
fn only_a_team_is_shown_in_tmux() {
    let scene = Scene::new();
    for option in ["--tmux", "--keep-session"] {
        let ran = scene.home.agentd(&["run", "add-login", "Add login", option]).exits(2);
        ran.says(&format!("`{option}` needs a flow with roles, and this change has no roles"))
            .says("start a new change with `--flow team`");
    }
    scene.home.agentd(&["demo", "--tmux"]).exits(2).says("`--tmux` needs a flow with roles");
    scene.run(&["--keep-session"]).exits(2).says("help: add `--tmux`");
    assert!(!scene.change("").exists(), "nothing was begun");
}
