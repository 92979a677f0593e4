//! `agentd merge`: the one command that touches the checkout.

use std::path::Path;

use super::scene::{ID, Scene, tree};

/// The file that the offline agent writes.
const WRITTEN: &str = "agentd-demo/add-login.sh";

#[test]
fn a_change_that_is_done_is_merged_once() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    assert!(!scene.home.root().join(WRITTEN).exists());
    scene
        .agentd(&["merge", ID])
        .exits(0)
        .prints("`agentd/add-login` is merged")
        .prints("removed    branch agentd/add-login\n");
    assert!(!scene.home.git(&["branch", "--list"]).contains("agentd/"), "it is cleaned up");
    assert!(scene.home.root().join(WRITTEN).exists());
    scene.agentd(&["merge", ID]).exits(0).prints("is already merged");
    scene.agentd(&["status", ID]).exits(0).prints("next       nothing: it is merged\n");
}

#[test]
fn an_unfinished_change_is_merged_only_when_that_is_said() {
    let scene = Scene::new();
    scene.run(&["--until", "plan"]).exits(0);
    scene
        .agentd(&["merge", ID, "--unfinished"])
        .exits(4)
        .says("no code was written for `add-login` yet");
    scene.run(&["--until", "implement"]).exits(0);
    scene.agentd(&["merge", ID]).exits(4).says("is not archived").says("--unfinished");
    assert!(!scene.home.root().join(WRITTEN).exists());
    scene.agentd(&["merge", ID, "--unfinished"]).exits(0);
    assert!(scene.home.root().join(WRITTEN).exists());
}

#[test]
fn a_dirty_checkout_or_a_conflict_leaves_everything_as_it_was() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    scene.home.write("README.md", "# Edited\n");
    let all = || {
        let mut files = tree(&scene.home.root());
        // It says who held the change last.
        files.remove(Path::new(".git/agentd/changes/add-login.lock"));
        files
    };
    let before = all();
    scene.agentd(&["merge", ID]).exits(4).says("README.md");
    assert_eq!(all(), before);

    scene.home.git(&["checkout", "--quiet", "README.md"]);
    scene.home.write(WRITTEN, "something else\n");
    scene.home.git(&["add", "--", WRITTEN]);
    scene.home.git(&["commit", "--quiet", "--message", "Conflict"]);
    let (checkout, head) = (scene.checkout(), scene.home.git(&["rev-parse", "HEAD"]));
    scene.agentd(&["merge", ID]).exits(4).says("conflict").says(WRITTEN);
    assert_eq!(scene.checkout(), checkout);
    assert_eq!(scene.home.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(scene.home.git(&["status", "--porcelain", "--", ".", ":!agentd"]), "");
}

/// Adds a commit to the change's branch, as whoever has a shell can, and gives the commits before and after it.
fn moved(scene: &Scene) -> (String, String) {
    let git = |arguments: &[&str]| scene.home.git(arguments).trim().to_owned();
    let branch = format!("refs/heads/agentd/{ID}");
    let passed = git(&["rev-parse", &branch]);
    let found = git(&["commit-tree", "-p", &passed, "-m", "More", "HEAD^{tree}"]);
    git(&["update-ref", &branch, &found]);
    (passed, found)
}

/// Does what a message says between backticks, from the second command on: the first one shows the difference.
fn set_back_as_told(scene: &Scene, message: &str) {
    let help = message.split("help: ").nth(1).expect("what to do");
    let commands: Vec<_> = help.split('`').skip(1).step_by(2).collect();
    assert!(commands[0].starts_with("git diff "), "{message}");
    for command in &commands {
        let words: Vec<_> = command.split_whitespace().skip(1).collect();
        scene.home.git(&words);
    }
}

#[test]
fn what_came_to_the_branch_after_the_review_is_not_archived_until_the_branch_is_set_back() {
    let scene = Scene::new();
    scene.run(&["--until", "review"]).exits(0);
    let (passed, found) = moved(&scene);
    for _ in 0..2 {
        scene.run(&[]).exits(4).says("branch `agentd/add-login` is at").says(&passed).says(&found);
        assert_eq!(scene.stage(), "apply", "nothing is put away");
    }
    set_back_as_told(&scene, &scene.run(&[]).exits(4).stderr);
    assert_eq!(scene.home.git(&["rev-parse", "NAME"]).trim(), found, "nothing is lost");
    scene.run(&[]).exits(0).prints("archived");
    scene.agentd(&["merge", ID, "--keep"]).exits(0).prints(&passed);
    assert_eq!(scene.home.git(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn what_came_to_the_branch_after_the_archive_is_not_merged_unless_that_is_said() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let (passed, found) = moved(&scene);
    let before = scene.checkout();
    let refused = scene.agentd(&["merge", ID]).exits(4);
    let refused = refused.says("what was reviewed and checked").says(&passed).says(&found);
    assert_eq!(scene.checkout(), before);
    set_back_as_told(&scene, &refused.stderr);
    scene.agentd(&["merge", ID, "--keep"]).exits(0).prints(&passed);

    let (_, found) = moved(&scene);
    scene.agentd(&["merge", ID]).exits(4).says(&found);
    scene.agentd(&["merge", ID, "--unfinished"]).exits(0).prints(&found);
    scene.agentd(&["merge", ID]).exits(0).prints("is already merged");
}
