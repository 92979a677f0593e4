//! A step that is taken once more: what an earlier round has left is no answer to what a person says now.

use std::fs;

use super::scene::{ID, Scene};

/// Says more about what is wanted, with an agent of its own for one role.
fn guided(scene: &Scene, role: &str, agent: &str, until: &str) -> crate::ran::Ran {
    let agent = format!("{role}={agent}");
    let words = ["run", ID, "Use PostgreSQL", "--agent", "offline", "--agent", &agent];
    scene.home.agentd(&[&words[..], &["--until", until]].concat())
}

/// Has a step taken, and then once more by somebody who does nothing.
fn left_as_it_was(scene: &Scene, step: &str, file: &str) {
    scene.run(&["--until", step]).exits(0);
    let before = scene.read(file);
    scene.hand("idle", "");
    let failed = guided(scene, step, "idle", step).exits(5);
    failed.says(&format!("{file}: ")).says("as it was before");
    assert_eq!(scene.runs(&format!("-{step}-files")).len(), 1, "it was asked once more");
    assert_eq!(scene.read(file), before);
    // Whoever hands over the same once more has thought about it.
    scene.run(&["--until", step]).exits(0);
    assert_eq!(scene.read(file), before);
}

#[test]
fn an_architecture_that_is_left_as_it_was_is_no_answer_to_new_words() {
    left_as_it_was(&Scene::new(), "architect", "02_architecting/architecture.md");
}

#[test]
fn a_plan_that_is_left_as_it_was_is_no_answer_to_new_words() {
    left_as_it_was(&Scene::new(), "planner", "04_planning/plan.md");
}

#[test]
fn an_analysis_that_is_left_as_it_was_is_no_answer_to_new_words() {
    let scene = Scene::new();
    scene.config("[team]\nproduct_manager = true\n");
    left_as_it_was(&scene, "product-manager", "01_product_management/analysis.md");
}

#[test]
fn a_design_that_is_left_as_it_was_is_no_answer_to_new_words() {
    let scene = Scene::new();
    let schedule = scene.change("04_planning/execution_plan.yaml");
    let wants = "s/needs_design: false/needs_design: true/";
    scene.finisher("planner", &format!("sed -i '{wants}' '{}'", schedule.display()));
    scene.config("[roles]\nplanner = \"planner\"\n");
    let roles = ["offline", "planner=planner", "designer=idle"];
    let roles = roles.iter().flat_map(|agent| ["--agent", *agent]);
    let words: Vec<_> = ["run", ID, "Use PostgreSQL"].into_iter().chain(roles).collect();
    scene.run(&["--agent", "planner=planner", "--until", "designer"]).exits(0);
    scene.hand("idle", "");
    let failed = scene.home.agentd(&[&words[..], &["--until", "designer"]].concat()).exits(5);
    failed.says("05_design/design.md: ").says("as it was before");
    scene.run(&["--until", "designer"]).exits(0);
}

#[test]
fn plans_that_are_left_as_they_were_are_no_answer_to_what_a_person_asks_to_change() {
    let scene = Scene::new();
    scene.hand("idle", "");
    // What is not done keeps the plan from being one in which nothing is to be done.
    scene.run(&["--agent", "coder=idle"]).exits(5);
    scene.reject("Say more");
    let failed = scene.run(&["--agent", "planner=idle"]).exits(5);
    failed.says("04_planning/plan.md: ").says("as it was before");
    scene.run(&[]).exits(0).prints("waiting");
    assert!(scene.change("04_planning/plan_4.md").is_file());
}

#[test]
fn a_plan_that_is_changed_by_hand_is_an_answer() {
    let scene = Scene::new();
    scene.run(&["--until", "planner"]).exits(0);
    let plan = scene.change("04_planning/plan_1.md");
    scene.hand("planner", &format!("printf '\\nUse PostgreSQL.\\n' >>'{}'", plan.display()));
    guided(&scene, "planner", "planner", "planner").exits(0);
    assert!(scene.runs("-planner-files").is_empty(), "it was not asked twice");
}

#[test]
fn who_does_nothing_at_first_may_still_do_it_when_asked_once_more() {
    let scene = Scene::new();
    scene.run(&["--until", "architect"]).exits(0);
    let calls = scene.home.path("calls");
    let script = "on 1 read\non 1 answer Nothing.\nfrom 2 read\nfrom 2 play";
    scene.agent("slow", &format!("count {}\n{script}\n", calls.display()));
    guided(&scene, "architect", "slow", "architect").exits(0);
    assert_eq!(fs::read(calls).expect("calls").len(), 2);
}
