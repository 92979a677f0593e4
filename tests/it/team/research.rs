//! Research that a team asks for: it started at once, beside whoever asks, and whatever becomes of it.

use serde_json::json;

use super::scene::{Scene, wait_until};
use crate::project::AGENTD;

const TOPIC: &str = "03_research/code-scripts";

#[test]
fn seed_002_a_topic_is_looked_into_once_and_handed_to_those_who_come_after() {
    let scene = Scene::new();
    scene.run(&["--until", "planner"]).exits(0).prints("code-scripts").prints("finished");
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
        .prints("the team continues without")
        .prints("summary.md");
    assert!(!scene.read("04_planning/planner_prompt.md").contains("code-scripts/summary.md"));
    assert_eq!(scene.runs("-research-code-scripts-files").len(), 1, "it was asked once more");

    scene.run(&["--until", "coders"]).exits(0).hides("goes on without");
    assert_eq!(scene.runs("-research-code-scripts").len(), 1);
}

#[test]
fn of_what_a_researcher_writes_its_answers_alone_are_taken() {
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
    ran.prints("finished");
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
    // As if agentd had been gone before the outbox was full.
    let outbox = scene.outbox("research-code-scripts", "");
    std::fs::remove_dir_all(&outbox).expect("removed");
    std::fs::create_dir(&outbox).expect("made");
    scene.run(&["--until", "planner"]).exits(0).prints("finished");
    let journal = scene.read("journal.jsonl");
    assert_eq!(journal.matches("\"research\":\"started\"").count(), 1, "{journal}");
    assert_eq!(scene.runs("-architect").len(), 1, "the architect had answered");
    assert!(scene.read("04_planning/planner_prompt.md").contains("code-scripts/summary.md"));
}

/// Asks about `code-early`, and waits for the answer: a shell's steps, of which none goes on for ever.
fn ask_and_wait(scene: &Scene, asking: &str) -> String {
    let folder = scene.change("03_research/code-early");
    let folder = folder.display();
    format!(
        "{asking}\nfor turn in $(seq 600); do [ -e {folder}/done ] && break; sleep 0.1; done\n\
         cp {folder}/summary.md {}\n",
        scene.change("02_architecting/learned.md").display()
    )
}

/// Asks in a file, for those who have no tools.
fn ask_in_a_file(scene: &Scene) -> String {
    let folder = scene.change("03_research/code-early");
    let folder = folder.display();
    format!(
        "mkdir -p {folder}\nprintf 'topic: early\\nquestions: [What is there?]\\n' > {folder}/request.yaml"
    )
}

/// Asks with the tool.
fn ask_with_the_tool(_: &Scene) -> String {
    let arguments = json!({ "topic": "early", "questions": ["What is there?"] });
    let params = json!({ "name": "research_dispatch_code", "arguments": arguments });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    format!("echo '{call}' | {AGENTD} mcp --outbox \"$AGENTD_OUTBOX\" --role architect >&2")
}

#[test]
fn seed_002_whoever_asks_gets_the_answer_while_it_is_at_work() {
    for asking in [ask_in_a_file, ask_with_the_tool] {
        let scene = Scene::new();
        scene.meddler("asker", &ask_and_wait(&scene, &asking(&scene)));
        scene.run(&["--agent", "architect=asker", "--until", "architect"]).exits(0);
        assert!(scene.read("02_architecting/learned.md").contains("no model"), "an answer");
        let journal = scene.read("journal.jsonl");
        let place = |words: &str| journal.find(words).unwrap_or_else(|| panic!("{journal}"));
        let answered = place("\"research\":\"finished\",\"topic\":\"code-early\"");
        assert!(answered < place("\"step\":\"architect\",\"outcome\""), "{journal}");
        assert_eq!(scene.runs("-research-code-early").len(), 1);
    }
}

#[test]
fn what_a_step_has_asked_and_learned_stays_when_it_is_cut_off() {
    let scene = Scene::new();
    let steps = ask_and_wait(&scene, &ask_in_a_file(&scene));
    scene.meddler("asker", &format!("{steps}exec sleep 600"));
    let mut agentd = scene.home.start(&Scene::words(&["--agent", "architect=asker"]));
    wait_until("the answer", || {
        scene.home.path("home/.local/state/agentd/workspaces").is_dir()
            && scene.outbox("architect", "02_architecting/learned.md").is_file()
    });
    agentd.kill().expect("killed");
    agentd.wait().expect("it ended");

    scene.run(&["--until", "planner"]).exits(0);
    assert_eq!(scene.runs("-architect").len(), 2, "it began anew");
    assert_eq!(scene.runs("-research-code-early").len(), 1, "nobody is asked twice");
    assert!(scene.read("02_architecting/architect_prompt.md").contains("code-early/summary.md"));
    assert!(!scene.change("02_architecting/learned.md").exists(), "what it wrote was set aside");
}

#[test]
fn what_was_asked_when_no_more_might_be_spent_is_looked_into_before_the_next_step() {
    let scene = Scene::new();
    scene.config("[limits]\nmax_tokens = 1\n");
    scene.meddler("counted", "");
    let counted = ["--agent", "architect=counted", "--until", "architect"];
    scene.run(&counted).exits(0).hides("started");
    scene.run(&["--until", "planner"]).exits(11);
    assert!(scene.change("03_research/code-scripts/request.md").is_file(), "it stays asked");

    scene.meddler("scribe", &format!("echo Mine >{}", scene.change("requirements.md").display()));
    let more = ["--max-tokens", "1000000000", "--agent", "code-researcher=scribe"];
    let ran = scene.run(&[&more[..], &["--until", "planner"]].concat()).exits(0);
    ran.prints("code-scripts finished");
    assert!(scene.read("04_planning/planner_prompt.md").contains("code-scripts/summary.md"));
    assert!(scene.read("requirements.md").starts_with("Add a logo"), "it is the change's own");
}
