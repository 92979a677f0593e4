//! Merging a change into the user's checkout.

use std::fs;
use std::path::Path;

use agentd::engine::git::{Commit, GitError, Known, Merged, merge};

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
    let error = merge(&scene.repository(), BRANCH, Known::default(), &OURS).unwrap_err();
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
        merge(&repository, BRANCH, Known::default(), &OURS).unwrap(),
        Merged::FastForward(commit.clone())
    );
    assert_eq!(fs::read_to_string(scene.root().join("src/login.rs")).unwrap(), "login");
    assert_eq!(
        merge(&repository, BRANCH, Known::default(), &OURS).unwrap(),
        Merged::Already(commit)
    );
    assert_eq!(scene.git(&["status", "--porcelain"]), "?? agentd/");

    let scene = Scene::new();
    let commit = change(&scene, "src/login.rs", "login");
    scene.write("other", "the user's");
    let user = scene.commit("meanwhile");
    let merged = merge(&scene.repository(), BRANCH, Known::default(), &OURS).unwrap();
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
    assert!(matches!(
        merge(&scene.repository(), BRANCH, Known::default(), &OURS),
        Ok(Merged::Joined(_))
    ));
    assert_eq!(scene.git(&["log", "-1", "--format=%P"]), format!("{user} {commit}"));
    assert!(scene.root().join("src/login.rs").exists());
}

/// Makes the change's branch with some files, and without some.
fn change_of(scene: &Scene, files: &[(&str, &str)], gone: &[&str]) -> Commit {
    let (workspace, start) = scene.workspace();
    for path in gone {
        let path = workspace.path().join(path);
        fs::remove_file(&path).unwrap();
        // A folder that is empty then goes too.
        let _ = fs::remove_dir(path.parent().unwrap());
    }
    for (path, text) in files {
        write(&workspace.path().join(path), text);
    }
    workspace.commit(&start, "the change").unwrap().0
}

/// Whether a merge is refused for these files, by moving on and by a commit that joins.
#[track_caller]
fn is_refused_for(scene: &Scene, expected: &[&str]) {
    let expected: Vec<_> = expected.iter().map(Path::new).collect();
    for _ in 0..2 {
        let error = refused(scene);
        assert!(
            matches!(&error, GitError::InTheWay { files, .. } if *files == expected),
            "{error:?} is not {expected:?}"
        );
        scene.write("meanwhile.txt", "the user's");
        scene.git(&["add", "meanwhile.txt"]);
        scene.git(&["commit", "--quiet", "--allow-empty", "-m", "meanwhile"]);
    }
}

#[test]
fn ignored_and_unknown_files_at_every_prefix_of_what_a_merge_writes_are_named_and_stay() {
    // In the place of a folder: ignored, unknown, a link that dangles, one that leads elsewhere.
    let scene = Scene::new();
    change_of(&scene, &[("a/x/y.rs", "code"), ("b/y.rs", "code"), ("c/y.rs", "code")], &[]);
    scene.write(".git/info/exclude", "/a\n");
    scene.write("a", "ignored");
    scene.write("b", "unknown");
    std::os::unix::fs::symlink("/nowhere", scene.root().join("c")).unwrap();
    is_refused_for(&scene, &["a", "b", "c"]);

    // Below a path that becomes a file, however deep, and beside what git knows.
    let scene = Scene::new();
    scene.write("kept/known", "known");
    scene.commit("known");
    change_of(&scene, &[("kept", "now a file"), ("d", "a file")], &["kept/known"]);
    scene.write("kept/deep/secret.log", "ignored");
    scene.write("d/target/x", "ignored");
    scene.write("d/plain", "unknown");
    is_refused_for(&scene, &["d/plain", "d/target/x", "kept/deep/secret.log"]);

    // A repository in the place of a file.
    let scene = Scene::new();
    change_of(&scene, &[("e", "a file")], &[]);
    scene.write("e/.git/config", "a repository");
    is_refused_for(&scene, &["e/.git/config"]);
}

#[test]
fn a_file_that_git_was_told_not_to_look_at_is_not_written_over() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let scene = Scene::new();
        change(&scene, "src/main.rs", "fn main() { login() }\n");
        scene.git(&["update-index", flag, "src/main.rs"]);
        scene.write("src/main.rs", "my own settings\n");
        is_refused_for(&scene, &["src/main.rs"]);
    }
}

#[test]
fn empty_folders_and_files_that_git_knows_are_in_nobody_s_way() {
    let scene = Scene::new();
    scene.write("kept/known", "known");
    scene.commit("known");
    let commit = change_of(
        &scene,
        &[("kept", "now a file"), ("link/x", "a folder"), ("d", "a file")],
        &["kept/known", "link"],
    );
    fs::create_dir_all(scene.root().join("d/empty")).unwrap();
    let merged = merge(&scene.repository(), BRANCH, Known::default(), &OURS).unwrap();
    assert_eq!(merged, Merged::FastForward(commit));
    assert_eq!(fs::read_to_string(scene.root().join("kept")).unwrap(), "now a file");
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
}

#[test]
fn a_branch_of_the_user_that_dropped_the_base_of_a_change_is_not_given_it_back() {
    let scene = Scene::new();
    scene.write("secret.txt", "a key");
    let base = scene.commit("oops");
    let passed = change(&scene, "src/login.rs", "login");
    scene.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    let before = scene.checkout();
    let known = Known { base: Some(&base), passed: Some(&passed) };
    let error = merge(&scene.repository(), BRANCH, known, &OURS).unwrap_err();
    assert!(matches!(&error, GitError::BaseLeft { into, .. } if into == "main"), "{error:?}");
    assert!(error.help().unwrap().contains("`agentd rebase add-login`"));
    assert_eq!(scene.checkout(), before);

    // Nor is a history that has nothing to do with it.
    scene.git(&["checkout", "--quiet", "--orphan", "other"]);
    scene.git(&["commit", "--quiet", "-m", "begin again"]);
    assert!(matches!(refused_knowing(&scene, known), GitError::BaseLeft { .. }));
}

#[track_caller]
fn refused_knowing(scene: &Scene, known: Known<'_>) -> GitError {
    let before = scene.checkout();
    let error = merge(&scene.repository(), BRANCH, known, &OURS).unwrap_err();
    assert_eq!(scene.checkout(), before, "a merge that fails changes nothing");
    error
}

#[test]
fn settings_of_merges_and_of_the_branch_decide_nothing() {
    let settings: [&[(&str, &str)]; 6] = [
        &[("branch.main.mergeOptions", "-Xours")],
        &[("branch.main.mergeOptions", "--strategy=ours --no-ff --squash")],
        &[("merge.default", "union")],
        &[("merge.renames", "false"), ("diff.renames", "false")],
        &[("merge.directoryRenames", "true")],
        &[("merge.renormalize", "true"), ("diff.algorithm", "minimal")],
    ];
    let lines: String = (0..40).map(|line| format!("line {line}\n")).collect();
    let make = |settings: &[(&str, &str)]| {
        let scene = Scene::new();
        scene.write("old/a.txt", &lines);
        scene.write("old/b.txt", &lines);
        scene.commit("folder");
        let edited = lines.replace("line 3\n", "LINE 3\n");
        change_of(&scene, &[("old/a.txt", &edited), ("old/new.txt", "new")], &[]);
        scene.git(&["mv", "old/a.txt", "renamed.txt"]);
        scene.commit("renamed");
        for (key, value) in settings {
            scene.git(&["config", key, value]);
        }
        let merged = merge(&scene.repository(), BRANCH, Known::default(), &OURS);
        assert!(matches!(&merged, Ok(Merged::Joined(_))), "{settings:?}: {merged:?}");
        assert_eq!(scene.git(&["status", "--porcelain"]), "");
        scene.git(&["rev-parse", "HEAD^{tree}"])
    };
    let plain = make(&[]);
    for settings in settings {
        assert_eq!(make(settings), plain, "{settings:?}");
    }
    // What conflicts is not settled by a setting either.
    for (key, value) in [("branch.main.mergeOptions", "-Xours"), ("merge.default", "union")] {
        let scene = Scene::new();
        change(&scene, "src/main.rs", "fn main() { login() }\n");
        scene.write("src/main.rs", "fn main() { log() }\n");
        scene.commit("meanwhile");
        scene.git(&["config", key, value]);
        assert!(matches!(refused(&scene), GitError::Conflict { .. }), "{key}");
    }
}

#[test]
fn a_merge_that_was_cut_off_after_the_files_were_written_is_finished_by_the_next() {
    for is_behind in [true, false] {
        let scene = Scene::new();
        let commit = change(&scene, "src/login.rs", "login");
        if !is_behind {
            scene.write("other", "the user's");
            scene.commit("meanwhile");
        }
        let head = scene.repository().head().unwrap();
        // As git leaves it when agentd is killed before the branch moves.
        let tree = scene.git(&["merge-tree", "--write-tree", head.as_str(), commit.as_str()]);
        scene.git(&["read-tree", "-m", "-u", head.as_str(), &tree]);
        let merged = merge(&scene.repository(), BRANCH, Known::default(), &OURS).unwrap();
        assert_eq!(matches!(merged, Merged::FastForward(_)), is_behind);
        assert_eq!(scene.git(&["rev-parse", "HEAD^{tree}"]), tree);
        assert_eq!(scene.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn a_merge_that_fails_half_way_leaves_the_files_and_the_branch_as_they_were() {
    let scene = Scene::new();
    scene.git(&["config", "filter.broken.smudge", "false"]);
    scene.git(&["config", "filter.broken.required", "true"]);
    scene.write(".gitattributes", "*.broken filter=broken\n");
    scene.commit("attributes");
    // Git writes in the order of names: some before it fails, some never.
    let (workspace, start) = scene.workspace();
    write(&workspace.path().join("a.txt"), "new");
    write(&workspace.path().join("src/main.rs"), "fn main() { login() }\n");
    workspace.commit(&start, "the change").unwrap();
    let blob = scene.git(&["hash-object", "-w", "--no-filters", "src/main.rs"]);
    scene.git(&["read-tree", "--index-output=other", BRANCH]);
    let index = scene.root().join("other");
    let mut add = scene.user_git(&scene.root());
    add.env("GIT_INDEX_FILE", &index);
    let entry = format!("100644,{blob},m.broken");
    assert!(add.args(["update-index", "--add", "--cacheinfo", &entry]).status().unwrap().success());
    let mut write_tree = scene.user_git(&scene.root());
    let tree = write_tree.env("GIT_INDEX_FILE", &index).arg("write-tree").output().unwrap().stdout;
    let tree = String::from_utf8(tree).unwrap();
    let tip = scene.git(&["commit-tree", "-p", BRANCH, "-m", "broken", tree.trim()]);
    scene.git(&["update-ref", &format!("refs/heads/{BRANCH}"), &tip]);
    fs::remove_file(index).unwrap();
    let head = scene.git(&["rev-parse", "HEAD"]);
    merge(&scene.repository(), BRANCH, Known::default(), &OURS).unwrap_err();
    assert_eq!(scene.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(scene.git(&["status", "--porcelain"]), "");
    assert!(!scene.root().join("a.txt").exists());
}

#[test]
fn replace_refs_and_grafts_change_nothing_of_what_is_merged() {
    let scene = Scene::new();
    let commit = change(&scene, "src/login.rs", "login");
    let evil = scene.git(&["commit-tree", "-p", commit.as_str(), "-m", "evil", "HEAD^{tree}"]);
    scene.git(&["replace", commit.as_str(), &evil]);
    scene.write(".git/info/grafts", format!("{commit}\n"));
    let known = Known { passed: Some(&commit), ..Known::default() };
    let merged = merge(&scene.repository(), BRANCH, known, &OURS).unwrap();
    assert_eq!(merged, Merged::FastForward(commit));
    assert_eq!(fs::read_to_string(scene.root().join("src/login.rs")).unwrap(), "login");
}
