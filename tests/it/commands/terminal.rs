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
