//! Whatever way a file outside of what a plan owns is written, it is seen.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use agentd::engine::lanes::LaneState;

use super::scene::{Agents, Team, index};
use crate::git::scene::{Scene, write};

/// Runs one plan that does something to a repository with files in and outside of what it owns.
fn outside(act: impl Fn(&Scene, &Path)) -> Vec<String> {
    let scene = Scene::new();
    scene.write("lane-1/own.txt", "own\n".repeat(20));
    scene.write("other/file.txt", "other\n".repeat(20));
    scene.write("run.sh", "#!/bin/sh\n");
    scene.commit("files");
    let mut team = Team::of(scene);
    let user = Scene::new();
    let agents = Agents::default().with(1, |tree| {
        act(&user, tree);
        Ok(())
    });
    let records = team.run([1], &agents).unwrap();
    match records.state(index(1)) {
        LaneState::Merged { .. } => Vec::new(),
        LaneState::Quarantined { files, .. } => files.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_plan_owns_it_may_write_delete_and_rename() {
    assert_eq!(outside(|_, tree| write(&tree.join("lane-1/new.txt"), "new")), [""; 0]);
    assert_eq!(outside(|_, tree| fs::remove_file(tree.join("lane-1/own.txt")).unwrap()), [""; 0]);
    let rename = |_: &Scene, tree: &Path| {
        fs::rename(tree.join("lane-1/own.txt"), tree.join("lane-1/renamed.txt")).unwrap();
    };
    assert_eq!(outside(rename), [""; 0]);
    let ignored = |_: &Scene, tree: &Path| write(&tree.join("target/built"), "ignored");
    assert_eq!(outside(ignored), [""; 0], "what git ignores is never merged");
}

#[test]
fn every_kind_of_write_elsewhere_is_seen() {
    assert_eq!(outside(|_, tree| write(&tree.join("new.txt"), "new")), ["new.txt"]);
    assert_eq!(outside(|_, tree| write(&tree.join("lane-10/x"), "new")), ["lane-10/x"]);
    assert_eq!(
        outside(|_, tree| write(&tree.join("other/file.txt"), "edited")),
        ["other/file.txt"]
    );
    let deleted = outside(|_, tree| fs::remove_file(tree.join("other/file.txt")).unwrap());
    assert_eq!(deleted, ["other/file.txt"]);
    let mode = |_: &Scene, tree: &Path| {
        fs::set_permissions(tree.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    };
    assert_eq!(outside(mode), ["run.sh"]);
    let link = |_: &Scene, tree: &Path| {
        fs::remove_file(tree.join("run.sh")).unwrap();
        symlink("other/file.txt", tree.join("run.sh")).unwrap();
    };
    assert_eq!(outside(link), ["run.sh"]);
    let odd = |_: &Scene, tree: &Path| write(&tree.join("a b\n\"c\""), "odd");
    assert_eq!(outside(odd), ["a b\n\"c\""]);
}

#[test]
fn a_file_with_another_name_counts_by_both_names() {
    let out = |_: &Scene, tree: &Path| {
        fs::rename(tree.join("lane-1/own.txt"), tree.join("stolen.txt")).unwrap();
    };
    assert_eq!(outside(out), ["stolen.txt"]);
    let into = |_: &Scene, tree: &Path| {
        fs::rename(tree.join("other/file.txt"), tree.join("lane-1/taken.txt")).unwrap();
    };
    assert_eq!(outside(into), ["other/file.txt"]);
}

#[test]
fn what_an_agent_has_committed_itself_is_seen_too() {
    let committed = |user: &Scene, tree: &Path| {
        write(&tree.join("other/file.txt"), "edited");
        user.git_in(tree, &["add", "--all"]);
        user.git_in(
            tree,
            &["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "mine"],
        );
        write(&tree.join("lane-1/more.txt"), "more");
    };
    assert_eq!(outside(committed), ["other/file.txt"]);
    let on_another_branch = |user: &Scene, tree: &Path| {
        user.git_in(tree, &["checkout", "--quiet", "-b", "mine"]);
        committed(user, tree);
    };
    assert_eq!(outside(on_another_branch), ["other/file.txt"]);
}

#[test]
fn a_submodule_that_an_agent_makes_is_no_result() {
    let submodule = |user: &Scene, tree: &Path| {
        let commit = user.repository().head().unwrap();
        let link = format!("160000,{commit},vendored");
        user.git_in(tree, &["update-index", "--add", "--cacheinfo", &link]);
        let text = "[submodule \"vendored\"]\n\tpath = vendored\n\turl = ./x\n\tignore = all\n";
        write(&tree.join(".gitmodules"), text);
        fs::create_dir(tree.join("vendored")).unwrap();
        user.git_in(tree, &["add", ".gitmodules"]);
        user.git_in(
            tree,
            &["-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "mine"],
        );
    };
    assert_eq!(outside(submodule), [".gitmodules"]);
}

#[test]
fn history_that_an_agent_has_rewritten_has_no_effect() {
    let mut team = Team::new();
    let user = Scene::new();
    let agents = Agents::default().with(1, |tree| {
        let amend = [
            "-c",
            "user.name=A",
            "-c",
            "user.email=a@b.c",
            "commit",
            "--quiet",
            "--amend",
            "-m",
            "mine",
        ];
        user.git_in(tree, &amend);
        write(&tree.join("lane-1/x"), "x");
        Ok(())
    });
    let records = team.run([1], &agents).unwrap();
    let LaneState::Merged { commit, .. } = records.state(index(1)) else { panic!("{records:?}") };
    let start = team.git.git(&["rev-parse", "main"]);
    assert_eq!(team.git.git(&["log", "-1", "--format=%P", commit.as_str()]), start);
    assert_eq!(team.files(), ["lane-1/x"]);
}
