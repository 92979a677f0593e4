//! The commands at the end of a change, killed at some moment: the same command finishes what was begun.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::scene::{ID, Scene};

/// The file that the offline agent writes.
const WRITTEN: &str = "agentd-demo/add-login.sh";

/// Makes a change that is archived, with a branch of the user's that has moved on, and kills a command after a while.
fn killed(command: &[&str], milliseconds: u64) -> Scene {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    scene.home.write("other.txt", "the user's\n");
    scene.home.git(&["add", "other.txt"]);
    scene.home.git(&["commit", "--quiet", "--message", "Meanwhile"]);
    let mut child = scene.home.start(command);
    thread::sleep(Duration::from_millis(milliseconds));
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    // A git that it started goes on to its end.
    thread::sleep(Duration::from_millis(100));
    scene
}

#[test]
fn a_discard_that_is_killed_at_any_moment_is_finished_by_the_same_command() {
    for milliseconds in [5, 20, 35, 50, 65] {
        let scene = killed(&["discard", ID, "--yes"], milliseconds);
        let ended = scene.agentd(&["discard", ID, "--yes"]);
        assert!(
            ended.code == Some(0) || ended.stderr.contains("there is no change"),
            "{}",
            ended.stderr
        );
        let root = scene.home.root();
        for path in ["agentd/specs/add-login.md", "agentd/changes/add-login", "agentd/CHANGELOG.md"]
        {
            assert!(!root.join(path).exists(), "{path} is left after {milliseconds} ms");
        }
        assert_eq!(fs::read_dir(root.join("agentd/archive")).expect("it").count(), 0);
        let states = fs::read_dir(root.join(".git/agentd/changes")).expect("states");
        let is_lock = |path: &Path| path.extension().is_some_and(|it| it == "lock");
        assert!(states.map(|entry| entry.expect("an entry").path()).all(|path| is_lock(&path)));
        assert_eq!(scene.home.git(&["for-each-ref", "refs/heads/agentd/", "refs/agentd/"]), "");
    }
}

#[test]
fn a_rebase_that_is_killed_at_any_moment_is_finished_by_the_same_command() {
    for milliseconds in [10, 35, 60, 85] {
        let scene = killed(&["rebase", ID], milliseconds);
        scene.agentd(&["rebase", ID]).exits(0);
        assert!(scene.home.root().join("agentd/changes/add-login/proposal.md").exists());
        scene.run(&[]).exits(0).prints("archived");
        scene.agentd(&["merge", ID]).exits(0);
        assert_eq!(scene.home.git(&["rev-list", "--merges", "HEAD"]), "");
    }
}

#[test]
fn a_merge_that_is_killed_at_any_moment_is_finished_by_the_same_command() {
    for milliseconds in [10, 30, 50, 70] {
        let scene = killed(&["merge", ID], milliseconds);
        scene.agentd(&["merge", ID]).exits(0);
        assert!(scene.home.root().join(WRITTEN).exists());
        assert_eq!(scene.home.git(&["status", "--porcelain", "--", ".", ":!agentd"]), "");
    }
}
