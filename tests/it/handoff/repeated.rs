//! The same again is the same, something else takes its place, and after the end nothing is taken.

use std::fs;

use agentd::handoff::{HandoffError, Novelty, Tool, close, submissions};
use agentd::template::Role;
use serde_json::Value;

use super::scene::{Scene, architecture, subplan, with};

#[test]
fn the_same_submission_again_changes_nothing_and_says_so() {
    let scene = Scene::new();
    let first = scene.submit(Role::Architect, Tool::SubmitArchitecture, &architecture());
    assert_eq!(first.novelty, Novelty::New);
    let file = scene.path("02_architecting/architecture.md");
    let record = scene.path("02_architecting/submissions/submit_architecture.json");
    let before = (fs::metadata(&file).expect("it is there"), fs::read(&record).expect("a record"));

    // The order of the fields is no difference, nor is an optional one that says nothing.
    let reversed: Value = architecture()
        .as_object()
        .expect("an object")
        .iter()
        .rev()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let again = with(reversed, "preferences", Value::Null);
    let desk = scene.desk(Role::Architect);
    let second = desk.submit(Tool::SubmitArchitecture, &again, 9000).expect("taken");
    assert_eq!(second.novelty, Novelty::Same);
    assert_eq!(second.written, [""; 0]);
    assert_eq!(second.submitted, first.submitted, "the first time counts");
    let modified = fs::metadata(&file).and_then(|metadata| metadata.modified()).expect("a time");
    assert_eq!(modified, before.0.modified().expect("a time"));
    assert_eq!(fs::read(&record).expect("a record"), before.1);
}

#[test]
fn what_is_missing_is_put_back_and_what_others_wrote_since_stays() {
    let scene = Scene::new();
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    scene.write("04_planning/tasks_1.md", "- [x] Test the store\n- [ ] Write the store\n");
    fs::remove_file(scene.path("04_planning/plan_1.md")).expect("removed");
    let receipt = scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    assert_eq!(receipt.novelty, Novelty::Same);
    assert_eq!(receipt.written, ["04_planning/plan_1.md"]);
    assert!(scene.read("04_planning/tasks_1.md").starts_with("- [x]"));
}

#[test]
fn something_else_takes_the_place_of_what_was_handed_in_before() {
    let scene = Scene::new();
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(2));
    let other = with(subplan(1), "title", "Another part");
    let receipt = scene.submit(Role::Planner, Tool::SubmitSubplan, &other);
    assert_eq!(receipt.novelty, Novelty::Replaced);
    assert!(scene.read("04_planning/plan_1.md").starts_with("# Another part\n"));
    assert_eq!(submissions(scene.folder(), "04_planning").expect("read").len(), 2);
    // A record that somebody has spoilt is no reason to refuse.
    scene.write("04_planning/submissions/submit_subplan-1.json", "{");
    let receipt = scene.submit(Role::Planner, Tool::SubmitSubplan, &other);
    assert_eq!(receipt.novelty, Novelty::New);
}

#[test]
fn after_the_end_of_its_phase_nothing_is_taken_until_it_begins_anew() {
    let scene = Scene::new();
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    close(scene.folder(), "04_planning").expect("closed");
    let outcome = scene.try_submit(Role::Planner, Tool::SubmitSubplan, &subplan(2));
    assert!(matches!(outcome, Err(HandoffError::Closed { phase: "04_planning" })), "{outcome:?}");
    assert!(!scene.path("04_planning/plan_2.md").exists());
    scene.begin_again("04_planning");
    assert_eq!(submissions(scene.folder(), "04_planning").expect("read"), []);
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(2));
    assert!(scene.path("04_planning/plan_1.md").exists(), "files stay");
}
