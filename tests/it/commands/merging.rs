//! `agentd merge`: the one command that touches the checkout.

use super::scene::{ID, Scene, tree};

/// The file that the offline agent writes.
const WRITTEN: &str = "agentd-demo/add-login.sh";

#[test]
fn a_change_that_is_done_is_merged_once() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    assert!(!scene.home.root().join(WRITTEN).exists());
    scene.agentd(&["merge", ID]).exits(0).prints("`agentd/add-login` is merged");
    assert!(scene.home.root().join(WRITTEN).exists());
    scene.agentd(&["merge", ID]).exits(0).prints("is merged already");
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
    let before = tree(&scene.home.root());
    scene.agentd(&["merge", ID]).exits(4).says("README.md");
    assert_eq!(tree(&scene.home.root()), before);

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
