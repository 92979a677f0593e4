//! Ctrl-C while git is at work: every command ends soon and leaves no git behind, and a merge is whole or not there.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::scene::{ID, Scene};
use crate::process::scene::{Mark, await_that};
use crate::project::ended;
use crate::ran::Ran;
use crate::support::install;

/// The file that the offline agent writes.
const WRITTEN: &str = "agentd-demo/add-login.sh";
/// How soon a command ends that was interrupted: within a second, and five times that on a busy machine.
const SOON: Duration = Duration::from_secs(5);

fn interrupted(child: Child) -> (Ran, Duration) {
    let start = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    (ended(child), start.elapsed())
}

#[test]
fn every_command_answers_ctrl_c_while_its_git_hangs_and_leaves_none() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let mark = Mark::new();
    // It is deaf to the first request, as one that waits for a disk is.
    let git = format!("#!/bin/sh\ntrap '' TERM INT\nsleep {}\n", mark.0);
    install(&scene.home.path("bin/git"), git, 0o755);
    for words in [
        &["run", ID][..],
        &["run", "add-cart", "Add a cart"],
        &["plan", ID],
        &["approve", ID],
        &["reject", ID, "Again"],
        &["cancel", ID],
        &["list"],
        &["status", ID],
        &["log", ID],
        &["show", ID],
        &["diff", ID],
        &["merge", ID],
        &["rebase", ID],
        &["discard", ID, "--yes"],
        &["prune"],
        &["usage"],
        &["doctor"],
        &["demo"],
    ] {
        let child = scene.home.start(words);
        await_that(&format!("git of {words:?}"), || !mark.sleepers().is_empty());
        let (ran, took) = interrupted(child);
        let ran = ran.exits(130).says("interrupted");
        assert!(took < SOON, "{words:?} took {took:?}: {}", ran.stderr);
        assert_eq!(mark.processes(), [0; 0], "git of {words:?} lives on");
    }
}

/// Merges a change that is done while the user's own filter works on the file that it brings, and interrupts that.
fn merging(filter: &str) -> (Scene, Mark, Ran, Duration) {
    let (scene, mark) = (Scene::new(), Mark::new());
    scene.run(&[]).exits(0);
    scene.home.write(".gitattributes", "*.sh filter=slow\n");
    scene.home.git(&["add", ".gitattributes"]);
    scene.home.git(&["commit", "--quiet", "--message", "Filter"]);
    let began = scene.home.path("began");
    let filter = format!("sh -c 'echo x >{}; {filter}'", began.display());
    scene.home.git(&["config", "filter.slow.smudge", &filter.replace("MARK", &mark.0)]);
    let child = scene.home.start(&["merge", ID]);
    await_that("git writes the file", || began.exists());
    let (ran, took) = interrupted(child);
    assert_eq!(mark.processes(), [0; 0], "git lives on");
    (scene, mark, ran, took)
}

fn status(scene: &Scene) -> String {
    scene.home.git(&["status", "--porcelain", "--", ".", ":!agentd"])
}

#[test]
fn a_merge_that_is_interrupted_while_it_writes_comes_to_its_end() {
    let (scene, _, ran, _) = merging("sleep 2; cat");
    ran.exits(0).says("interrupted").prints("is merged");
    assert!(scene.home.root().join(WRITTEN).exists());
    assert_eq!(status(&scene), "");
    assert_eq!(scene.home.git(&["rev-list", "--count", "--merges", "HEAD"]).trim(), "1");
}

#[test]
fn a_merge_that_is_interrupted_and_does_not_come_to_its_end_is_taken_back() {
    let (scene, _, ran, took) = merging("sleep MARK; cat");
    ran.exits(130).says("interrupted");
    // Ten seconds to come to its end, and five times what the rest takes.
    assert!(took < Duration::from_secs(20), "{took:?}");
    assert!(!scene.home.root().join(WRITTEN).exists());
    assert_eq!(status(&scene), "");
    assert_eq!(scene.home.git(&["rev-list", "--count", "--merges", "HEAD"]).trim(), "0");
    assert!(!scene.home.root().join(".git/index.lock").exists());
    scene.home.git(&["config", "--unset", "filter.slow.smudge"]);
    scene.agentd(&["merge", ID]).exits(0);
    assert_eq!(status(&scene), "");
    fs::metadata(scene.home.root().join(WRITTEN)).expect("it is merged");
}
