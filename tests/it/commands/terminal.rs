//! What is seen on a terminal, and what is not in a pipe.

use super::scene::{ID, Scene};

/// The beginning of every sequence that a terminal obeys.
const ESCAPE: char = '\u{1b}';

#[test]
fn a_terminal_shows_life_and_a_pipe_does_not() {
    let Scene { home } = Scene::new();
    let scene = Scene { home: home.variable("TERM", "xterm") };
    let message = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","name":"Bash","input":{"command":"make all"}}],"usage":{"output_tokens":1234}}}"#;
    scene.agent("slow", &format!("read\nsay {message}\nwait 600\nplay"));
    let ran = scene.home.agentd_on_terminal(
        &["run", ID, "Add login", "--until", "plan", "--agent", "plan=slow"],
        "",
    );
    let ran = ran.exits(0).prints("plan       PASS");
    assert!(ran.stderr.contains(ESCAPE), "a spinner is drawn: {:?}", ran.stderr);
    assert!(ran.stderr.contains("slow  1,234 tokens  Bash make all"), "{:?}", ran.stderr);
    assert!(!ran.stdout.contains(ESCAPE), "{:?}", ran.stdout);
    let ran = scene.run(&["--until", "challenge"]).exits(0);
    assert!(!ran.stdout.contains(ESCAPE) && !ran.stderr.contains(ESCAPE));
}

#[test]
fn an_agent_cannot_command_the_terminal_nor_forge_a_line() {
    let scene = Scene::new();
    scene.agent("sly", "read\nwrite CHANGE/specs/x\u{1b}]0;title\u{7}.md forged\nplay");
    let ran = scene.run(&["--agent", "plan=sly", "--color", "never"]).exits(5);
    assert!(!ran.stderr.contains(ESCAPE) && !ran.stdout.contains(ESCAPE));
    assert!(ran.stderr.contains("x\\u{1b}]0;title\\u{7}.md"), "{}", ran.stderr);
}

#[test]
fn colours_are_used_when_asked_for_and_never_against_no_color() {
    let scene = Scene::new();
    let ran = scene.run(&["--until", "plan", "--color", "always"]).exits(0);
    assert!(ran.stdout.contains("\u{1b}[32mPASS"), "{:?}", ran.stdout);
    let Scene { home } = Scene::new();
    let scene = Scene { home: home.variable("NO_COLOR", "1") };
    let ran = scene.home.agentd_on_terminal(&["run", ID, "--no"], "");
    assert_eq!(ran.code, Some(2));
    let ran = scene
        .home
        .agentd_on_terminal(&["run", "other"], "")
        .exits(4)
        .says("error: there is no change");
    assert!(!ran.stderr.contains(ESCAPE), "{:?}", ran.stderr);
}

#[test]
fn at_a_gate_a_person_at_the_terminal_decides_at_once() {
    let scene = Scene::new();
    let run = ["run", ID, "Add login", "--pause", "plan,challenge"];
    // The plan is rejected and approved; the critic sends it back, and both are approved again.
    let typed = "r\nTwo tasks are enough\na\na\na\na\n";
    let ran = scene.home.agentd_on_terminal(&run, typed).exits(0);
    let ran = ran.says("[a]pprove [r]eject [v]iew [e]dit the plan [q]uit?").prints("archived   ");
    assert!(ran.stdout.contains("plan       round 2"), "{}", ran.stdout);
    assert!(scene.read("journal.jsonl").contains("\"reason\":\"Two tasks are enough\""));
}

#[test]
fn at_a_gate_the_plan_can_be_viewed_and_edited_and_the_run_left() {
    let home = Scene::new().home;
    let scene = Scene { home: home.variable("EDITOR", "sed -i 's/login/sign-in/'") };
    let run = ["run", ID, "Add login", "--pause", "plan"];
    let ran = scene.home.agentd_on_terminal(&run, "v\ne\nq\n").exits(0);
    ran.prints("==> proposal.md <==");
    assert!(scene.read("tasks.md").contains("sign-in"), "{}", scene.read("tasks.md"));
    assert_eq!(scene.stage(), "approve-plan");
    // A pipe is asked nothing.
    let ran = scene.run(&["--pause", "plan"]).exits(0);
    assert!(!ran.stderr.contains("[a]pprove"), "{}", ran.stderr);
    scene.agentd(&["approve", ID, "--run"]).exits(0).prints("archived   ");
}

#[test]
fn a_question_of_an_agent_is_answered_at_the_terminal() {
    let scene = Scene::new();
    scene.agent(
        "shy",
        "count COUNT\nread\non 1 answer <blocked>Which provider?</blocked>\nfrom 2 play",
    );
    let run = ["run", ID, "Add login", "--agent", "plan=shy", "--until", "plan"];
    let ran = scene.home.agentd_on_terminal(&run, "OpenID Connect\n").exits(0);
    ran.says("Your answer").prints("plan       PASS");
    assert!(scene.read("journal.jsonl").contains("OpenID Connect"));
}
