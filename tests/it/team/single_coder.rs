//! One coder for every plan: its markers count for the plans as they are now, and for no attempt but the last.

use super::scene::{ID, Scene};
use crate::project::AGENTD;

/// A scene in which one coder gets every plan.
fn alone() -> Scene {
    let scene = Scene::new();
    scene.config("[team]\nsingle_coder = true\n");
    scene
}

fn tree(scene: &Scene) -> String {
    scene.home.git(&["ls-tree", "-r", "--name-only", &format!("agentd/{ID}")])
}

#[test]
fn a_marker_of_an_attempt_that_failed_does_not_count_once_the_work_is_planned_anew() {
    let scene = alone();
    let done = scene.change("06_implementation/done_");
    let done = done.display();
    let tasks = scene.change("04_planning/tasks_1.md");
    let tick = format!("sed -i 's/\\[ ]/[x]/' '{}'", tasks.display());
    scene.hand("half", &format!("echo one >one.sh; {tick}; touch '{done}1'; exit 1"));
    scene.run(&["--agent", "coder=half"]).exits(5);

    scene.reject("Also a fourth script");
    let others = tasks.display().to_string().replace("tasks_1.md", "tasks_[234].md");
    let tick = format!("sed -i 's/\\[ ]/[x]/' {others}");
    scene.hand("rest", &format!("{tick}; touch '{done}2' '{done}3' '{done}4'"));
    let failed = scene.run(&["--agent", "coder=rest"]).exits(5);
    failed.says("06_implementation/done_1: the completion marker is missing").hides("done_2");
    assert!(scene.read("04_planning/tasks_1.md").starts_with("- [ ] "), "its ticks are gone too");

    scene.run(&[]).exits(0).prints("waiting");
    assert!(tree(&scene).contains(&format!("agentd-demo/{ID}-1.sh")), "{}", tree(&scene));
}

#[test]
fn a_plan_that_is_written_anew_needs_a_marker_of_its_own() {
    let scene = alone();
    scene.run(&[]).exits(0).prints("waiting");
    let before = tree(&scene);
    let plan = scene.change("04_planning/plan_1.md");
    scene.hand("planner", &format!("printf '\\nGreet in Latin.\\n' >>'{}'", plan.display()));
    scene.hand("idle", "");
    scene.reject("Greet in Latin");
    let failed = scene.run(&["--agent", "planner=planner", "--agent", "coder=idle"]).exits(5);
    failed.says("06_implementation/done_1: the completion marker is missing").hides("done_2");
    assert_eq!(tree(&scene), before);
    assert_eq!(scene.runs("-coders-files").len(), 1, "it was asked once more");
}

#[test]
fn a_marker_of_a_call_that_is_repeated_does_not_count() {
    let scene = alone();
    let folder = scene.home.path("");
    let folder = folder.display();
    std::fs::write(scene.home.path("busy"), "error 429\n").expect("written");
    let marker = scene.change("06_implementation/done_1");
    let steps = format!(
        "if [ ! -e {folder}/once ]; then touch {folder}/once '{}'; \
         exec {AGENTD} offline-agent --speak claude --script {folder}/busy; fi",
        marker.display()
    );
    scene.hand("hasty", &steps);
    scene.run(&["--agent", "coder=hasty"]).exits(5).says("06_implementation/done_1");
}
