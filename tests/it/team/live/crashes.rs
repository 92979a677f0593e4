//! agentd is gone while agents work in a session: whoever comes next takes them up again or ends them, and nobody works
//! twice.

use std::fs;

use super::super::scene::{Scene, wait_until};
use super::{Live, message};

#[test]
fn seed_002_what_was_typed_before_a_crash_is_not_typed_again() {
    let Some(live) = Live::new() else { return };
    live.screen("slow", "  while [ ! -e FOLDER/go ]; do sleep 0.05; done");
    let more = ["--tmux", "--agent", "architect=slow", "--until", "architect"];
    let mut agentd = live.scene.home.start(&Scene::words(&more));
    let sent =
        |run: &String| live.scene.read(&format!("runs/{run}/live.json")).contains("\"sent\"");
    wait_until("the message", || {
        let runs = live.scene.change("runs").is_dir().then(|| live.scene.runs("-architect"));
        !live.typed().is_empty() && runs.unwrap_or_default().iter().any(sent)
    });
    agentd.kill().expect("killed");
    agentd.wait().expect("it ended");
    fs::write(live.scene.home.path("go"), "").expect("written");
    live.scene.run(&more).exits(0).prints("continuing where it was interrupted");
    live.is_gone();
    assert_eq!(
        live.typed(),
        format!("{}\n", message(&live, "02_architecting/architect_prompt.md"))
    );
    assert_eq!(live.scene.runs("-architect").len(), 1);
}

#[test]
fn seed_002_lanes_that_were_at_work_are_taken_up_again() {
    let Some(live) = Live::new() else { return };
    live.screen("slow", "  while [ ! -e FOLDER/go ]; do sleep 0.05; done");
    let more = ["--tmux", "--agent", "coder=slow", "--until", "coders"];
    let mut agentd = live.scene.home.start(&Scene::words(&more));
    let sent =
        |run: &String| live.scene.read(&format!("runs/{run}/live.json")).contains("\"sent\"");
    wait_until("two lanes at work", || {
        let typed = live.typed();
        let lanes = ["-coder-1", "-coder-2"].map(|it| format!("instructions in {}", prompt(it)));
        let is_told = |lane: &String| typed.contains(lane.trim_start_matches("instructions in "));
        lanes.iter().all(is_told)
            && ["-coder-1", "-coder-2"].iter().all(|lane| live.scene.runs(lane).iter().any(sent))
    });
    agentd.kill().expect("killed");
    agentd.wait().expect("it ended");
    fs::write(live.scene.home.path("go"), "").expect("written");
    live.scene.run(&more).exits(0);
    let (typed, mut expected) = (live.typed(), Vec::new());
    for lane in ["-coder-1", "-coder-2", "-coder-3"] {
        assert_eq!(live.scene.runs(lane).len(), 1, "{lane}");
        expected.push(message(&live, &prompt(lane)));
    }
    let mut typed: Vec<_> = typed.lines().collect();
    typed.sort_unstable();
    assert_eq!(typed, expected);
    live.is_gone();
}

/// Gives the prompt of the coder whose runs end like this.
fn prompt(lane: &str) -> String {
    format!("06_implementation/coder_prompt_{}.md", lane.trim_start_matches("-coder-"))
}

#[test]
fn without_tmux_the_agents_that_are_left_are_ended_before_others_begin() {
    let Some(live) = Live::new() else { return };
    live.screen("stuck", "  while :; do sleep 0.05; done");
    let more = ["--tmux", "--agent", "architect=stuck", "--until", "architect"];
    let mut agentd = live.scene.home.start(&Scene::words(&more));
    wait_until("the message", || !live.typed().is_empty());
    agentd.kill().expect("killed");
    agentd.wait().expect("it ended");
    assert!(!live.processes().is_empty(), "its agent is still there");
    live.scene.run(&["--until", "architect"]).exits(0).prints("closed, with every agent in it");
    live.is_gone();
    assert!(live.scene.read("02_architecting/architecture.md").starts_with('#'));
}
