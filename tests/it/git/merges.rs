//! Merging a change into the user's checkout.

use std::fs;
use std::path::Path;

use agentd::engine::git::{Commit, GitError, Merged, merge};

use super::scene::{BRANCH, Scene, write};

const OURS: [&str; 1] = ["agentd/"];

/// Makes the change's branch with one commit, and gives that.
fn change(scene: &Scene, file: &str, text: &str) -> Commit {
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join(file), text);
    workspace.commit(&start, "the change").unwrap().0
}

#[track_caller]
fn refused(scene: &Scene) -> GitError {
    let before = scene.checkout();
    let error = merge(&scene.repository(), BRANCH, None, &OURS).unwrap_err();
    assert_eq!(scene.checkout(), before, "a merge that fails changes nothing");
    assert!(!scene.root().join(".git/MERGE_HEAD").exists());
    error
}

#[test]
fn a_branch_is_merged_by_moving_on_or_by_a_commit_that_joins() {
    let scene = Scene::new();
    let commit = change(&scene, "src/login.rs", "login");
    // Our own folder may hold whatever it likes.
    scene.write("agentd/changes/x.md", "not committed");
    let repository = scene.repository();
    assert_eq!(
        merge(&repository, BRANCH, None, &OURS).unwrap(),
        Merged::FastForward(commit.clone())
    );
    assert_eq!(fs::read_to_string(scene.root().join("src/login.rs")).unwrap(), "login");
    assert_eq!(merge(&repository, BRANCH, None, &OURS).unwrap(), Merged::Already(commit));
    assert_eq!(scene.git(&["status", "--porcelain"]), "?? agentd/");

    let scene = Scene::new();
    let commit = change(&scene, "src/login.rs", "login");
    scene.write("other", "the user's");
    let user = scene.commit("meanwhile");
    let merged = merge(&scene.repository(), BRANCH, None, &OURS).unwrap();
    let head = scene.repository().head().unwrap();
    assert_eq!(merged, Merged::Joined(head));
    assert_eq!(scene.git(&["log", "-1", "--format=%P"]), format!("{user} {commit}"));
    let log = scene.git(&["log", "-1", "--format=%an|%cn|%s"]);
    assert_eq!(log, "Ada|agentd|Merge branch 'agentd/add-login' into main");
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_conflict_changes_nothing_and_names_both_branches_and_the_files() {
    let scene = Scene::new();
    change(&scene, "src/main.rs", "fn main() { login() }\n");
    scene.write("src/main.rs", "fn main() { log() }\n");
    scene.commit("meanwhile");
    let error = refused(&scene);
    let text = error.to_string();
    assert!([BRANCH, "main", "src/main.rs"].iter().all(|name| text.contains(name)), "{text}");
    let GitError::Conflict { files, into, .. } = &error else { panic!("{error:?}") };
    assert_eq!((files.as_slice(), into.as_str()), (&["src/main.rs".into()][..], "main"));
    assert!(error.help().unwrap().contains("git merge agentd/add-login"));
}

#[test]
fn edits_outside_of_our_own_folder_stop_a_merge() {
    let scene = Scene::new();
    change(&scene, "src/login.rs", "login");
    scene.write("src/main.rs", "edited");
    let error = refused(&scene);
    let expected = [Path::new("src/main.rs")];
    assert!(matches!(&error, GitError::Dirty { files, .. } if *files == expected), "{error:?}");
    scene.git(&["add", "--all"]);
    assert!(matches!(refused(&scene), GitError::Dirty { .. }));
}

#[test]
fn files_that_git_does_not_know_are_never_written_over() {
    for file in ["src/login.rs", "login.log"] {
        let scene = Scene::new();
        let (workspace, start) = scene.workspace();
        write(&workspace.path().join(file), "theirs");
        write(&workspace.path().join(".gitignore"), "target/\n");
        workspace.commit(&start, "the change").unwrap();
        scene.write(file, "the user's own");
        let error = refused(&scene);
        assert!(
            matches!(&error, GitError::InTheWay { files, .. } if *files == [Path::new(file)]),
            "{error:?}"
        );
        scene.write("other", "the user's");
        scene.git(&["add", "other"]);
        scene.git(&["commit", "--quiet", "-m", "meanwhile"]);
        assert!(matches!(refused(&scene), GitError::InTheWay { .. }), "nor by a commit that joins");
    }
}

#[test]
fn a_merge_needs_both_branches() {
    let scene = Scene::new();
    let none = refused(&scene);
    assert!(matches!(&none, GitError::NoBranch { branch } if branch == BRANCH), "{none:?}");
    change(&scene, "src/login.rs", "login");
    scene.git(&["checkout", "--quiet", "--detach"]);
    assert!(matches!(refused(&scene), GitError::Detached { .. }));
}

#[test]
fn settings_of_the_user_do_not_change_what_a_merge_is() {
    let scene = Scene::new();
    for (key, value) in [
        ("merge.ff", "only"),
        ("branch.main.mergeOptions", "--squash --no-commit"),
        ("merge.verifySignatures", "true"),
        ("pull.twohead", "ours"),
        ("merge.autoStash", "true"),
    ] {
        scene.git(&["config", key, value]);
    }
    let commit = change(&scene, "src/login.rs", "login");
    scene.write("other", "the user's");
    let user = scene.commit("meanwhile");
    assert!(matches!(merge(&scene.repository(), BRANCH, None, &OURS), Ok(Merged::Joined(_))));
    assert_eq!(scene.git(&["log", "-1", "--format=%P"]), format!("{user} {commit}"));
    assert!(scene.root().join("src/login.rs").exists());
}
