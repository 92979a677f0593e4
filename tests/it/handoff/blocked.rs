//! A role that cannot go on without a person hands in why, in place of its work.

use agentd::handoff::{HandoffError, Novelty, Tool, blocked, close, submission, submissions};
use agentd::template::Role;
use serde_json::{Value, json};

use super::scene::{Scene, architecture, review, subplan};

fn question(reason: &str) -> Value {
    json!({ "status": "blocked", "reason": reason })
}

/// Returns what a person is asked in a phase.
fn asked(scene: &Scene, phase: &str) -> Option<String> {
    blocked(scene.folder(), phase).expect("records")
}

#[test]
fn every_tool_that_ends_work_takes_a_question_in_its_place() {
    for role in Role::ALL.iter().copied() {
        for tool in Tool::of(role).iter().copied() {
            let scene = Scene::new();
            let phase = tool.phase(role);
            if matches!(tool, Tool::ResearchDispatchCode | Tool::ResearchDispatchWeb) {
                let faults = scene.faults(role, tool, &question("Which port?"));
                assert!(faults[0].contains("is missing"), "{role} {tool}: {faults:?}");
                assert_eq!(asked(&scene, phase), None);
                continue;
            }
            assert_eq!(asked(&scene, phase), None);
            let receipt = scene.submit(role, tool, &question("Which port?"));
            assert_eq!(receipt.blocked.as_deref(), Some("Which port?"), "{role} {tool}");
            assert_eq!((receipt.novelty, receipt.written), (Novelty::New, Vec::new()));
            assert_eq!(asked(&scene, phase).as_deref(), Some("Which port?"), "{role} {tool}");
            let recorded = submissions(scene.folder(), phase).expect("records");
            assert_eq!(recorded, [receipt.submitted]);
            let again = scene.submit(role, tool, &question("Which port?"));
            assert_eq!(again.novelty, Novelty::Same);
            let schema = tool.schema();
            assert_eq!(schema["properties"]["status"]["enum"], json!(["blocked"]), "{tool}");
            assert!(!schema["required"].as_array().expect("a list").contains(&json!("status")));
        }
    }
}

#[test]
fn a_question_needs_a_reason_and_all_else_is_passed_over() {
    let scene = Scene::new();
    let faults = |value: &Value| scene.faults(Role::Reviewer, Tool::SubmitReview, value);
    for (value, fault) in [
        (json!({ "status": "blocked" }), "`reason`: is missing: Markdown"),
        (question(""), "`reason`: is empty"),
        (question(" \n\t"), "`reason`: is empty"),
        (question("a \u{1b}[31m b"), "`reason`: contains the control character U+001B"),
        (question(&"x".repeat(5000)), "`reason`: has 5000 bytes, and the limit is 4096"),
        (
            json!({ "status": "blocked", "reason": 7 }),
            "`reason`: is a number, and must be Markdown",
        ),
        (
            json!({ "status": "blocked", "reason": null }),
            "`reason`: is nothing, and must be Markdown",
        ),
    ] {
        assert_eq!(faults(&value), [fault]);
    }
    assert_eq!(asked(&scene, "07_review"), None, "nothing was recorded");
    // Without that status it is a submission like any other.
    let mut odd = review("pass");
    odd["status"] = "done".into();
    assert!(faults(&odd)[0].starts_with("`status`: is not a field here"), "{:?}", faults(&odd));
    let mut whole = review("pass");
    whole["status"] = " Blocked".into();
    whole["reason"] = "Which\n  port?\n".into();
    whole["preferences"] = json!([{ "target_role": "coder", "bullet": "- Be brief" }]);
    let receipt = scene.submit(Role::Reviewer, Tool::SubmitReview, &whole);
    assert_eq!((receipt.blocked.as_deref(), receipt.preferences), (Some("Which port?"), None));
    assert!(!scene.path("07_review/review.md").exists());
    let kept = submission(scene.folder(), "07_review", Tool::SubmitReview, None).expect("read");
    assert_eq!(kept, Some(question("Which\n  port?\n")));
}

#[test]
fn a_question_is_of_its_round_and_is_taken_back_by_the_work_itself() {
    let scene = Scene::new();
    let (role, tool, phase) = (Role::Architect, Tool::SubmitArchitecture, "02_architecting");
    scene.submit(role, tool, &question("Which port?"));
    let receipt = scene.submit(role, tool, &architecture());
    assert_eq!((receipt.novelty, receipt.blocked), (Novelty::Replaced, None));
    assert_eq!(asked(&scene, phase), None);
    let receipt = scene.submit(role, tool, &question("Which host?"));
    assert_eq!(receipt.novelty, Novelty::Replaced);
    assert_eq!(asked(&scene, phase).as_deref(), Some("Which host?"));
    close(scene.folder(), phase).expect("closed");
    let refused = scene.try_submit(role, tool, &question("Which user?"));
    assert!(matches!(refused, Err(HandoffError::Closed { .. })), "{refused:?}");
    scene.begin_again(phase);
    assert_eq!(asked(&scene, phase), None, "the next round begins without it");
}

#[test]
fn one_question_blocks_beside_any_work_and_several_are_one() {
    let scene = Scene::new();
    scene.submit(Role::Planner, Tool::SubmitSubplan, &subplan(1));
    let mut second = question("Which port?");
    second["index"] = 2.into();
    scene.submit(Role::Planner, Tool::SubmitSubplan, &second);
    assert_eq!(asked(&scene, "04_planning").as_deref(), Some("Which port?"));
    let desk = scene.desk(Role::Planner);
    desk.submit(Tool::SubmitPlan, &question("Which host?"), 2000).expect("taken");
    assert_eq!(asked(&scene, "04_planning").as_deref(), Some("Which port? Which host?"));
    scene.submit(Role::Planner, Tool::SubmitExecutionPlan, &question("Which host?"));
    let all = asked(&scene, "04_planning").expect("a question");
    assert_eq!(all.matches("Which host?").count(), 1, "{all}");
    let long = "word ".repeat(700);
    scene.submit(Role::Planner, Tool::SubmitPlan, &question(&long));
    assert!(asked(&scene, "04_planning").expect("a question").chars().count() <= 2_000);
}

#[test]
fn plans_and_topics_ask_apart_from_each_other() {
    let scene = Scene::new();
    for (value, name) in [
        (json!({ "status": "blocked", "reason": "a", "plan": 3 }), "submit_done-3"),
        (json!({ "status": "blocked", "reason": "b", "plan": 0 }), "submit_done"),
        (json!({ "status": "blocked", "reason": "c", "plan": "../x" }), "submit_done"),
    ] {
        scene.submit(Role::Coder, Tool::SubmitDone, &value);
        assert!(scene.path(&format!("06_implementation/submissions/{name}.json")).is_file());
    }
    let mut desk = scene.desk(Role::Coder);
    desk.plan = agentd::models::plan::PlanIndex::new(5);
    let receipt = desk.submit(Tool::SubmitDone, &question("Which port?"), 1).expect("taken");
    assert_eq!(receipt.submitted.key.as_deref(), Some("5"));
    for (topic, key) in [("auth", Some("auth")), ("../../x", None)] {
        let value = json!({ "status": "blocked", "reason": "x", "topic": topic });
        let receipt = scene.submit(Role::CodeResearcher, Tool::SubmitResearchDone, &value);
        assert_eq!(receipt.submitted.key.as_deref(), key, "{topic}");
    }
}

#[test]
fn a_file_may_ask_too_and_is_gone_once_it_has() {
    for (role, path, phase) in [
        (Role::ProductManager, "01_product_management/pm_done.yaml", "01_product_management"),
        (Role::Architect, "02_architecting/architecture.yaml", "02_architecting"),
        (Role::Planner, "04_planning/plan_2.yaml", "04_planning"),
        (Role::Planner, "04_planning/plan.yaml", "04_planning"),
        (Role::Reviewer, "07_review/review.yaml", "07_review"),
    ] {
        let scene = Scene::new();
        scene.write(path, "status: blocked\nreason: |\n  Which\n  port?\n");
        let taken = scene.fallback(role);
        let receipt = taken[0].outcome.as_ref().unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(receipt.blocked.as_deref(), Some("Which port?"), "{path}");
        assert_eq!(asked(&scene, phase).as_deref(), Some("Which port?"), "{path}");
        assert!(!scene.path(path).exists(), "{path}");
        assert!(scene.fallback(role).is_empty(), "{path}");
        scene.begin_again(phase);
        assert_eq!(asked(&scene, phase), None, "{path}");
    }
    let scene = Scene::new();
    scene.write("07_review/review.yaml", "status: blocked\nreason: ''\n");
    let taken = scene.fallback(Role::Reviewer);
    let error = taken[0].outcome.as_ref().expect_err("no reason");
    assert_eq!(error.to_string(), "- 2:1: `reason`: is empty");
    assert!(scene.path("07_review/review.yaml").is_file(), "it can be put right");
    scene.write("07_review/review.yaml", &serde_saphyr::to_string(&review("fail")).expect("YAML"));
    assert!(scene.fallback(Role::Reviewer)[0].outcome.is_ok());
    assert!(scene.path("07_review/review.yaml").is_file(), "work stays where it is");
}
