//! Research that a team asks for: it is looked into before the next step, once, and whatever becomes of it.

use super::scene::{Scene, wait_until};

const TOPIC: &str = "03_research/code-scripts";

#[test]
fn seed_002_a_topic_is_looked_into_once_and_handed_to_those_who_come_after() {
    let scene = Scene::new();
    scene.run(&["--until", "planner"]).exits(0).prints("code-scripts").prints("has its answers");
    assert!(scene.read(&format!("{TOPIC}/request.md")).contains("Which shell scripts"));
    assert!(scene.change(&format!("{TOPIC}/done")).is_file());
    let named = format!("{TOPIC}/summary.md");
    assert!(!scene.read("02_architecting/architect_prompt.md").contains(&named), "too early");
    assert!(scene.read("04_planning/planner_prompt.md").contains(&named));
    let journal = scene.read("journal.jsonl");
    assert!(journal.contains("\"research\":\"finished\""), "{journal}");

    scene.run(&[]).exits(0);
    assert_eq!(scene.runs("-research-code-scripts").len(), 1);
    assert!(scene.read("06_implementation/coder_prompt_1.md").contains(&named));
    assert!(scene.read("state.json").contains("\"code-scripts\""));
}

#[test]
fn seed_002_a_topic_that_fails_stops_nobody_and_is_not_tried_again() {
    let scene = Scene::new();
    scene.agent("mute", "read\nanswer I found nothing.\n");
    scene
        .run(&["--agent", "code-researcher=mute", "--until", "planner"])
        .exits(0)
        .prints("the team goes on without")
        .prints("summary.md");
    assert!(!scene.read("04_planning/planner_prompt.md").contains("code-scripts/summary.md"));
    assert_eq!(scene.runs("-research-code-scripts-files").len(), 1, "it was asked once more");

    scene.run(&["--until", "coders"]).exits(0).hides("goes on without");
    assert_eq!(scene.runs("-research-code-scripts").len(), 1);
}

#[test]
fn what_a_researcher_must_not_write_is_put_back() {
    let scene = Scene::new();
    let folder = scene.change("");
    let folder = folder.display();
    scene.agent(
        "scribe",
        &format!(
            "read\nwrite {folder}requirements.md Something else.\nwrite {folder}{TOPIC}/request.md Nothing.\n\
             write README.md # Mine\nwrite {folder}{TOPIC}/summary.md Answers.\nwrite {folder}{TOPIC}/done done\nanswer Done.\n"
        ),
    );
    let ran = scene.run(&["--agent", "code-researcher=scribe", "--until", "planner"]).exits(0);
    ran.prints("has its answers").prints("requirements.md, README.md");
    assert!(scene.read("requirements.md").starts_with("Add a logo"));
    assert!(scene.read(&format!("{TOPIC}/request.md")).contains("Which shell scripts"));
    assert_eq!(scene.runs("-research-code-scripts").len(), 1);
}

#[test]
fn a_topic_that_was_cut_off_is_looked_into_by_the_next_run() {
    let scene = Scene::new();
    scene.agent("sleeper", "read\nhang\n");
    let words = Scene::words(&["--agent", "code-researcher=sleeper"]);
    let mut agentd = scene.home.start(&words);
    wait_until("the researcher", || {
        scene.read("journal.jsonl").contains("\"research\":\"started\"")
            && scene.change("runs").is_dir()
            && scene.runs("-research-code-scripts").len() == 1
    });
    agentd.kill().expect("killed");
    agentd.wait().expect("it ended");
    scene.run(&["--until", "planner"]).exits(0).prints("has its answers");
    let journal = scene.read("journal.jsonl");
    assert_eq!(journal.matches("\"research\":\"started\"").count(), 1, "{journal}");
    assert!(scene.read("04_planning/planner_prompt.md").contains("code-scripts/summary.md"));
}
