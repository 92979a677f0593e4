//! A role that cannot go on without a person.

use super::scene::{ID, Scene};

fn stage(scene: &Scene) -> String {
    let status = scene.home.agentd(&["status", ID, "--json"]).exits(0).json();
    status["stage"].as_str().expect("a word").to_owned()
}

#[test]
fn a_role_that_hands_in_that_it_is_blocked_waits_for_an_answer() {
    let scene = Scene::new();
    let (file, calls) =
        (scene.change("02_architecting/architecture.yaml"), scene.home.path("calls"));
    let blocked = "{status: blocked, reason: Which colour?}";
    let script = format!(
        "count {}\nread\non 1 write {} {blocked}\non 1 answer Done.\nfrom 2 play\n",
        calls.display(),
        file.display()
    );
    scene.agent("shy", &script);
    let ran = scene.run(&["--agent", "architect=shy"]).exits(0);
    ran.prints("architect  blocked: Which colour?").prints("architect needs an answer");
    assert_eq!(stage(&scene), "blocked-architect");
    let answer = ["run", ID, "Green", "--agent", "offline", "--agent", "architect=shy"];
    scene.home.agentd(&[&answer[..], &["--until", "architect"]].concat()).exits(0);
    let prompt = scene.read("02_architecting/architect_prompt.md");
    assert!(prompt.contains("Which colour?\nThe answer:\nGreen"), "{prompt}");
    assert_eq!(stage(&scene), "planner");
}

#[test]
fn a_coder_that_is_blocked_takes_nothing_from_the_others_and_its_plan_is_carried_out_later() {
    let scene = Scene::new();
    scene.run(&["--until", "planner"]).exits(0);
    let calls = scene.home.path("calls");
    let script = format!(
        "count {}\nread\non 1 answer <blocked>Which word?</blocked>\nfrom 2 play\n",
        calls.display()
    );
    scene.config("[team]\nmax_parallel = 1\n");
    scene.agent("shy", &script);
    let ran = scene.run(&["--agent", "coder=shy"]).exits(0);
    ran.prints("coders     blocked: plan 1: Which word?").prints("plan 2     ");
    assert_eq!(stage(&scene), "blocked-coders");
    let answer = ["run", ID, "Hello", "--agent", "offline", "--agent", "coder=shy"];
    scene.home.agentd(&answer).exits(0).prints("waiting    The change is ready for your approval.");
    let prompt = scene.read("06_implementation/coder_prompt_1.md");
    assert!(prompt.contains("The answer:\nHello"), "{prompt}");
    let asked = scene.runs("-coder-2").len();
    assert_eq!(asked, 1, "what was done is not done again");
}
