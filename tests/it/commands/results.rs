//! Results that are none, and changes that end at the same time.

use std::process::Child;

use super::scene::{ID, Scene};

/// Reports every task, and changes nothing in the workspace.
const IDLE: &str = "read\nwrite CHANGE/IMPLEMENTATION.md # Implementation: Done\\n\\n## Summary\\n\\nAll of it.\\n\\n## Tasks\\n\\n### 1.1 First\\n\\n- \
    status: COMPLETED\\n\\n### 1.2 Second\\n\\n- status: COMPLETED\\n\\n## Checks\\n\\nNone was run.\\n\nanswer <task_status \
    id=\"1.1\">COMPLETED</task_status>\\n<task_status id=\"1.2\">COMPLETED</task_status>";

#[test]
fn tasks_that_are_all_completed_with_an_empty_diff_are_asked_about_once_and_then_fail() {
    let scene = Scene::new();
    scene.agent("idle", &format!("count COUNT\n{IDLE}"));
    let ran = scene.run(&["--agent", "implement=idle"]).exits(5);
    ran.prints("asked      the code: every task is reported as COMPLETED")
        .says("no file of the project is changed");
    assert_eq!(scene.calls("idle"), 2, "it was asked once more");
    assert_eq!(scene.stage(), "implement");
    scene.run(&[]).exits(0).prints("archived   ");
}

#[test]
fn a_revise_round_that_changes_nothing_is_reported_and_counts_as_failed() {
    let scene = Scene::new();
    scene.config("[limits]\nimplement_rounds = 2\n");
    scene.run(&["--until", "implement"]).exits(0);
    scene.agent("stern", "read\nanswer <review>NEEDS_CHANGES</review>");
    scene.agent("idle", IDLE);
    let ran = scene.run(&["--agent", "review=stern", "--agent", "implement=idle"]).exits(8);
    ran.prints("implement  nothing was changed in this round, so it counts as failed\n")
        .says("`implement` of `add-login` has used all its rounds");
    let reviews = scene.runs().into_iter().filter(|run| run.ends_with("-review")).count();
    assert_eq!(reviews, 1, "what nobody changed is not reviewed again");
}

#[test]
fn changes_that_are_archived_at_the_same_time_all_get_there() {
    let scene = Scene::new();
    let ids = ["one", "two", "three", "four", "five"];
    for id in ids {
        scene.agentd(&["run", id, "Add a script", "--until", "archive"]).exits(0);
    }
    let mut runs: Vec<Child> = ids.iter().map(|id| scene.home.start(&["run", id])).collect();
    for (id, run) in ids.iter().zip(&mut runs) {
        assert!(run.wait().expect("it ends").success(), "{id}");
    }
    let changelog = scene.home.read("agentd/CHANGELOG.md");
    assert!(ids.iter().all(|id| changelog.contains(id)), "{changelog}");
    scene.agentd(&["list"]).exits(0).prints("no change is open");
}

#[test]
fn a_run_that_begins_while_another_ends_says_what_it_found() {
    let scene = Scene::new();
    scene.run(&["--until", "archive"]).exits(0);
    let mut other = scene.home.start(&["run", ID]);
    // Whichever moment it is: the change is held, archived by the other, or finished by this one.
    let mut codes = Vec::new();
    while other.try_wait().expect("its state").is_none() {
        let ran = scene.agentd(&["run", ID]);
        codes.push(ran.code);
        assert!(matches!(ran.code, Some(0 | 9)), "{}{}", ran.stdout, ran.stderr);
    }
    assert!(matches!(other.wait().expect("it ends").code(), Some(0 | 9)), "{codes:?}");
    scene.agentd(&["run", ID]).exits(0);
}
