//! What a person is told to do next can be done, and is what helps.

use std::fs;
use std::process::Command;

use super::scene::{ID, Scene};
use crate::home::Home;
use crate::team::scene::wait_until;

#[test]
fn reject_is_named_only_where_it_is_not_refused() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    assert_eq!(scene.stage(), "review");
    scene.agentd(&["reject", ID, "-m", "Use OAuth"]).exits(4);
    let told =
        scene.agentd(&["run", ID, "Use OAuth"]).exits(4).says("agentd run add-login --pause");
    assert!(!told.stderr.contains("agentd reject add-login \""), "{}", told.stderr);
    scene.run(&["--until", "review"]).exits(0);
    let scene = Scene::new();
    scene.agent("strict", "read\nanswer <review>MAJOR_ISSUES</review>");
    scene.config("[limits]\nimplement_rounds = 2\n");
    scene.run(&["--until", "implement"]).exits(0);
    scene.agentd(&["review", ID, "--agent", "strict"]).exits(8);
    scene.agentd(&["run", ID, "Use OAuth"]).exits(4).says("agentd reject add-login \"");
    scene.agentd(&["reject", ID, "-m", "Use OAuth"]).exits(0);
}

#[test]
fn the_end_by_agentd_archive_is_told_as_the_end_by_agentd_run() {
    for more in [&[][..], &["--json"]] {
        let scene = Scene::new();
        scene.run(&["--until", "review"]).exits(0);
        let ended = scene.agentd(&[&["archive", ID], more].concat()).exits(0);
        if more.is_empty() {
            let ended = ended.prints("look       agentd diff add-login\n");
            let ended = ended.prints("merge      agentd merge add-login\n");
            assert!(!ended.stdout.contains("next  "), "{}", ended.stdout);
        } else {
            ended.prints("\"reason\":\"archived\"");
        }
    }
}

#[test]
fn a_change_that_its_critic_rejected_in_a_phase_alone_is_not_told_to_go_on() {
    let scene = Scene::new();
    scene.agent("harsh", "read\nanswer <review>REJECTED</review>");
    scene.run(&["--until", "plan"]).exits(0);
    let told = scene.agentd(&["challenge", ID, "--agent", "harsh"]).exits(8);
    told.says("was rejected by challenge").says("agentd show add-login").says("--override");
}

#[test]
fn what_is_left_of_a_rejected_change_can_be_removed_as_it_is_told() {
    let scene = Scene::new();
    scene.agent("harsh", "read\nanswer <review>REJECTED</review>");
    let told = scene.run(&["--agent", "challenge=harsh"]).exits(8);
    told.says("--override").prints("to remove  agentd discard add-login\n");
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
    scene.agentd(&["run", ID]).exits(4).says("there is no change");
}

/// Types a command in a shell.
fn typed(home: &Home, command: &str) {
    let ran = Command::new("sh").args(["-c", command]).current_dir(home.root()).output();
    let ran = ran.expect("a shell");
    assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn a_change_that_is_merged_is_not_to_be_taken_again() {
    let scene = Scene::new();
    scene.run(&[]).exits(0).prints("merge      agentd merge add-login\n");
    scene.agentd(&["merge", ID]).exits(0);
    for _ in 0..2 {
        let told = scene.agentd(&["run", ID]).exits(0);
        told.prints("next       nothing: it is merged\n").hides("take it").hides("agentd diff");
        scene.agentd(&["status", ID]).exits(0).prints("next       nothing: it is merged\n");
        scene.agentd(&["merge", ID]).exits(0).prints("is already merged");
        // Once more without the branch.
        let _ = Command::new("git")
            .args(["branch", "-D", "agentd/add-login"])
            .current_dir(scene.home.root())
            .output();
    }
}

#[test]
fn a_change_whose_branch_is_gone_is_not_said_to_be_merged() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    scene.home.git(&["branch", "-D", "agentd/add-login"]);
    scene.agentd(&["status", ID]).exits(0).prints("next       nothing: its branch is gone\n");
    let told = scene.agentd(&["run", ID]).exits(0);
    told.prints("next       nothing: its branch is gone\n").hides("agentd merge");
    scene.agentd(&["merge", ID]).exits(4).says("its branch is gone");
}

#[test]
fn commands_with_paths_are_told_as_a_shell_reads_them() {
    for name in ["it's", "sp ace"] {
        let home = Home::new();
        let state = home.path(name);
        let home = home.variable("AGENTD_STATE", &state.to_string_lossy()).with_git();
        home.write("README.md", "# Shop\n");
        home.git(&["add", "--all"]);
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
        home.git(&[&who[..], &["commit", "--quiet", "--message", "Begin"]].concat());
        home.agentd(&["run", ID, "Add login", "--agent", "offline", "--until", "implement"])
            .exits(0);
        home.agentd(&["cancel", ID]).exits(0).prints("to remove:  agentd discard add-login\n");
        home.agentd(&["discard", ID, "--yes"]).exits(0);
        let folder = state.join("demo");
        let told = home.agentd(&["demo", &folder.to_string_lossy()]).exits(0);
        let enter = told.stdout.lines().find_map(|line| line.strip_prefix("explore"));
        typed(&home, enter.expect("a command"));
    }
}

#[test]
fn at_a_gate_a_phase_tells_to_approve_or_reject() {
    let scene = Scene::new();
    scene.run(&["--pause", "plan"]).exits(0);
    for phase in ["plan", "challenge", "implement"] {
        let told = scene.agentd(&[phase, ID]).exits(4).says("agentd approve add-login");
        told.says("agentd reject add-login \"").hides("runs what is next");
    }
}

#[test]
fn a_run_under_way_is_seen_by_those_who_look() {
    let scene = Scene::new();
    scene.agent("slow", "count COUNT\nread\nhang");
    let mut child = scene.home.start(&["run", ID, "Add login", "--agent", "plan=slow"]);
    wait_until("the first call", || scene.calls("slow") == 1);
    let process = format!("agentd with process id {}", child.id());
    scene.agentd(&["status", ID]).exits(0).prints("at         plan, running\n").prints(&process);
    scene.agentd(&["list"]).exits(0).prints("plan, running").prints(&process);
    scene.agentd(&[]).exits(0).prints(&process);
    scene.agentd(&["log", ID]).exits(0).prints("001-plan\n  running\n");
    let status = scene.agentd(&["status", ID, "--json"]).json();
    assert_eq!(status["held_by"], format!("agentd with process id {}", child.id()));
    let log = scene.agentd(&["log", ID, "--json"]).json();
    assert_eq!(log["runs"][0]["under_way"], true);
    child.kill().expect("it ends");
    child.wait().expect("it ends");
    wait_until("the end of its guard", || {
        scene.agentd(&["log", ID]).exits(0).stdout.contains("001-plan\n  interrupted\n")
    });
    scene.agentd(&["status", ID]).exits(0).prints("next       agentd run add-login\n");
    assert_eq!(scene.agentd(&["status", ID, "--json"]).json()["held_by"], serde_json::Value::Null);
}

#[test]
fn where_no_checks_are_configured_status_does_not_call_them_green() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    scene.agentd(&["status", ID]).exits(0).prints("checks     none configured (CHECKS.md)\n");
    scene.config("[verify]\ncommands = [\"true\"]\n");
    scene.agentd(&["status", ID]).exits(0).prints("checks     none configured (CHECKS.md)\n");
    scene.run(&["--until", "review"]).exits(0);
    scene.agentd(&["status", ID]).exits(0).prints("checks     green (CHECKS.md)\n");
}

#[test]
fn what_is_wrong_with_a_file_is_told_as_it_is() {
    let scene = Scene::new();
    let home = &scene.home;
    home.write("afile", "");
    let gone = "there is no such file or folder";
    for (words, help) in [
        (&["run", "good", "@nofile"][..], gone),
        (&["-C", "/nonexist", "list"], gone),
        (&["markers", "nofile"], gone),
        (&["prompt", "plan", "x", "--file", "nofile"], gone),
        (&["templates", "render", "--dialect", "system", "nope"], gone),
        (&["-C", "afile", "list"], "a file is in the place of a folder"),
        (&["demo", "afile"], "a file is in the place of a folder"),
        (&["run", "good", "@agentd"], "a folder is in the place of a file"),
    ] {
        home.agentd(words).exits(10).says(help).hides("the disk has space");
    }
    fs::remove_dir_all(home.root().join("agentd")).expect("removed");
    home.write("agentd", "");
    let told = home.agentd(&["run", "good", "Add login"]).exits(10);
    told.says("a file is in the place of a folder").hides("the disk has space");
    fs::remove_file(home.root().join("agentd")).expect("removed");
    fs::create_dir_all(home.root().join("agentd/config.toml")).expect("made");
    let told = home.agentd(&["run", "good", "Add login"]).exits(12);
    told.says("it is not a regular file").hides("the disk has space");
}
