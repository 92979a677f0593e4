//! `[verify]`: what the project's own commands say counts, whatever a reviewer says.

use std::fs;

use super::scene::{ID, Scene};

/// A reviewer who finds everything good.
const EASY: &str = "count COUNT\nread\nanswer Everything is fine.\\n\\n<review>PASS</review>";

#[test]
fn red_checks_keep_a_change_out_of_the_archive_whatever_the_verdict_says() {
    let scene = Scene::new();
    scene.agent("easy", EASY);
    scene.config("[verify]\ncommands = [\"echo seen by the reviewer; exit 3\"]\n[limits]\nimplement_rounds = 2\n");
    scene
        .run(&["--agent", "review=easy"])
        .exits(8)
        .prints("check      failed: echo seen by the reviewer; exit 3 (exit code 3, ")
        .prints("checks     red: the change cannot be archived like this")
        .prints("review     PASS, but the checks are red or documents are missing: back to implement (")
        .says("`implement` of `add-login` has had all its rounds: the project's checks are red (CHECKS.md)")
        .says("agentd reject add-login \"");
    assert_eq!(scene.calls("easy"), 2);
    assert!(scene.read("CHECKS.md").contains("FAILED, exit code 3"));
    let reviews: Vec<_> = scene.runs().into_iter().filter(|run| run.ends_with("-review")).collect();
    let prompt = scene.prompt(&reviews[0]);
    assert!(prompt.contains("result: FAILED, exit code 3"), "{prompt}");
    assert!(prompt.contains("\nseen by the reviewer\n"), "{prompt}");
    let implements: Vec<_> =
        scene.runs().into_iter().filter(|run| run.ends_with("-implement")).collect();
    assert!(scene.prompt(&implements[1]).contains("The project's checks are red."));
    scene
        .agentd(&["status", ID])
        .exits(0)
        .prints("checks     red")
        .prints("next       agentd reject add-login \"what to do\"");
    scene.run(&[]).exits(8).says("the project's checks are red");
    scene.agentd(&["merge", ID]).exits(4);
}

#[test]
fn security_commands_count_as_much() {
    let scene = Scene::new();
    scene.agent("easy", EASY);
    scene.config("[verify]\ncommands = [\"true\"]\nsecurity = [[\"false\"]]\n[limits]\nimplement_rounds = 1\n");
    scene
        .run(&["--agent", "review=easy"])
        .exits(8)
        .prints("check      passed: true (")
        .prints("check      failed: false (exit code 1, ");
    let evidence = scene.read("CHECKS.md");
    assert!(
        evidence.contains("## false\n\n- kind: security check\n- result: FAILED"),
        "{evidence}"
    );
}

#[test]
fn a_check_that_hangs_is_ended_and_one_that_floods_is_cut_and_said() {
    let scene = Scene::new();
    scene.agent("easy", EASY);
    scene.config(
        "[verify]\ntimeout = \"1s\"\ncommands = [\"sleep 3600\", \"yes 0123456789 | head -c 3000000; echo the end\"]\n\
         [limits]\nimplement_rounds = 1\n",
    );
    scene
        .run(&["--agent", "review=easy"])
        .exits(8)
        .prints("check      failed: sleep 3600 (took longer than 1 s")
        .prints("check      passed: yes 0123456789");
    let evidence = scene.read("CHECKS.md");
    assert!(evidence.len() < 80_000, "{}", evidence.len());
    assert!(evidence.contains("FAILED, took longer than 1 s"), "{evidence}");
    assert!(evidence.contains("the end\n"), "the end is what counts");
    assert!(evidence.contains("bytes are left out)"), "{evidence}");
}

#[test]
fn what_checks_write_is_no_part_of_the_change() {
    let scene = Scene::new();
    scene.config("[verify]\ncommands = [\"test ! -e left; touch left; echo x >> README.md; git status --short\"]\n");
    // The second check finds nothing of the first.
    scene.run(&[]).exits(0);
    let diff = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(!diff.contains("left") && !diff.contains("README"), "{diff}");
    let journal = fs::read_to_string(scene.archived().join("journal.jsonl")).expect("a journal");
    assert_eq!(
        journal.matches("\"event\":\"finished\",\"step\":\"checks\"").count(),
        2,
        "{journal}"
    );
}

#[test]
fn a_worktree_is_set_up_once_and_a_failure_of_that_is_told() {
    let scene = Scene::new();
    scene.config("[worktree]\nsetup = [\"echo x >> ../setups; cp README.md vendored.txt; echo vendored.txt >> $(git rev-parse --git-common-dir)/info/exclude\"]\n[verify]\ncommands = [\"true\"]\n");
    scene.run(&[]).exits(0);
    let diff = scene.agentd(&["diff", ID, "--stat"]).exits(0).stdout;
    assert!(diff.contains("2 files changed"), "{diff}");

    let scene = Scene::new();
    scene.config("[worktree]\nsetup = [\"echo cannot; exit 7\"]\n");
    scene
        .run(&[])
        .exits(4)
        .says("`echo cannot; exit 7`, which sets up the worktree, failed: exit code 7")
        .says("[worktree] setup");
    scene.run(&[]).exits(4).says("exit code 7");
}
