//! What a person is told to do next about a team's change can be done, and is what helps.

use std::fs;
use std::path::PathBuf;

use super::scene::{ID, Scene, wait_until};

#[test]
fn whoever_is_asked_is_told_how_to_approve_and_how_to_reject() {
    let scene = Scene::new();
    scene.run(&["--pause", "architect"]).exits(0);
    let next = "agentd approve add-logo, or agentd reject add-logo \"what to change\"";
    for words in [&["status", ID][..], &["list"], &[]] {
        scene.home.agentd(words).exits(0).prints(next);
    }
    scene.home.agentd(&["approve", ID]).exits(0);
    scene.run(&["--pause", "planner"]).exits(0);
    let next = "agentd approve add-logo, or agentd reject add-logo \"what to change\"";
    for words in [&["status", ID][..], &["list"], &[]] {
        scene.home.agentd(words).exits(0).prints(next);
    }
}

#[test]
fn a_schedule_that_was_spoilt_is_told_with_what_helps() {
    let scene = Scene::new();
    scene.run(&["--until", "planner"]).exits(0);
    let path = scene.change("04_planning/execution_plan.yaml");
    let whole = fs::read(&path).expect("a schedule");
    fs::write(&path, "version: 1\n").expect("written");
    let told = scene.run(&[]).exits(4).says("agentd schedule check add-logo");
    let told = told.says("agentd reject add-logo \"what to change\"");
    told.hides("`planner`").hides("run it again").hides("`agentd run add-logo` continues");
    let shown = scene.run(&["--dry-run"]).exits(4).says("agentd schedule check add-logo");
    assert_eq!(shown.stdout, "");
    fs::write(&path, whole).expect("written");
    scene.run(&["--dry-run"]).exits(0).prints("coder_prompt_1.md");
    scene.run(&["--until", "coders"]).exits(0);

    let scene = Scene::new();
    scene.run(&["--until", "planner"]).exits(0);
    let path = scene.change("04_planning/execution_plan.yaml");
    fs::write(&path, "version: 1\n").expect("written");
    scene.run(&[]).exits(4);
    scene.reject("Greet in Latin");
    scene.run(&["--until", "coders"]).exits(0);
}

#[test]
fn all_that_is_left_of_a_team_is_named_and_removed_as_it_is_told() {
    let scene = Scene::new();
    let calls = scene.home.path("calls");
    let steps =
        format!("echo x >>{0}; echo draft >draft.txt; cat >/dev/null; sleep 600", calls.display());
    scene.hand("slow", &steps);
    for round in 1..=2 {
        let words = Scene::words(&["--agent", "coder=slow"]);
        let mut child = scene.home.start(&words);
        wait_until("the coders", || {
            fs::read_to_string(&calls).unwrap_or_default().lines().count() == 2 * round
        });
        // The draft stands in both workspaces before they are interrupted.
        let plans: Vec<_> = scene
            .home
            .workspaces()
            .into_iter()
            .filter(|it| it.to_string_lossy().contains(".plan-"))
            .collect();
        assert_eq!(plans.len(), 2, "{plans:?}");
        wait_until("the drafts", || plans.iter().all(|it| it.join("draft.txt").exists()));
        let id = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(id, rustix::process::Signal::INT).expect("it is told");
        child.wait().expect("it ends");
    }
    let branches =
        || scene.home.git(&["branch", "--list", "agentd/*", "--format=%(refname:short)"]);
    assert!(branches().contains("agentd/add-logo.plan-1.kept-1"), "{}", branches());
    let copy = scene.change("journal.jsonl");
    let journal = fs::read(&copy).expect("a journal");
    let told = scene.home.agentd(&["cancel", ID, "--json"]).exits(0).json();
    let named: Vec<_> = told["branches"].as_array().expect("a list").iter().collect();
    let there = branches();
    assert_eq!(named, there.lines().collect::<Vec<_>>());
    assert_eq!(told["branch"], "agentd/add-logo");

    fs::write(&copy, journal).expect("written");
    scene.home.agentd(&["cancel", ID]).exits(0).prints("to remove:  agentd discard add-logo\n");
    scene.home.agentd(&["discard", ID, "--yes"]).exits(0);
    assert_eq!(branches(), "");
    assert_eq!(scene.home.workspaces(), Vec::<PathBuf>::new());
}

#[test]
fn no_phase_is_begun_for_a_change_of_a_team() {
    let scene = Scene::new();
    scene.run(&["--until", "architect"]).exits(0);
    let journal = scene.read("journal.jsonl");
    for phase in ["plan", "challenge", "implement", "archive"] {
        let told = scene.home.agentd(&[phase, ID, "--agent", "offline", "--json"]).exits(4);
        assert_eq!(told.stdout, "");
        told.says("which has no step").says("`agentd run add-logo` continues");
    }
    assert_eq!(scene.read("journal.jsonl"), journal);
}

#[test]
fn the_end_of_a_team_names_all_that_can_be_done_until_it_is_merged() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let ended =
        scene.home.agentd(&["approve", ID]).exits(0).prints("merge      agentd merge add-logo\n");
    ended.prints("or not     agentd discard add-logo\n");
    scene.home.agentd(&["merge", ID, "--keep"]).exits(0);
    let told = scene.home.agentd(&["run", ID]).exits(0);
    told.prints("next       nothing: it is merged\n").hides("take it");
    scene.home.git(&["branch", "-D", "agentd/add-logo"]);
    scene.home.agentd(&["merge", ID]).exits(0).prints("is already merged");
    let told = scene.home.agentd(&["run", ID]).exits(0);
    told.prints("next       nothing: it is merged\n").hides("take it");
}

#[test]
fn where_no_checks_are_configured_a_team_s_are_not_called_green() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let told = scene.home.agentd(&["status", ID]).exits(0);
    told.prints("checks     none configured (CHECKS.md)\n");
}
