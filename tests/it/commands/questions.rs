//! Agents that need an answer, and people who decide otherwise than a judge.

use super::scene::{ID, Scene};

#[test]
fn an_agent_that_is_blocked_waits_for_an_answer_which_reaches_its_next_prompt() {
    let scene = Scene::new();
    scene.agent(
        "shy",
        "count COUNT\nread\non 1 answer <blocked>Which provider is meant?</blocked> <review>PASS</review>\nfrom 2 play",
    );
    let ran = scene.run(&["--agent", "plan=shy"]).exits(0);
    ran.prints("plan       blocked: Which provider is meant?\n")
        .prints("waiting    plan needs an answer: Which provider is meant?\n")
        .prints("next       agentd run add-login \"your answer\", or agentd cancel add-login\n");
    assert_eq!(scene.stage(), "blocked-plan");
    scene.agentd(&["status", ID]).exits(0).prints("question   Which provider is meant?\n");
    scene.run(&["--agent", "plan=shy"]).exits(0).prints("waiting    plan needs an answer");
    scene.agentd(&["approve", ID]).exits(4);
    assert_eq!(scene.calls("shy"), 1, "nobody is asked before there is an answer");

    let answer = ["run", ID, "OpenID Connect", "--agent", "plan=shy", "--until", "plan"];
    scene.agentd(&answer).exits(0).prints("answer     the step runs again with your answer");
    let prompt = scene.prompt("002-plan");
    let expected =
        "Question of plan during its work: Which provider is meant?\nThe answer:\nOpenID Connect";
    assert!(prompt.contains(expected), "{prompt}");
    assert_eq!(scene.stage(), "challenge");
    let last = ["run", ID, "--until", "challenge", "--json"];
    scene.agentd(&last).exits(0);
    assert!(scene.prompt("003-challenge").contains(expected), "whoever judges knows it too");
}

#[test]
fn what_is_blocked_can_be_rejected_or_given_up_and_says_so_to_programs() {
    let scene = Scene::new();
    scene.agent("shy", "read\nanswer <blocked>Which?</blocked>");
    let ran = scene.run(&["--agent", "plan=shy", "--json"]).exits(0);
    let last: serde_json::Value =
        serde_json::from_str(ran.stdout.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["reason"], &last["stage"]), (&"blocked".into(), &"blocked-plan".into()));
    scene.agentd(&["reject", ID, "Decide it yourself"]).exits(0).prints("is now at plan");
    scene.run(&["--until", "plan"]).exits(0);
    let scene = Scene::new();
    scene.agent("shy", "read\nanswer <blocked>Which?</blocked>");
    scene.run(&["--agent", "implement=shy"]).exits(0);
    assert_eq!(scene.stage(), "blocked-implement");
    scene.agentd(&["cancel", ID]).exits(0);
}

#[test]
fn a_person_may_override_a_rejection_and_it_holds_until_the_plan_changes() {
    let scene = Scene::new();
    scene.agent("harsh", "read\nanswer No.\\n\\n<review>REJECTED</review>");
    scene.run(&["--agent", "challenge=harsh"]).exits(8).says("agentd approve add-login --override");
    scene.agentd(&["approve", ID]).exits(4);
    scene.agentd(&["approve", ID, "--override", " "]).exits(2);
    let told = scene.agentd(&["approve", ID, "--override", "We accept the risk"]).exits(0);
    told.prints("is now at implement");
    let status = scene.agentd(&["status", ID, "--json"]).exits(0).json();
    assert_eq!(status["override"], "We accept the risk");
    assert_eq!(status["guarantees"]["challenged"], "overridden");
    scene.agentd(&["status", ID]).exits(0).prints("overridden We accept the risk\n");
    let ran = scene.run(&["--agent", "challenge=harsh"]).exits(0);
    ran.prints("archived   ").prints("overridden We accept the risk\n");
    scene.agentd(&["list", "--all"]).exits(0).prints("archived; overridden");

    let scene = Scene::new();
    scene.agent("harsh", "read\nanswer No.\\n\\n<review>REJECTED</review>");
    scene.run(&["--agent", "challenge=harsh"]).exits(8);
    scene.agentd(&["approve", ID, "--override", "We accept the risk"]).exits(0);
    scene.agentd(&["run", ID, "Use OAuth", "--agent", "challenge=harsh"]).exits(8);
    let status = scene.agentd(&["status", ID, "--json"]).exits(0).json();
    assert_eq!(status["guarantees"]["challenged"], false, "it was said of another plan");
    assert_eq!(status["override"], serde_json::Value::Null);
}
