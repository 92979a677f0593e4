//! The CLIs on screens of their own: agentd types to them in a tmux session, sees what they hand in, and ends them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use super::handoff::{change, files, go_on, handed_in, ran_in, run, summed_up, team};
use crate::cli::Cli;
use crate::flow::shown;
use crate::left_behind::left_behind;
use crate::scene::Scene;
use crate::suite::Suite;

/// What Claude Code keeps of a user who has used it before, and has allowed it to use the key.
const USED_BEFORE: &str =
    r#"{ "hasCompletedOnboarding": true, "customApiKeyResponses": { "approved": ["dummy"] } }"#;

/// Says whether there is a tmux; without one these cases do not apply.
pub(super) fn has_tmux() -> bool {
    Command::new("tmux").arg("-V").output().is_ok()
}

/// Sets up a user who has used the CLI before.
fn used_before<'s>(suite: &'s Suite, cli: Cli, case: &str, time: &str, fails: usize) -> Scene<'s> {
    let scene = team(suite, cli, case, time, fails);
    fs::create_dir_all(scene.root.join("t")).expect("a folder for tmux");
    match cli {
        Cli::Claude => scene.put("home/.claude.json", USED_BEFORE),
        Cli::Codex => {
            // It praises its latest model to whoever uses another.
            let path = "home/.config/agentd/config.toml";
            let text = fs::read_to_string(scene.root.join(path)).expect("there");
            scene.put(path, &text.replace("gpt-5.5", "gpt-6-sol"));
        }
        Cli::Gemini | Cli::Copilot => {}
    }
    scene
}

/// Demands that nobody is left. tmux's own server goes by itself, a moment after its last session.
fn nobody_is_left(scene: &Scene<'_>, output: &Output) {
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut left = left_behind(&scene.root);
    while !left.is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(50));
        left = left_behind(&scene.root);
    }
    assert!(left.is_empty(), "left behind: {left:?}\n{}", shown(output));
}

/// A reviewer is told on its screen what to read, hands in with tools, and is told of the summary in the same talk.
pub(super) fn in_tmux(suite: &Suite, cli: Cli) {
    let scene = used_before(suite, cli, "a-team-in-tmux", "100s", 0);
    let users = files(&scene.root.join("home"), cli);
    let output = run(suite, &scene, &["--tmux"]);
    assert!(output.status.success(), "{}", shown(&output));
    handed_in(&scene, "The scripts greet.");
    summed_up(&scene, &output);
    assert_eq!(files(&scene.root.join("home"), cli), users, "the user's files");
    nobody_is_left(&scene, &output);
}

/// A reviewer whose first reviews fail is typed the very same message again, in the same talk, and then another one.
pub(super) fn rounds(suite: &Suite, cli: Cli) {
    let fails = 2;
    let scene = used_before(suite, cli, "rounds-in-tmux", "60s", fails);
    let output = if cli == Cli::Copilot {
        // It asks whether the folder is trusted, which agentd confirms only with this leave, and for a summary it has less.
        let path = "home/.config/agentd/config.toml";
        let text = fs::read_to_string(scene.root.join(path)).expect("there");
        scene.put(path, &format!("{text}permissions = \"shell\"\n"));
        run(suite, &scene, &["--tmux", "--until", "fix", "--keep-session"]);
        go_on(suite, &scene, &["--tmux", "--until", "fix", "--keep-session"]);
        go_on(suite, &scene, &["--tmux", "--until", "review"])
    } else {
        run(suite, &scene, &["--tmux"])
    };
    assert!(output.status.success(), "{}", shown(&output));
    handed_in(&scene, "The scripts greet.");
    let asked = scene.server.asked();
    let last = asked.iter().rfind(|asked| !asked.tools.is_empty()).expect("it was asked");
    // Copilot puts the date before a message, on lines of their own.
    let lines = last.user_texts.iter().flat_map(|text| text.lines());
    let told: Vec<_> = lines.filter(|line| line.contains("the instructions in")).collect();
    // The same outbox each time, whose name begins with a folder that agentd chose.
    let outbox =
        told.first().and_then(|line| line.split_once("/07_review/")).map(|(begin, _)| begin);
    let outbox = outbox.expect("a review").to_owned();
    assert!(outbox.starts_with("Read and follow the instructions in /"), "{outbox}");
    assert!(outbox.ends_with(".outbox/reviewer/demo"), "{outbox}");
    let message = |prompt: &str| format!("{outbox}/{prompt}");
    let mut expected = vec![message("07_review/review_prompt.md"); fails + 1];
    if cli != Cli::Copilot {
        summed_up(&scene, &output);
        expected.push(message("08_completion/summary_prompt.md"));
    }
    assert_eq!(told, expected, "each once, and nothing but what was typed");
    nobody_is_left(&scene, &output);
}

/// A CLI that asks whether the folder is trusted, which would let its hooks run, is not answered.
pub(super) fn asks_something(suite: &Suite, cli: Cli) {
    let scene = used_before(suite, cli, "a-question-in-tmux", "20s", 0);
    let output = run(suite, &scene, &["--tmux"]);
    assert_eq!(output.status.code(), Some(5), "{}", shown(&output));
    let text = shown(&output);
    for words in ["in its window `reviewer`", "attach -t =agentd-demo:reviewer"] {
        assert!(text.contains(words), "no {words:?} in {text}");
    }
    let name = change(&scene).file_name().expect("a name").to_owned();
    let state = scene.project().join(".git/agentd/changes").join(name);
    let runs = fs::read_dir(state.join("runs")).expect("runs").flatten();
    let mut screens = runs.filter_map(|run| fs::read_to_string(run.path().join("screen.txt")).ok());
    assert!(screens.any(|screen| screen.contains("Do you trust the files")), "{text}");
    assert_eq!(ran_in(&scene.root), Vec::<PathBuf>::new());
    nobody_is_left(&scene, &output);
}
