//! What agents write where it does not belong: none of it has any effect.

use std::fs;

use super::scene::{ID, Scene};

#[test]
fn code_that_a_planner_writes_is_in_its_copy_alone() {
    let scene = Scene::new();
    scene.agent("eager", "read\nwrite src/login.rs fn login() {}\nwrite README.md Changed.\nplay");
    let before = scene.checkout();
    scene.run(&["--agent", "plan=eager", "--until", "challenge"]).exits(0);
    assert_eq!(scene.checkout(), before);
    scene.run(&[]).exits(0);
    let diff = scene.agentd(&["diff", ID]).exits(0).stdout;
    assert!(!diff.contains("fn login()") && !diff.contains("Changed."), "{diff}");
}

#[test]
fn whoever_judges_changes_neither_code_nor_documents() {
    let scene = Scene::new();
    scene.agent("meddler", "read\nwrite src/fix.rs fixed\nwrite CHANGE/tasks.md none\nplay");
    scene.run(&["--agent", "challenge=meddler", "--until", "challenge"]).exits(0);
    assert!(scene.read("tasks.md").contains("1.1 Write the command"));
    scene.run(&["--agent", "review=meddler"]).exits(0);
    let diff = scene.agentd(&["diff", ID]).exits(0).stdout;
    assert!(!diff.contains("fixed"), "{diff}");
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
fn what_an_implementer_writes_into_the_plan_stays_in_its_outbox() {
    let scene = Scene::new();
    scene.agent(
        "forger",
        "read\nwrite CHANGE/proposal.md Nothing to do.\nwrite CHANGE/notes.md mine\nplay",
    );
    scene.run(&["--until", "challenge"]).exits(0);
    let proposal = scene.read("proposal.md");
    scene.run(&["--agent", "implement=forger", "--until", "implement"]).exits(0);
    assert_eq!(scene.read("proposal.md"), proposal);
    assert!(!scene.change("notes.md").exists());
    fs::metadata(scene.change("IMPLEMENTATION.md")).expect("its own file is taken");
}

#[test]
fn what_an_agent_puts_beside_its_documents_is_no_journal() {
    let scene = Scene::new();
    scene.agent("forger", "read\nwrite CHANGE/journal.jsonl {}\nwrite CHANGE/state.json {}\nplay");
    scene.run(&["--agent", "plan=forger", "--until", "plan"]).exits(0);
    assert_eq!(scene.stage(), "challenge");
    assert!(scene.read("journal.jsonl").starts_with("{\"version\":2"));
    assert!(!scene.change("").join("journal.jsonl").exists(), "it is not taken");
}
