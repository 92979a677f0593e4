//! The baseline: setup and checks run on the code as it is before the first call, and what is red then is decided by a person.

use std::fs;

use serde_json::{Value, json};

use super::scene::{ID, Scene};
use crate::project::AGENTD;
use crate::support::install;

/// A check that fails in the scene's repository and counts its runs.
const LICENSE: &str = "echo run >>RUNS; echo no licence; test -f LICENSE";

/// Makes a scene with checks; `RUNS` in them is a file outside of every workspace.
pub(super) fn scene(checks: &[&str], more: &str) -> Scene {
    let scene = Scene::new();
    scene.config(&format!("[verify]\ncommands = {:?}\n{more}", commands(&scene, checks)));
    scene
}

fn commands(scene: &Scene, checks: &[&str]) -> Vec<String> {
    let runs = scene.home.path("runs").display().to_string();
    checks.iter().map(|check| check.replace("RUNS", &runs)).collect()
}

/// Counts the runs of a check.
fn runs(scene: &Scene) -> usize {
    fs::read_to_string(scene.home.path("runs")).map_or(0, |text| text.lines().count())
}

pub(super) fn journal(scene: &Scene) -> String {
    fs::read_to_string(scene.change("journal.jsonl")).expect("a journal")
}

fn commit(scene: &Scene, path: &str, text: &str) {
    scene.home.write(path, text);
    scene.home.git(&["add", path]);
    scene.home.git(&["commit", "--quiet", "--message", "More"]);
}

/// Adds an agent that does what the offline agent does, after a command.
pub(super) fn busy(scene: &Scene, name: &str, command: &str) {
    let path = scene.home.path(name);
    install(
        &path,
        format!("#!/bin/sh\n{command}\nexec {AGENTD} offline-agent --speak claude\n"),
        0o755,
    );
    let path = path.display().to_string();
    scene.config(&format!("[agents.{name}]\ncli = \"claude\"\ncommand = [{path:?}]\n"));
}

pub(super) fn prompts(scene: &Scene, step: &str) -> Vec<String> {
    let names = scene.runs().into_iter().filter(|run| run.ends_with(&format!("-{step}")));
    names.map(|run| scene.prompt(&run)).collect()
}

pub(super) fn status(scene: &Scene) -> Value {
    scene.agentd(&["status", ID, "--json"]).exits(0).json()
}

#[test]
fn checks_that_fail_before_a_change_stop_it_before_the_first_call() {
    let scene = scene(&[LICENSE, "true"], "");
    scene.agent("counted", "count COUNT\nplay");
    let run = || scene.run(&["--agent", "plan=counted", "--until", "plan"]);
    run()
        .exits(4)
        .prints("baseline   setup and checks run on the unchanged code, before the first call")
        .prints("baseline   red before the change")
        .says("checks fail before the change `add-login` starts:\n`echo run")
        .says("test -f LICENSE` failed: exit code 1\n    no licence\n")
        .says("`agentd run add-login --baseline fix` requires the change to make them pass")
        .says("`agentd run add-login --baseline tolerate` allows them to fail")
        .says("or fix them, commit, and `agentd run add-login` checks again");
    assert_eq!((scene.calls("counted"), runs(&scene)), (0, 1));
    let status = status(&scene);
    assert_eq!((&status["stage"], &status["checks"]), (&json!("plan"), &Value::Null));
    assert_eq!(status["baseline"]["choice"], Value::Null);
    assert_eq!(status["baseline"]["red"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        status["next"],
        "agentd run add-login --baseline fix, or agentd run add-login --baseline tolerate"
    );
    // Nothing is repaired: the checks run again, and stop it again.
    run().exits(4);
    assert_eq!((scene.calls("counted"), runs(&scene)), (0, 2));
    commit(&scene, "LICENSE", "MIT\n");
    run().exits(0).prints("baseline   green").prints("plan       PASS");
    assert_eq!((scene.calls("counted"), runs(&scene)), (1, 3));
    assert!(!scene.prompt(&scene.runs()[scene.runs().len() - 1]).contains("failed before"));
}

#[test]
fn a_baseline_runs_once_for_a_change_and_the_change_begins_from_its_commit() {
    let scene = scene(&["echo run >>RUNS"], "");
    let before = scene.home.git(&["rev-parse", "HEAD"]);
    scene.run(&["--until", "plan"]).exits(0);
    assert_eq!(runs(&scene), 1);
    // What the user commits later is no part of what was checked.
    commit(&scene, "later.txt", "later\n");
    scene.run(&["--until", "challenge"]).exits(0);
    assert_eq!(runs(&scene), 1);
    scene.run(&[]).exits(0).prints("archived");
    assert_eq!(journal(&scene).matches("\"event\":\"baseline\"").count(), 1);
    let base = scene.home.git(&["merge-base", "HEAD", "agentd/add-login"]);
    assert_eq!(base, before);
}

#[test]
fn nothing_runs_before_the_first_call_where_nothing_is_configured() {
    let scene = Scene::new();
    let ran = scene.run(&["--json", "--until", "implement"]).exits(0);
    assert!(!ran.stdout.contains("baseline"), "{}", ran.stdout);
    // It is known from which commit the change begins, and nothing more.
    let journal = journal(&scene);
    let baseline = journal.lines().find(|line| line.contains("\"baseline\"")).expect("a commit");
    assert!(baseline.contains("\"checks\":[]"), "{baseline}");
}

#[test]
fn setup_that_fails_stops_before_the_first_call_with_its_last_lines() {
    let scene = Scene::new();
    scene.agent("counted", "count COUNT\nplay");
    scene.config("[workspace]\nsetup = [\"echo one; echo the registry is down >&2; exit 7\"]\n");
    for _ in 0..2 {
        scene
            .run(&["--agent", "plan=counted"])
            .exits(4)
            .says("exit 7`, which sets up the workspace, failed: exit code 7\n    one\n    the registry is down\n");
    }
    assert_eq!(scene.calls("counted"), 0);
    assert!(!journal(&scene).contains("\"event\":\"baseline\""));
}

#[test]
fn what_a_check_printed_is_shown_without_secrets_and_commands_no_terminal() {
    let scene = Scene::new();
    let Scene { home } = scene;
    let scene = Scene { home: home.variable("MY_API_KEY", "hunter2-hunter2") };
    scene.config("[verify]\ncommands = [\"echo key $MY_API_KEY; printf '\\\\033[2J'; exit 1\"]\n");
    let ran = scene.run(&[]).exits(4);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!all.contains("hunter2-hunter2") && !all.contains('\u{1b}'), "{all}");
    assert!(!scene.read("CHECKS.md").contains("hunter2-hunter2"));
}

#[test]
fn a_change_that_must_fix_the_checks_is_archived_only_when_they_pass() {
    let scene = scene(&[LICENSE], "[limits]\nimplement_rounds = 1\n");
    scene.run(&[]).exits(4);
    // What is known of the same commit is not found out again.
    scene
        .run(&["--baseline", "fix", "--until", "plan"])
        .exits(0)
        .prints("baseline   fix: this change must make the checks pass");
    assert_eq!(runs(&scene), 1);
    scene.run(&[]).exits(8).prints("checks     red").says("the project's checks are red");
    let told = "These checks failed before this change started:";
    for step in ["plan", "implement", "review"] {
        let prompt = &prompts(&scene, step)[0];
        assert!(
            prompt.contains(told) && prompt.contains("This change must make them pass"),
            "{step}"
        );
    }
    assert!(prompts(&scene, "implement")[0].contains("no licence"), "what they printed");
    assert!(scene.read("CHECKS.md").contains("\nResult: red.\n\nThese checks failed before"));
    busy(&scene, "writer", "echo MIT >LICENSE");
    scene.agentd(&["reject", ID, "Write a licence"]).exits(0);
    scene.run(&["--agent", "implement=writer"]).exits(0).prints("checks     green");
    assert_eq!(status(&scene)["guarantees"]["checked"], true);
}

#[test]
fn a_choice_can_become_milder_and_not_stricter() {
    let scene = scene(&["test -f LICENSE"], "[limits]\nimplement_rounds = 1\n");
    scene.run(&["--baseline", "fix"]).exits(8);
    scene.agentd(&["reject", ID, "Leave it"]).exits(0);
    scene.run(&["--baseline", "tolerate"]).exits(0).prints("waiting");
    scene
        .run(&["--baseline", "fix"])
        .exits(4)
        .says("change `add-login` was started with `--baseline tolerate`");
    scene.run(&["--baseline", "later"]).exits(2).says("stop, fix, tolerate");
}

#[test]
fn a_project_may_not_tolerate_red_checks_unasked() {
    let scene = Scene::new();
    scene.home.write("agentd/config.toml", "[verify]\nbaseline = \"tolerate\"\n");
    scene.run(&[]).exits(4).says("is not trusted, and it sets `verify.baseline`");
    scene.home.write("agentd/config.toml", "[verify]\nbaseline = \"fix\"\n");
    scene.run(&["--until", "plan"]).exits(0);
}

#[test]
fn a_run_asks_whoever_sits_at_the_terminal() {
    let run = |scene: &Scene, typed: &str| {
        scene.home.agentd_on_terminal(&["run", ID, "Add login", "--until", "plan"], typed)
    };
    let scene = scene(&[LICENSE], "");
    run(&scene, "\n").exits(4).says("[f]ix this, [t]olerate it, or [S]top?");
    assert!(!journal(&scene).contains("baseline-chosen"));
    run(&scene, "f\n").exits(0).says("no licence").prints("plan       PASS");
    assert!(journal(&scene).contains("\"event\":\"baseline-chosen\",\"choice\":\"fix\""));
    assert_eq!(runs(&scene), 2, "the answer needs no other run");
}

#[test]
fn checks_that_were_configured_later_are_run_before_code_is_written() {
    let scene = scene(&["true"], "");
    scene.run(&["--until", "challenge"]).exits(0);
    let path = scene.home.path("home/.config/agentd/config.toml");
    let text =
        fs::read_to_string(&path).expect("a file").replace("[\"true\"]", "[\"true\", \"false\"]");
    fs::write(&path, text).expect("written");
    scene.run(&[]).exits(4).says("`false` failed: exit code 1");
    assert_eq!(scene.stage(), "implement");
}

#[test]
fn no_checks_are_never_called_green() {
    let scene = Scene::new();
    let ran = scene.run(&["--json"]).exits(0);
    let ends: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let ends: Vec<_> = ends.iter().filter(|line| line["event"] == "checks-finished").collect();
    assert!(!ends.is_empty() && ends.iter().all(|end| end["checks"] == "none configured"));
    let json = status(&scene);
    assert_eq!(json["checks"], "none configured");
    assert_eq!(json["guarantees"]["checked"], "none configured");
    scene.agentd(&["status", ID]).exits(0).prints("checks     none configured (CHECKS.md)");
    let listed = scene.agentd(&["list", "--all", "--json"]).exits(0).json();
    assert_eq!(listed["changes"][0]["checks"], "none configured");
    let report = fs::read_to_string(scene.archived().join("CHECKS.md")).expect("a report");
    assert!(report.contains("nothing was run") && !report.contains("green"), "{report}");
}
