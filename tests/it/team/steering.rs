//! A person at the wheel of a team: looking at what would be sent next, and stopping between steps.

use super::scene::{ID, Scene};

/// Takes out of a prompt what differs from one moment to the next.
fn steady(text: &str) -> Vec<&str> {
    text.trim_end().lines().filter(|line| !line.contains("\"changed_ms\"")).collect()
}

#[test]
fn a_dry_run_shows_the_prompt_of_the_next_step_as_it_would_be_and_writes_nothing() {
    let scene = Scene::new();
    let shown = scene.run(&["--dry-run"]).exits(0);
    assert!(!scene.home.root().join("agentd").exists(), "nothing is begun");
    assert!(!scene.home.path("home/.local").exists(), "no state is kept");
    scene.run(&["--until", "architect"]).exits(0);
    let name = "02_architecting/architect_prompt.md";
    let real = format!("==> {name} <==\n{}", scene.read(name));
    assert_eq!(steady(&shown.stdout), steady(&real));

    scene.run(&["--until", "planner"]).exits(0);
    let journal = scene.read("journal.jsonl");
    let shown = scene.run(&["--dry-run"]).exits(0);
    assert!(!scene.change("06_implementation").exists());
    assert_eq!(scene.read("journal.jsonl"), journal);
    let prompts: Vec<_> = shown.stdout.lines().filter(|line| line.starts_with("==> ")).collect();
    let expected = [1, 2].map(|n| format!("==> 06_implementation/coder_prompt_{n}.md <=="));
    assert_eq!(prompts, expected, "every plan of the group that is due");
    scene.run(&["--until", "coders"]).exits(0);
    let first = scene.read("06_implementation/coder_prompt_1.md");
    let plan = |text: &str| text.lines().find(|line| line.contains(".plan-1")).map(str::to_owned);
    assert!(plan(&first).is_some(), "{first}");
    assert_eq!(plan(&shown.stdout), plan(&first), "its workspace is named");
}

#[test]
fn a_dry_run_where_nothing_is_sent_says_what_is_next() {
    let scene = Scene::new();
    scene.home.agentd(&["run", ID, "--flow", "team", "--dry-run"]).exits(4).says("no change");
    scene.run(&["--until", "coders"]).exits(0);
    scene.run(&["--dry-run"]).exits(0).prints("07_review/review_prompt.md");
    scene.run(&[]).exits(0);
    scene.run(&["--dry-run"]).exits(4).says("nothing would be sent").says("agentd approve");
}

/// Takes out of a prompt the one line that is not known before its step begins, and nothing else.
fn timeless(text: &str) -> String {
    let lines = text.split_inclusive('\n').filter(|line| !line.starts_with("  \"changed_ms\": "));
    lines.collect()
}

#[test]
fn seed_002_the_prompt_of_a_member_is_printed_as_the_run_then_sends_it() {
    let scene = Scene::new();
    scene.config("[team]\nproduct_manager = true\n");
    scene.run(&["--pause", "product-manager"]).exits(0);
    for (words, run) in [
        (&["--role", "architect"][..], "-architect"),
        (&["--role", "planner"], "-planner"),
        (&["--role", "coder", "--plan", "1"], "-coder-1"),
        // The first review fails, so that nobody is asked before the fix.
        (&["--command", "review"], "-review"),
        (&["--command", "review"], "-review"),
        (&["--command", "summary"], "-summary"),
    ] {
        scene.home.agentd(&["approve", ID]).exits(0);
        let printed = scene.home.agentd(&[&["prompt", "--change", ID], words].concat()).exits(0);
        assert_eq!(printed.stderr.lines().count(), 1, "{words:?}: {}", printed.stderr);
        let printed = printed.says("`changed_ms` in state.json").stdout;
        // It stops after one step and the checks that belong to it.
        scene.run(&["--pause"]).exits(0);
        let runs = scene.runs(run);
        let sent = scene.read(&format!("runs/{}/prompt.md", runs.last().expect("a run")));
        assert!(timeless(&printed) == timeless(&sent), "{words:?}:\n{printed}\nis not\n{sent}");
    }
    let elsewhere = scene.home.agentd(&["prompt", "--role", "planner", "--change", ID]).exits(0);
    elsewhere.says("is at your approval").says("names its workspace in place of");
}

fn stage(scene: &Scene) -> serde_json::Value {
    scene.home.agentd(&["status", ID, "--json"]).json()["stage"].clone()
}

#[test]
fn a_pause_after_a_step_waits_for_a_person_and_comes_but_once() {
    let scene = Scene::new();
    let paused = scene.run(&["--pause", "architect"]).exits(0);
    paused.prints("The result of architect is ready for your approval.").prints("agentd reject");
    assert_eq!(stage(&scene), "approve-architect");
    scene.run(&[]).exits(0).prints("is ready for your approval");
    assert!(scene.runs("-planner").is_empty(), "it waits, whatever the next run is told");
    scene.home.agentd(&["reject", ID, "Smaller"]).exits(0).prints("is now at architect");
    scene.run(&["--pause", "architect"]).exits(0).prints("The result of architect is ready");
    assert!(scene.read("02_architecting/architect_prompt.md").contains("Smaller"));
    scene.home.agentd(&["approve", ID]).exits(0).prints("is now at planner");

    scene
        .run(&["--pause"])
        .exits(0)
        .prints("The result of planner is ready")
        .prints("agentd reject");
    scene.home.agentd(&["approve", ID]).exits(0);
    scene.run(&["--pause"]).exits(0).prints("The result of coders is ready").prints("checks");
    scene.home.agentd(&["reject", ID, "Say more"]).exits(0).prints("is now at change");
    scene.run(&["--pause", "planner,review"]).exits(0).prints("The result of review is ready");
    scene.run(&["--pause", "dance"]).exits(2).says("`dance` in `--pause dance` is not a step");
}

#[test]
fn what_came_to_the_branch_after_the_summary_is_neither_archived_nor_merged() {
    let scene = Scene::new();
    scene.run(&[]).exits(0).prints("waiting");
    let git = |arguments: &[&str]| scene.home.git(arguments).trim().to_owned();
    let branch = format!("agentd/{ID}");
    let passed = git(&["rev-parse", &branch]);
    let found = git(&["commit-tree", "-p", &passed, "-m", "More", "HEAD^{tree}"]);
    let name = format!("refs/heads/{branch}");
    git(&["update-ref", &name, &found]);
    scene.home.agentd(&["approve", ID]).exits(4).says(&passed).says(&found);
    assert_eq!(stage(&scene), "apply");
    git(&["update-ref", &name, &passed]);
    scene.run(&[]).exits(0).prints("archived");
    git(&["update-ref", &name, &found]);
    scene.home.agentd(&["merge", ID]).exits(4).says(&passed).says(&found);
    git(&["update-ref", &name, &passed]);
    scene.home.agentd(&["merge", ID]).exits(0).prints(&passed);
}
