//! A phase that writes where it must not.

use std::fs;

use super::scene::{ID, Scene};

#[test]
fn a_plan_that_writes_code_is_an_error_that_names_the_files_and_keeps_them() {
    let scene = Scene::new();
    scene.agent("eager", "read\nwrite src/login.rs fn login() {}\nwrite README.md Changed.\nplay");
    let before = scene.checkout();
    scene
        .run(&["--agent", "plan=eager"])
        .exits(5)
        .says("plan by agent `eager` wrote where it must not")
        .says("src/login.rs")
        .says("README.md")
        .says("elsewhere.patch");
    assert_eq!(scene.checkout(), before);
    let patch = scene.read("runs/001-plan/elsewhere.patch");
    assert!(patch.contains("+fn login() {}") && patch.contains("+Changed."), "{patch}");
    scene.run(&[]).exits(0);
    let diff = scene.agentd(&["diff", ID]).exits(0).stdout;
    assert!(!diff.contains("fn login()"), "{diff}");
}

#[test]
fn whoever_judges_writes_nothing_in_the_worktree_and_nothing_in_the_change() {
    let scene = Scene::new();
    scene.agent("meddler", "read\nwrite src/fix.rs fixed\nplay");
    scene.agent("forger", "read\nwrite CHANGE/tasks.md none\nplay");
    scene.run(&["--until", "plan"]).exits(0);
    let tasks = scene.read("tasks.md");
    scene
        .run(&["--agent", "challenge=meddler"])
        .exits(5)
        .says("challenge by agent")
        .says("src/fix.rs");
    scene
        .run(&["--agent", "challenge=forger"])
        .exits(5)
        .says("challenge by agent")
        .says("tasks.md")
        .says("elsewhere");
    assert_eq!(scene.read("tasks.md"), tasks);
    assert_eq!(scene.read("runs/003-challenge/elsewhere/tasks.md"), "none");
    scene.run(&["--until", "implement"]).exits(0);
    scene
        .agentd(&["review", ID, "--agent", "meddler"])
        .exits(5)
        .says("review by agent")
        .says("src/fix.rs");
    scene
        .agentd(&["review", ID, "--agent", "forger"])
        .exits(5)
        .says("review by agent")
        .says("tasks.md");
    scene.run(&[]).exits(0);
}

#[test]
fn a_reviewer_who_may_run_commands_may_leave_files_which_are_thrown_away() {
    let scene = Scene::new();
    scene.agent_with(
        "runner",
        "read\nwrite target/out.txt built\nwrite README.md Changed.\nplay",
        "permissions = \"shell\"\n",
    );
    scene.run(&["--agent", "review=runner"]).exits(0);
    let diff = scene.agentd(&["diff", ID]).exits(0).stdout;
    assert!(!diff.contains("built") && !diff.contains("Changed."), "{diff}");
}

#[test]
fn what_an_implementer_writes_into_the_plan_is_put_back_and_said() {
    let scene = Scene::new();
    scene.agent(
        "forger",
        "read\nwrite CHANGE/proposal.md Nothing to do.\nwrite CHANGE/notes.md mine\nplay",
    );
    scene.run(&["--until", "challenge"]).exits(0);
    let proposal = scene.read("proposal.md");
    scene
        .run(&["--agent", "implement=forger", "--until", "implement"])
        .exits(0)
        .prints("restored   not the agent's to write: notes.md, proposal.md\n");
    assert_eq!(scene.read("proposal.md"), proposal);
    assert!(!scene.change("notes.md").exists());
    let run = scene.runs().into_iter().rfind(|run| run.ends_with("-implement")).expect("a run");
    assert_eq!(scene.read(&format!("runs/{run}/elsewhere/proposal.md")), "Nothing to do.");
    fs::metadata(scene.change("IMPLEMENTATION.md")).expect("its own file stays");
}

#[test]
fn nobody_forges_the_journal() {
    let scene = Scene::new();
    scene.agent("forger", "read\nwrite CHANGE/journal.jsonl {}\nwrite CHANGE/state.json {}\nplay");
    scene.run(&["--agent", "plan=forger", "--until", "plan"]).exits(0).says("changed the journal");
    assert_eq!(scene.stage(), "challenge");
    assert!(scene.read("journal.jsonl").starts_with("{\"version\":2"));
}
