//! Sketches: the names of a commit, from which the same folder tree is drawn as from a checkout of it.

use agentd::engine::git::{Extent, Workspace};
use agentd::prompt::tree::tree;

use super::scene::{Scene, at_commit};

/// Draws the tree of the commit that is checked out from a sketch of its first names.
fn sketched(scene: &Scene, most: usize) -> (Extent, String) {
    let repository = scene.repository();
    let head = repository.head().unwrap();
    let sketch = tempfile::tempdir().unwrap();
    (repository.sketch(&head, sketch.path(), most).unwrap(), tree(sketch.path()))
}

/// Draws the tree of a checkout of the same commit.
fn checked_out(scene: &Scene) -> String {
    let repository = scene.repository();
    let head = repository.head().unwrap();
    let workspace = Workspace::open(&repository, &scene.path("state/w"), at_commit(&head)).unwrap();
    tree(workspace.path())
}

#[test]
fn the_tree_of_a_sketch_is_that_of_a_checkout() {
    let scene = Scene::new();
    // Git sorts a folder as if a slash were part of its name.
    for path in ["a/x", "a-1", "a.b", "A/y", "deep/2/3/4/5/6/7/8/hidden", "kept/b.log", "x/!kept"] {
        scene.write(path, "text");
    }
    scene.write("kept/.gitignore", "!*.log\n");
    scene.write("x/.ignore", "!*\nmade\n");
    scene.write("x/made", "text");
    scene.commit("more");
    let there = checked_out(&scene);
    assert_eq!(sketched(&scene, usize::MAX), (Extent::Whole, there.clone()));
    assert!(there.contains("  b.log\n") && !there.contains("made"), "{there}");
}

#[test]
fn the_first_names_are_sketched_without_a_gap_or_a_gap_is_told() {
    let scene = Scene::new();
    for number in 0..40 {
        scene.write(format!("first/{}/{number}", number % 7), "text");
        scene.write(format!("last/(parts)/{number}"), "text");
    }
    scene.write("last/.gitignore", "9\n");
    scene.commit("more");
    let whole = checked_out(&scene);
    let mut seen = Vec::new();
    for most in (1..110).step_by(3) {
        let (extent, sketched) = sketched(&scene, most);
        match extent {
            Extent::Whole => assert_eq!(sketched, whole),
            Extent::Beginning => assert!(whole.starts_with(&sketched), "{most}: {sketched}"),
            Extent::Gaps => {}
        }
        seen.push(extent);
    }
    seen.dedup();
    let expected = [Extent::Beginning, Extent::Gaps, Extent::Beginning, Extent::Whole];
    assert_eq!(seen, expected);
}
