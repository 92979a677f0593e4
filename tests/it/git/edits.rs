//! Committing, saving and taking back what an agent wrote.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use agentd::engine::git::{Change, ChangedPath, GitError};

use super::scene::{BRANCH, Scene, bytes, write};

const ODD: [&[u8]; 7] =
    [b"-rf", b"two\nlines more", b"\"quoted\"", b"\xff\xfe", b" space ", b":(top)x", b"a\\b\t*"];

fn names(changes: &[ChangedPath]) -> Vec<&Path> {
    changes.iter().map(|changed| changed.path.as_path()).collect()
}

#[test]
fn status_lists_every_kind_of_change_one_file_at_a_time() {
    let scene = Scene::new();
    let worktree = scene.worktree();
    let at = |name: &str| worktree.path().join(name);
    scene.git_in(worktree.path(), &["mv", "bytes.bin", "moved.bin"]);
    fs::remove_file(at("two\nlines")).unwrap();
    write(&at("src/main.rs"), "changed");
    write(&at("new/one"), "1");
    write(&at("new/two"), "2");
    write(&at("target/ignored"), "ignored");
    let changed = |path: &str, change| ChangedPath { path: path.into(), change };
    let mut status = worktree.status().unwrap();
    status.sort_by(|one, other| one.path.cmp(&other.path));
    assert_eq!(
        status,
        [
            changed("moved.bin", Change::Renamed { from: "bytes.bin".into() }),
            changed("new/one", Change::Untracked),
            changed("new/two", Change::Untracked),
            changed("src/main.rs", Change::Modified),
            changed("two\nlines", Change::Deleted),
        ]
    );
}

#[test]
fn everything_is_committed_but_what_is_ignored_whatever_its_name() {
    let scene = Scene::new();
    let before = scene.checkout();
    let worktree = scene.worktree();
    for name in ODD {
        write(&worktree.path().join(bytes(name)), name);
    }
    symlink("nowhere", worktree.path().join("dangling")).unwrap();
    write(&worktree.path().join("target/built"), "ignored");
    write(&worktree.path().join("debug.log"), "ignored");
    fs::remove_file(worktree.path().join("bytes.bin")).unwrap();
    let start = worktree.head().unwrap();
    let status = worktree.status().unwrap();
    assert!(ODD.iter().all(|name| names(&status).contains(&bytes(name).as_path())), "{status:?}");

    let commit = worktree.commit_all("round 1: all\n\n").unwrap().unwrap();
    assert_eq!((worktree.status().unwrap(), worktree.head().unwrap()), (vec![], commit.clone()));
    assert_eq!(
        scene.git(&["rev-parse", BRANCH, "agentd/add-login^"]),
        format!("{commit}\n{start}")
    );
    let changes = worktree.changes_since(&start).unwrap();
    assert_eq!(changes.len(), ODD.len() + 2);
    let format = "--format=%an <%ae>|%cn <%ce>|%B";
    assert_eq!(
        scene.git(&["log", "-1", format, BRANCH]),
        "Ada <ada@example.com>|agentd <agentd@localhost>|round 1: all"
    );
    assert_eq!(worktree.commit_all("nothing").unwrap(), None);
    assert_eq!(worktree.head().unwrap(), commit);
    assert_eq!(scene.checkout(), before);
}

#[test]
fn agentd_is_the_author_where_git_knows_no_user() {
    let scene = Scene::empty();
    scene.write("file", "text");
    scene.git(&["add", "--all"]);
    let known = ["-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "start"];
    scene.git(&known);
    let worktree = scene.worktree();
    write(&worktree.path().join("new"), "new");
    worktree.commit_all("a round").unwrap().unwrap();
    let author = scene.git(&["log", "-1", "--format=%an <%ae>", BRANCH]);
    assert_eq!(author, "agentd <agentd@localhost>");
}

#[test]
fn work_on_a_branch_that_the_agent_made_comes_to_the_changes_own_branch() {
    let scene = Scene::new();
    let worktree = scene.worktree();
    let start = worktree.head().unwrap();
    scene.git_in(worktree.path(), &["checkout", "--quiet", "-b", "feature"]);
    write(&worktree.path().join("one"), "1");
    scene.git_in(worktree.path(), &["add", "--all"]);
    scene.git_in(worktree.path(), &["commit", "--quiet", "-m", "by the agent"]);
    write(&worktree.path().join("two"), "2");
    assert_eq!(names(&worktree.status().unwrap()), ["two"].map(Path::new));
    let changes = worktree.changes_since(&start).unwrap();
    assert_eq!(names(&changes), ["one", "two"].map(Path::new));

    let commit = worktree.commit_all("a round").unwrap().unwrap();
    assert_eq!(
        scene.git(&["rev-parse", BRANCH, "agentd/add-login^"]),
        format!("{commit}\n{start}")
    );
    assert_eq!(scene.git(&["ls-tree", "--name-only", BRANCH, "one", "two"]), "one\ntwo");
}

#[test]
fn a_repository_inside_is_named_rather_than_half_committed_or_deleted() {
    let scene = Scene::new();
    let worktree = scene.worktree();
    let start = worktree.head().unwrap();
    let inside = worktree.path().join("inside");
    fs::create_dir(&inside).unwrap();
    scene.git_in(&inside, &["init", "--quiet", "."]);
    write(&inside.join("file"), "precious");
    write(&worktree.path().join("new"), "new");
    let is_named = |error: &GitError| matches!(error, GitError::Nested { path, .. } if path.ends_with("inside"));
    assert!(is_named(&worktree.commit_all("a round").unwrap_err()));
    assert_eq!(worktree.head().unwrap(), start);
    let patch = scene.path("partial.patch");
    assert!(worktree.save_patch(&start, &patch).unwrap());
    assert!(fs::read_to_string(&patch).unwrap().contains("b/new"));
    assert!(is_named(&worktree.restore(&start).unwrap_err()));
    assert!(!worktree.path().join("new").exists());
    assert_eq!(fs::read_to_string(inside.join("file")).unwrap(), "precious");
    assert!(matches!(worktree.remove(), Err(GitError::Dirty { .. })));
}

#[test]
fn files_in_conflict_are_not_committed() {
    let scene = Scene::new();
    let worktree = scene.worktree();
    write(&worktree.path().join("src/main.rs"), "ours");
    let ours = worktree.commit_all("ours").unwrap().unwrap();
    scene.write("src/main.rs", "theirs");
    scene.commit("theirs");
    let mut merge = scene.user_git(worktree.path());
    assert!(!merge.args(["merge", "--quiet", "main"]).output().unwrap().status.success());
    let refused = worktree.commit_all("a round").unwrap_err();
    assert!(
        matches!(&refused, GitError::InConflict { files, .. } if *files == [Path::new("src/main.rs")]),
        "{refused:?}"
    );
    assert_eq!(worktree.head().unwrap(), ours);
    worktree.restore(&ours).unwrap();
    assert_eq!(worktree.status().unwrap(), []);
}

#[test]
fn a_patch_holds_all_that_was_done_and_taking_it_would_bring_it_back() {
    let scene = Scene::new();
    let worktree = scene.worktree();
    let start = worktree.head().unwrap();
    let patch = scene.path("runs/partial.patch");
    fs::create_dir(scene.path("runs")).unwrap();
    assert!(!worktree.save_patch(&start, &patch).unwrap());
    assert!(!patch.exists());

    let at = |name: &[u8]| worktree.path().join(bytes(name));
    for name in ODD {
        write(&at(name), name);
    }
    write(&at(b"bytes.bin"), [0, 1, 2, 255, 0]);
    write(&at(b"new.bin"), [0; 1000]);
    write(&at(b"crlf.txt"), "one\r\ntwo\r\n");
    fs::remove_file(at(b"link")).unwrap();
    symlink("elsewhere", at(b"link")).unwrap();
    write(&at(b"target/ignored"), "ignored");
    scene.git_in(worktree.path(), &["add", "new.bin"]);
    scene.git_in(worktree.path(), &["commit", "--quiet", "-m", "by the agent"]);
    let own = scene.root().join(".git/worktrees/w");
    let index = fs::read(own.join("index")).unwrap();
    let status = worktree.status().unwrap();
    let checkout = scene.checkout();
    assert!(worktree.save_patch(&start, &patch).unwrap());
    assert_eq!(fs::read(own.join("index")).unwrap(), index);
    assert_eq!(worktree.status().unwrap(), status);
    let left = fs::read_dir(&own).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!left.into_iter().any(|name| name.to_string_lossy().starts_with("agentd-")));
    assert_eq!(fs::read_dir(scene.path("runs")).unwrap().count(), 1);
    assert_eq!(scene.checkout(), checkout);

    let tree = |folder: &Path| {
        scene.git_in(folder, &["add", "--all"]);
        scene.git_in(folder, &["write-tree"])
    };
    let wanted = tree(worktree.path());
    worktree.restore(&start).unwrap();
    assert_eq!((worktree.status().unwrap(), worktree.head().unwrap()), (vec![], start));
    scene.git_in(worktree.path(), &["apply", patch.to_str().unwrap()]);
    assert_eq!(tree(worktree.path()), wanted);
}

#[test]
fn restore_sets_everything_back_but_what_is_ignored() {
    let scene = Scene::new();
    let before = scene.checkout();
    let worktree = scene.worktree();
    let start = worktree.head().unwrap();
    let at = |name: &str| worktree.path().join(name);
    write(&at("target/built"), "ignored");
    write(&at("secret/key"), "ignored by the agent's own rule");
    write(&at(".gitignore"), "target/\n*.log\nsecret/\n");
    write(&at("debug.log"), "ignored");
    write(&at("new/deep/file"), "new");
    for name in ODD {
        write(&worktree.path().join(bytes(name)), name);
    }
    fs::remove_file(at("link")).unwrap();
    fs::remove_dir_all(at("src")).unwrap();
    scene.git_in(worktree.path(), &["checkout", "--quiet", "-b", "feature"]);
    scene.git_in(worktree.path(), &["add", "new"]);
    scene.git_in(worktree.path(), &["commit", "--quiet", "-m", "by the agent"]);

    worktree.restore(&start).unwrap();
    assert_eq!(worktree.status().unwrap(), []);
    assert_eq!(worktree.head().unwrap(), start);
    assert_eq!(scene.git_in(worktree.path(), &["symbolic-ref", "--short", "HEAD"]), BRANCH);
    assert_eq!(fs::read_to_string(at("link")).unwrap(), "fn main() {}\n");
    let there = ["target/built", "debug.log", "new", "secret"].map(|name| at(name).exists());
    assert_eq!(there, [true, true, false, false]);
    assert_eq!(scene.checkout(), before);
}

#[test]
fn line_ends_of_the_users_choice_make_no_edits() {
    for (setting, attributes) in [("true", ""), ("input", ""), ("false", "*.txt text eol=crlf\n")] {
        let scene = Scene::new();
        scene.git(&["config", "core.autocrlf", setting]);
        scene.write(".gitattributes", attributes);
        scene.write("text.txt", "one\ntwo\n");
        scene.commit("text");
        scene.git(&["config", "core.safecrlf", "true"]);
        let before = scene.checkout();
        let worktree = scene.worktree();
        let start = worktree.head().unwrap();
        assert_eq!(worktree.commit_all("nothing").unwrap(), None, "{setting}");
        write(&worktree.path().join("mixed.txt"), "one\r\ntwo\n");
        let patch = scene.path("partial.patch");
        assert!(worktree.save_patch(&start, &patch).unwrap());
        let commit = worktree.commit_all("mixed").unwrap().unwrap();
        assert_eq!(worktree.commit_all("nothing").unwrap(), None, "{setting}");
        assert_eq!(scene.repository().stat(&start, &commit).unwrap().files, 1);
        worktree.restore(&start).unwrap();
        worktree.remove().unwrap();
        assert_eq!(scene.checkout(), before);
    }
}
