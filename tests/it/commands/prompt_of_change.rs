//! `agentd prompt PHASE --change ID`: the bytes that the run of that phase then sends.

use std::fs;

use super::scene::{ID, Scene, tree};
use crate::project::AGENTD;

/// The runs of a change that the offline agent brings to its archive, in order, but for those of checks.
const RUNS: [&str; 9] = [
    "plan",
    "challenge",
    "plan",
    "challenge",
    "implement",
    "review",
    "implement",
    "review",
    "archive",
];

/// Describes an agent that is a CLI by name and agentd's own offline agent by deed.
fn stand_in(scene: &Scene, name: &str, cli: &str) {
    let command = format!("[{AGENTD:?}, \"offline-agent\", \"--speak\", {cli:?}]");
    scene.config(&format!("[agents.{name}]\ncli = {cli:?}\ncommand = {command}\n"));
}

/// Reads the prompt of the newest run, wherever the change's folder is.
fn sent(scene: &Scene, phase: &str) -> String {
    let entries = fs::read_dir(scene.change("runs")).expect("runs");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_of_phase =
        |path: &std::path::PathBuf| path.to_string_lossy().ends_with(&format!("-{phase}"));
    let newest = paths.filter(is_of_phase).max().expect("a run");
    fs::read_to_string(newest.join("prompt.xml")).expect("a prompt")
}

#[test]
fn seed_004_r5_the_prompt_that_is_printed_is_the_prompt_that_is_sent_in_every_phase() {
    for (agent, cli) in [("ada", "claude"), ("grace", "gemini"), ("edsger", "codex")] {
        let scene = Scene::new();
        stand_in(&scene, agent, cli);
        // Gemini CLI would take the address for a file's name, and gets a backslash before it.
        scene
            .home
            .write("agentd/project.md", "A web shop, by ada@example.com, with <tags> & more.\n");
        scene.home.write("agentd/specs/old.md", "# Old\n\nWhat holds now.\n");
        for (number, phase) in RUNS.iter().enumerate() {
            let before = tree(&scene.home.path(""));
            let words = ["prompt", phase, "--change", ID, "--agent", agent];
            let request = if number == 0 { &["Add login"][..] } else { &[] };
            let shown = scene.agentd(&[&words, request].concat()).exits(0);
            assert_eq!(shown.stderr, "", "{cli} {number} {phase}");
            assert_eq!(tree(&scene.home.path("")), before, "{cli} {number} {phase}: it only looks");
            if number == 0 {
                scene.run(&["--agent", agent, "--until", "plan"]).exits(0);
            } else {
                // Whether it passes is all the same here.
                scene.agentd(&[phase, ID, "--agent", agent]);
            }
            assert!(shown.stdout == sent(&scene, phase), "{cli} {number} {phase}: they differ");
            assert!(shown.stdout.contains(if cli == "gemini" {
                "ada\\@example.com"
            } else {
                "ada@example.com"
            }));
        }
        assert!(!scene.change("").exists(), "it is archived");
    }
}

#[test]
fn a_prompt_of_a_change_is_refused_where_another_phase_is_next() {
    let scene = Scene::new();
    let prompt = |words: &[&str]| scene.agentd(&[&["prompt", "--change", ID], words].concat());
    prompt(&["plan"]).exits(4).says("there is no change `add-login`");
    prompt(&["plan", "Add login"]).exits(0).prints("<instructions>Add login</instructions>");
    assert!(!scene.change("").exists(), "nothing is begun");
    scene.run(&["--until", "plan"]).exits(0);
    prompt(&["review"])
        .exits(4)
        .says("change `add-login` is at challenge, not at review")
        .says("agentd prompt challenge --change add-login");
    prompt(&["plam"]).exits(3).says("did you mean `plan`?");
    prompt(&[]).exits(2).says("--change");
    prompt(&["challenge", "--file", "README.md"]).exits(2).says("cannot be used with");
    prompt(&["challenge", "--var", "TASKS=x"]).exits(2).says("cannot be used with");
    prompt(&["challenge", "--stats"]).exits(0).says("bytes  total").says("BASE-challenge.md");
    scene.agentd(&["prompt", "plan", "--change", "logo", "Add a logo"]).exits(0);
    scene
        .agentd(&[
            "run",
            "logo",
            "Add a logo",
            "--flow",
            "team",
            "--until",
            "architect",
            "--agent",
            "offline",
        ])
        .exits(0);
    scene.agentd(&["prompt", "plan", "--change", "logo"]).exits(4).says("--role");
}

#[test]
fn what_a_run_does_before_it_sends_a_prompt_is_said_with_the_prompt() {
    let scene = Scene::new();
    scene.config("[verify]\ncommands = [\"true\"]\n");
    scene.run(&["--until", "challenge"]).exits(0);
    scene.agent("gone", "read\nwrite CHANGE/IMPLEMENTATION.md half\nexit 1");
    let prompt = |phase: &str, agent: &str| {
        scene.agentd(&["prompt", phase, "--change", ID, "--agent", agent]).exits(0)
    };
    let shown = prompt("implement", "gone").stdout;
    scene.agentd(&["implement", ID, "--agent", "gone"]).exits(5);
    let real = sent(&scene, "implement");
    assert_eq!(real, shown);

    prompt("implement", "gone").says("implement was interrupted");

    scene.agentd(&["implement", ID]).exits(0);
    assert_eq!(prompt("review", "offline").stderr, "");
    let journal = scene.read("journal.jsonl");
    let (before, last) = journal.trim_end().rsplit_once('\n').expect("entries");
    assert!(last.contains("checks"), "{last}");
    fs::write(scene.change("journal.jsonl"), format!("{before}\n")).expect("written");
    prompt("review", "offline").says("the project's checks run first");
}

#[test]
fn the_tree_in_a_prompt_is_the_tree_of_the_workspace_whatever_is_ignored_where() {
    let scene = Scene::new();
    for name in ["kept.txt", "by-rule.txt", "by-exclude.txt", "below/kept.txt"] {
        scene.home.write(name, "x");
    }
    scene.home.git(&["add", "--all"]);
    let commit = scene.home.git(&["rev-parse", "HEAD"]);
    let module = format!("160000,{},module", commit.trim());
    scene.home.git(&["update-index", "--add", "--cacheinfo", &module]);
    scene.home.write(".gitignore", "by-rule.txt\n");
    scene.home.git(&["add", ".gitignore"]);
    scene.home.git(&["commit", "--quiet", "--message", "More"]);
    fs::write(scene.home.root().join(".git/info/exclude"), "by-exclude.txt\n").expect("written");
    // The workspaces lie below the home folder, which may be a repository of its own.
    fs::write(scene.home.path("home/.gitignore"), "*\n").expect("written");
    let shown = scene.agentd(&["prompt", "plan", "--change", ID, "Add login"]).exits(0).stdout;
    scene.run(&["--until", "plan"]).exits(0);
    let real = sent(&scene, "plan");
    assert!(real.contains("\nbelow/\n  kept.txt\nkept.txt\nmodule/\n"), "{real}");
    assert!(!real.contains("by-rule.txt") && !real.contains("by-exclude.txt"), "{real}");
    assert!(shown == real, "they differ");
}

#[test]
fn what_does_not_fit_is_left_out_of_the_prompt_that_is_printed_as_of_the_one_that_is_sent() {
    let scene = Scene::new();
    let spec = format!("# Old\n\n{}\n", "What holds now. ".repeat(2000));
    scene.home.write("agentd/specs/old.md", &spec);
    scene.agent_with("small", "read\nplay", "max_prompt = \"24 KB\"\n");
    let words = ["prompt", "plan", "--change", ID, "Add login", "--agent", "small"];
    let shown = scene.agentd(&words).exits(0).says("`agentd/specs/old.md`").says("is left out");
    scene.run(&["--agent", "small", "--until", "plan"]).exits(0);
    let sent = sent(&scene, "plan");
    assert!(sent.contains("left out, since the prompt would be too large"), "{sent}");
    assert!(shown.stdout == sent, "they differ");
    scene.agent_with("tiny", "read\nplay", "max_prompt = \"1 KB\"\n");
    let words = ["prompt", "challenge", "--change", ID, "--agent", "tiny"];
    scene.agentd(&words).exits(11).says("`max_prompt` allows");
}
