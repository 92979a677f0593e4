//! Which template serves a phase of a run, and that the log says so where it is not the agent's own.

use super::scene::{ID, Scene};
use crate::project::AGENTD;

/// Lists the fallbacks that the log of a run names.
fn fallbacks(log: &str) -> Vec<&str> {
    let lines = log.lines().filter_map(|line| line.strip_prefix("debug: no template "));
    lines.collect()
}

#[test]
fn seed_000_scenario_a_run_that_falls_back_to_base_logs_a_debug_message() {
    let scene = Scene::new();
    let command = format!("[{AGENTD:?}, \"offline-agent\", \"--speak\", \"gemini\"]");
    scene.config(&format!("[agents.mine]\ncli = \"gemini\"\ncommand = {command}\n"));
    let plan = scene.run(&["-vv", "--agent", "mine", "--until", "plan"]).exits(0);
    assert_eq!(fallbacks(&plan.stderr), Vec::<&str>::new(), "GEMINI-plan.md serves it");
    // The offline critic asks for a second round, in which the plan is written anew.
    scene.agentd(&["run", ID, "--agent", "mine", "--until", "challenge"]).exits(0);
    let rest = scene.agentd(&["run", ID, "-vv", "--agent", "mine"]).exits(0);
    // The reviewer too asks for a second round.
    let phases = ["implement", "review", "implement", "review", "archive"];
    let expected =
        phases.map(|phase| format!("GEMINI-{phase}.md, falling back to BASE-{phase}.md"));
    assert_eq!(fallbacks(&rest.stderr), expected);
}

#[test]
fn an_agent_of_no_family_is_served_by_base_under_its_own_name() {
    let scene = Scene::new();
    let ran = scene.run(&["-vv", "--until", "plan"]).exits(0);
    assert_eq!(fallbacks(&ran.stderr), ["OFFLINE-plan.md, falling back to BASE-plan.md"]);
    let quiet = scene.agentd(&["challenge", ID, "-v"]);
    assert_eq!(fallbacks(&quiet.stderr), Vec::<&str>::new(), "details alone");

    scene.agent_with("gemini", "play", "family = \"base\"\n");
    let chosen = scene.agentd(&["plan", ID, "-vv", "--agent", "gemini"]).exits(0);
    assert_eq!(
        fallbacks(&chosen.stderr),
        Vec::<&str>::new(),
        "GEMINI-plan.md is there, but not asked for"
    );
}
