//! A flow of a project in which a step with a template of its own plans, and another judges: what a role's step can do, these can.

use std::fs;

use super::scene::{ID, Scene};
use crate::support::{of_change, read};

const PLANNER: &str = "# Planner\n\n## Identity & Role\nYou plan.\n\n## Core Principles\nBe exact.\n\n## Context Placeholders\n\
    <project>\n{{PROJECT_CONTEXT}}\n</project>\n\n<files>\n{{SKELETON}}\n</files>\n\n## Workflow Context\n\
    Think in `<thought>`. Ask with <blocked>what you need to know</blocked>.\n";

/// Puts a flow like `team` into the project, in which the planner has a template of its own.
fn own_team(scene: &Scene) {
    let reads =
        "prompt = \"own\"\nreads = { \"02_architecting/architecture.md\" = \"how it is built\" }\n";
    let planner = "[steps.planner]\nabout = \"splits the work into plans\"\nresearch = true\n";
    let flow = read("templates/flows/team.toml");
    assert_eq!(flow.matches(planner).count(), 1);
    let flow = flow.replace(planner, &format!("[steps.planner]\n{reads}"));
    scene.home.write("agentd/flows/own.toml", &flow);
    scene.home.write("agentd/flows/own/BASE-planner.md", PLANNER);
    scene.home.agentd(&["trust", "--yes"]).exits(0);
}

#[test]
fn a_schedule_of_a_template_of_a_flow_is_checked_and_carried_out() {
    let scene = Scene::new();
    own_team(&scene);
    // What the offline planner makes of another change is handed over as it is.
    let words = ["run", "other", "Add a logo", "--flow", "team", "--agent", "offline"];
    scene.home.agentd(&[&words[..], &["--until", "planner"]].concat()).exits(0);
    let made = of_change(&scene.home.root(), "other", "04_planning");
    let made = made.display();
    let copied = format!(
        "for file in {made}/*.md {made}/execution_plan.yaml; do\n\
         sed s/other/{ID}/g \"$file\" > \"$AGENTD_OUTBOX/04_planning/$(basename \"$file\")\"\ndone"
    );
    let remiss = copied.replace(&format!(" {made}/execution_plan.yaml"), "");
    scene.hand("remiss", &remiss);
    scene.hand("planner", &copied);
    let words = ["run", ID, "Add a logo", "--flow", "own", "--agent", "offline", "--agent"];
    let run = |agent| scene.home.agentd(&[&words[..], &[agent]].concat());
    run("planner=remiss").exits(5).says("04_planning/execution_plan.yaml");
    run("planner=planner").exits(0).prints("waiting ");
    let status = scene.home.agentd(&["status", ID]).exits(0);
    status.prints("coders");
    assert!(fs::exists(scene.change("06_implementation/done_1")).expect("looked"), "carried out");
}
