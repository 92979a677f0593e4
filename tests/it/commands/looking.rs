//! The commands that only look: `list`, `status`, `log`, `show`, `diff`, `usage`.

use std::fs;

use super::scene::{ID, Scene, tree};

#[test]
fn looking_at_a_change_shows_where_it_is_and_writes_nothing() {
    let scene = Scene::new();
    scene.agentd(&["list"]).exits(0).prints("there is no change yet");
    scene.run(&["--until", "review"]).exits(0);
    let before = tree(&scene.home.path(""));
    scene.agentd(&["list"]).exits(0).prints("add-login  archive  agentd run add-login\n");
    scene.agentd(&["status"]).exits(0).prints("add-login  archive  agentd run add-login\n");
    scene
        .agentd(&["status", ID])
        .exits(0)
        .prints("at         archive\n")
        .prints("implement  every task COMPLETED (round 2, 007-implement)\n")
        .prints("review     PASS (round 2, 008-review)\n")
        .prints("checks     none configured (CHECKS.md)\n")
        .prints("next       agentd run add-login\n");
    scene
        .agentd(&["log", ID])
        .exits(0)
        .prints(" UTC\n  agent offline: PASS\n  prompt ")
        .prints("template BASE-plan.md ");
    scene
        .agentd(&["show", ID])
        .exits(0)
        .prints("==> request.md <==\nAdd login\n")
        .prints("==> specs/")
        .prints("==> REVIEW.md <==\n");
    scene.agentd(&["diff", ID]).exits(0).prints("+++ b/");
    scene.agentd(&["diff", ID, "--stat"]).exits(0).prints("2 files changed");
    scene.agentd(&["usage"]).exits(0).prints("all           8 calls");
    assert_eq!(tree(&scene.home.path("")), before);
}

#[test]
fn prompts_and_answers_are_shown_byte_for_byte_also_from_the_archive() {
    let scene = Scene::new();
    scene.agent("loud", "read\nanswer \u{1b}[31mred\u{202e}\\n<review>NEEDS_REVISION</review>");
    scene.run(&["--until", "plan"]).exits(0);
    scene.agentd(&["challenge", ID, "--agent", "loud"]).exits(8);
    let response = scene.read("runs/002-challenge/response.txt");
    assert!(response.contains('\u{1b}'), "{response:?}");
    assert_eq!(scene.agentd(&["show", ID, "--response", "2"]).exits(0).stdout, response);
    // What is meant for people is made visible.
    let shown = scene.agentd(&["show", ID]).exits(0).prints("\\u{1b}[31mred\\u{202e}");
    assert!(!shown.stdout.contains('\u{1b}'));
    scene.run(&[]).exits(0);
    let prompt = fs::read_to_string(scene.change("runs/001-plan/prompt.xml")).expect("a prompt");
    assert_eq!(scene.agentd(&["show", ID, "--prompt", "1"]).exits(0).stdout, prompt);
    scene.agentd(&["show", ID, "--prompt", "99"]).exits(4).says("has no run 99");
    scene.agentd(&["show", ID, "--prompt", "1", "--response", "1"]).exits(2);
    scene.agentd(&["list"]).exits(0).prints("no change is open; `agentd list --all` also shows 1");
    scene
        .agentd(&["list", "--all"])
        .exits(0)
        .prints("add-login  archived  agentd merge add-login\n");
    scene.agentd(&["log", ID]).exits(0).prints("001-plan  20");
    scene.agentd(&["status", ID]).exits(0).prints("at         archived\n");
}

#[test]
fn a_run_without_an_answer_and_a_change_without_code_say_so() {
    let scene = Scene::new();
    scene.agent("broken", "read\nerror 400");
    scene
        .run(&["--agent", "broken"])
        .exits(5)
        .prints("stopped    at plan: `agentd run add-login` continues");
    scene.agentd(&["show", ID, "--response", "1"]).exits(4).says("run 1 has no answer");
    scene.agentd(&["diff", ID]).exits(4).says("no code was written for `add-login` yet");
    scene.agentd(&["log", ID]).exits(0).prints("agent broken: failed: ");
    scene
        .agentd(&["status", ID])
        .exits(0)
        .prints("failed     ")
        .prints("at         plan, failed\n");
    scene.agentd(&["list"]).exits(0).prints("plan, failed");
}

#[test]
fn one_unreadable_change_does_not_hide_the_others() {
    let scene = Scene::new();
    scene.run(&["--until", "plan"]).exits(0);
    scene.home.write(".git/agentd/changes/broken/journal.jsonl", "no journal\nat all\n");
    scene.agentd(&["list"]).exits(0).prints("add-login  ").prints("unreadable: ");
    scene.agentd(&["status", "broken"]).exits(4).says("broken");
    scene.agentd(&[]).exits(0).prints("add-login  ");
}

#[test]
fn the_help_of_every_command_of_the_workflow_teaches_by_example() {
    let scene = Scene::new();
    for command in [
        "run",
        "plan",
        "challenge",
        "implement",
        "review",
        "archive",
        "approve",
        "reject",
        "cancel",
        "list",
        "status",
        "log",
        "show",
        "diff",
        "merge",
        "usage",
        "demo",
    ] {
        scene
            .agentd(&[command, "--help"])
            .exits(0)
            .prints("Examples:\n")
            .prints(&format!("agentd {command}"));
    }
}

#[test]
fn attributes_that_an_agent_writes_hide_nothing_of_a_diff_and_are_named() {
    let scene = Scene::new();
    scene.agent(
        "sly",
        "read\nwrite .gitattributes * binary -diff\\n\nwrite src/evil.rs fn evil() {}\\n\nplay",
    );
    scene.run(&["--agent", "implement=sly", "--until", "implement"]).exits(0);
    let ran = scene.agentd(&["diff", ID]).exits(0).prints("+fn evil() {}\n");
    ran.prints("+* binary -diff\n").says("`.gitattributes` is changed");
    let stat = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(!stat.contains("Bin"), "{stat}");
}
