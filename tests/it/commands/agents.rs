//! Which agent does what, where none is there, and whose configuration is trusted.

use super::scene::{ID, Scene};
use crate::project::AGENTD;
use crate::support::{install, program, skipped};

/// Leaves only what the system itself brings, and what the test installs.
fn alone() -> Scene {
    let Scene { home } = Scene::bare();
    let bin = home.path("bin");
    std::fs::create_dir_all(&bin).expect("made");
    std::os::unix::fs::symlink(program("git"), bin.join("git")).expect("linked");
    let path = format!("{}:/usr/bin:/bin", bin.display());
    Scene { home: home.variable("PATH", &path) }
}

#[test]
fn without_any_agent_it_says_how_to_install_one_and_makes_nothing() {
    let scene = alone();
    scene
        .run(&[])
        .exits(5)
        .says("no agent is installed")
        .says("npm install -g @anthropic-ai/claude-code")
        .says("--agent offline");
    assert!(!scene.change("").exists());
    scene.run(&["--agent", "offline"]).exits(0).prints("the offline agent has no model");
}

#[test]
fn with_claude_alone_and_no_configuration_everything_works_with_claude() {
    let scene = alone();
    let script = format!("#!/bin/sh\nexec {AGENTD} offline-agent --speak claude\n");
    install(&scene.home.path("bin/claude"), script, 0o755);
    let ran = scene.run(&[]).exits(0);
    assert_eq!(ran.stderr, "");
    ran.prints(
        "agents     claude (its default model): plan, implement, archive (from default); claude (its default model): \
         challenge, review (`codex` is not installed)\n",
    )
    .prints("vendors    `claude` does plan and challenge: a judge from another vendor finds other mistakes\n")
    .prints("archived   ");
}

#[test]
fn in_the_sandbox_a_run_says_which_steps_may_run_commands() {
    let Scene { home } = alone();
    let scene = Scene { home: home.variable("AGENTD_SANDBOX", "on") };
    let doctor = scene.agentd(&["doctor", "--json", "--wait", "1"]).exits(5).json();
    if doctor["here"]["sandbox"]["ok"] != true {
        skipped("1 test, for the kernel cannot confine programs");
        return;
    }
    let script = format!("#!/bin/sh\nexec {AGENTD} offline-agent --speak claude\n");
    install(&scene.home.path("bin/claude"), script, 0o755);
    let line = "commands   agents may run commands in implement, in the sandbox\n";
    scene.run(&["--until", "plan"]).exits(0).prints(line);
    scene.config("[agents.claude]\npermissions = \"write\"\n");
    let ran = scene.run(&["--until", "challenge"]).exits(0);
    assert!(!ran.stdout.contains("commands  "), "{}", ran.stdout);
}

#[test]
fn the_doctor_and_a_run_name_the_same_agents() {
    let scene = alone();
    for cli in ["claude", "copilot"] {
        let version = "test \"$1\" != --version || { echo 1.0.0; exit; }";
        let speak = format!("exec {AGENTD} offline-agent --speak {cli}");
        let script = format!("#!/bin/sh\n{version}\n{speak}\n");
        install(&scene.home.path("bin").join(cli), script, 0o755);
    }
    let doctor = scene.agentd(&["doctor", "--json"]).exits(0).json();
    let ran = scene.run(&[]).exits(0).prints("archived   ");
    assert!(!ran.stdout.contains("vendors"), "{}", ran.stdout);
    for step in doctor["steps"].as_array().expect("steps") {
        let text = |key: &str| step[key].as_str().expect("text").to_owned();
        let (slot, agent) = (text("step"), text("agent"));
        let label = if slot == "challenge" || slot == "review" { "copilot" } else { "claude" };
        assert_eq!(agent, label, "{slot}");
        assert!(ran.stdout.contains(&format!("{slot:10} round 1: {agent} ")), "{}", ran.stdout);
    }
}

#[test]
fn agents_are_named_for_one_phase_or_for_all() {
    let scene = Scene::new();
    scene.agent_with("mine", "count COUNT\nread\nplay", "model = \"large\"\n");
    scene
        .run(&["--agent", "challenge=mine"])
        .exits(0)
        .prints("agents     offline: plan, implement, review, archive (from your configuration); mine (large): challenge (from --agent)\n")
        .prints("challenge  round 1: mine (large) challenges the plan\n");
    assert_eq!(scene.calls("mine"), 2);
    let named = |agent: &str| scene.agentd(&["run", "other", "x", "--agent", agent]);
    named("plans=mine").exits(2).says("has these: plan, challenge");
    named("nobody").exits(4).says("there is no such agent");
    assert!(!scene.home.root().join("agentd/changes/other").exists());
}

#[test]
fn an_untrusted_project_runs_nothing() {
    let scene = Scene::new();
    scene.home.write("agentd/config.toml", "[verify]\ncommands = [\"touch ran\"]\n");
    scene.run(&[]).exits(4).says("agentd trust");
    assert!(!scene.change("").exists());
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&[]).exits(0).prints("check      passed: touch ran");
    assert!(
        !scene.home.root().join("ran").exists(),
        "it ran in the workspace, and was thrown away"
    );
    let diff = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(!diff.contains(" ran "), "{diff}");
}

/// An agent that makes no files, and so can neither plan nor write code.
const MUTE: &str = "[agents.mute]\ncommand = [\"true\"]\n";

#[test]
fn an_agent_that_cannot_do_its_phase_is_refused_before_anything_is_begun() {
    let scene = Scene::new();
    scene.config(MUTE);
    for agent in ["mute", "implement=mute", "archive=mute"] {
        scene.run(&["--agent", agent]).exits(4).says("agent `mute` cannot be used in `");
        assert!(!scene.change("").exists(), "{agent}");
    }
    let team = |agent: &str| scene.run(&["--flow", "team", "--agent", "offline", "--agent", agent]);
    team("coder=mute").exits(4).says("agent `mute` cannot be the coder");
    assert!(!scene.change("").exists());
    // It can challenge, and what comes after `--until` is not looked at.
    scene.run(&["--agent", "implement=mute", "--until", "plan"]).exits(0);
    scene.run(&["--agent", "implement=mute"]).exits(4);
    assert_eq!(scene.runs().len(), 1, "nothing more is paid for");
}

#[test]
fn an_agent_that_is_not_installed_is_refused_before_anything_is_begun() {
    let scene = alone();
    let offline = ["--agent", "offline"];
    let run = |more: &[&str]| scene.run(&[&offline, more].concat());
    run(&["--agent", "implement=claude"]).exits(5).says("`agentd doctor`");
    run(&["--flow", "team", "--agent", "coder=claude"]).exits(5).says("`agentd doctor`");
    assert!(!scene.change("").exists());
    run(&["--agent", "implement=claude", "--until", "challenge"]).exits(0);
    // What is behind the change is not needed any more.
    run(&["--agent", "plan=claude", "--until", "implement"]).exits(0);
    let team = ["run", "add-logo", "Add a logo", "--flow", "team", "--agent", "offline"];
    let team = |more: &[&str]| scene.agentd(&[&team, more].concat());
    team(&["--agent", "coder=claude", "--until", "architect"]).exits(0);
    team(&[
        "--agent",
        "product-manager=claude",
        "--agent",
        "architect=claude",
        "--until",
        "coders",
    ])
    .exits(0);
    team(&["--agent", "coder=claude"]).exits(5).says("`agentd doctor`");
}

#[test]
fn an_agent_that_is_not_there_is_told_of_once() {
    let scene = Scene::new();
    let told = |ran: crate::ran::Ran| ran.stderr.matches("there is no such agent").count();
    assert_eq!(told(scene.run(&["--agent", "nobody"]).exits(4)), 1);
    let Scene { home } = scene;
    let scene = Scene { home: home.variable("AGENTD_AGENT", "nobody") };
    assert_eq!(told(scene.run(&[]).exits(4)), 1);
    // Two places are two faults.
    scene.config("[roles]\ncoder = \"nobody\"\nplanner = \"nobody\"\n");
    let Scene { home } = scene;
    let scene = Scene { home: home.variable("AGENTD_AGENT", "") };
    assert_eq!(told(scene.run(&[]).exits(4)), 2);
}
