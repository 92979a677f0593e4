//! Finding a repository and asking it things.

use agentd::engine::git::{Change, ChangedPath, Git, GitError, Repository, Workspace};

use super::scene::{BRANCH, Scene, at, bytes, write};
use crate::support::install;

#[test]
fn a_repository_is_found_from_below_and_from_a_linked_worktree() {
    let scene = Scene::new();
    let git = Git::new(scene.environment());
    let below = Repository::find(&scene.root().join("src"), &git).unwrap();
    assert_eq!(below.root(), scene.root());
    assert_eq!(below.head().unwrap().as_str(), scene.git(&["rev-parse", "HEAD"]));
    assert_eq!(below.branch().unwrap().as_deref(), Some("main"));

    scene.git(&["worktree", "add", "--quiet", "-b", "side", "../linked\nfolder"]);
    let linked = Repository::find(&scene.path("linked\nfolder/src"), &git).unwrap();
    assert_eq!(linked.root(), scene.path("linked\nfolder"));
    assert_eq!(linked.branch().unwrap().as_deref(), Some("side"));
    scene.git_in(linked.root(), &["checkout", "--quiet", "--detach"]);
    assert_eq!(linked.branch().unwrap(), None);
}

#[test]
fn what_is_no_usable_repository_is_told_apart_with_help() {
    let scene = Scene::empty();
    let git = Git::new(scene.environment());
    let find = |path: &str| Repository::find(&scene.path(path), &git).unwrap_err();
    let unborn = scene.repository().head().unwrap_err();
    assert!(matches!(&unborn, GitError::NoCommit { root } if *root == scene.root()));
    let none = find("home");
    assert!(matches!(none, GitError::NotARepository { .. }), "{none:?}");
    scene.git(&["init", "--quiet", "--bare", "../bare.git"]);
    for without in ["bare.git", "repo/.git"] {
        let error = find(without);
        assert!(matches!(error, GitError::NoCheckout { .. }), "{without}: {error:?}");
        assert!(error.help().is_some());
    }
    let nowhere = Git::new([("PATH".into(), scene.path("home").into())]);
    let missing = Repository::find(&scene.root(), &nowhere).unwrap_err();
    assert!(matches!(missing, GitError::NoGit), "{missing:?}");
    for error in [unborn, none, missing] {
        assert!(error.help().is_some_and(|help| help.contains("git")), "{error}");
    }
}

#[test]
fn a_git_that_is_too_old_is_refused_by_its_version() {
    let scene = Scene::new();
    install(&scene.path("bin/git"), "#!/bin/sh\necho git version 2.9.5\n", 0o755);
    let git = Git::new([("PATH".into(), scene.path("bin").into())]);
    let error = Repository::find(&scene.root(), &git).unwrap_err();
    assert!(matches!(&error, GitError::TooOld { found } if found == "2.9.5"), "{error:?}");
}

#[test]
fn a_folder_that_is_not_there_is_said_to_be_missing() {
    let scene = Scene::new();
    let none = Repository::find(&scene.path("none"), &Git::new(scene.environment())).unwrap_err();
    assert!(none.to_string().contains("No such file or directory"), "{none}");
}

#[test]
fn branches_are_looked_up_by_their_whole_name() {
    let scene = Scene::new();
    scene.git(&["branch", BRANCH]);
    scene.git(&["tag", "v1"]);
    let repository = scene.repository();
    let head = repository.head().unwrap();
    assert_eq!(repository.branch_commit(BRANCH).unwrap(), Some(head));
    for none in ["add-login", "v1", "HEAD", "", "--all", "a b"] {
        assert!(!repository.branch_exists(none).unwrap(), "{none}");
    }
}

#[test]
fn what_is_not_committed_is_listed_but_for_our_own_folder() {
    let scene = Scene::new();
    let repository = scene.repository();
    assert_eq!(repository.uncommitted_outside(&["agentd/"]).unwrap(), []);
    scene.write("agentd/config.toml", "");
    scene.write("target/more", "ignored");
    assert_eq!(repository.uncommitted_outside(&["agentd/"]).unwrap(), []);
    let odd = bytes(b"odd/\xff \"name\"\n");
    scene.write(&odd, "new");
    scene.write("src/main.rs", "changed");
    let before = scene.checkout();
    let changed = |path, change| ChangedPath { path, change };
    assert_eq!(
        repository.uncommitted_outside(&["agentd/"]).unwrap(),
        [changed("src/main.rs".into(), Change::Modified), changed(odd, Change::Untracked)]
    );
    assert_eq!(scene.checkout(), before);
}

#[test]
fn variables_that_lead_git_elsewhere_are_not_heeded() {
    let (scene, other) = (Scene::new(), Scene::new());
    let before = other.checkout();
    let mut environment = scene.environment();
    let git_dir = other.root().join(".git");
    for (name, value) in [
        ("GIT_DIR", git_dir.clone()),
        ("GIT_WORK_TREE", other.root()),
        ("GIT_INDEX_FILE", git_dir.join("index")),
        ("GIT_COMMON_DIR", git_dir.clone()),
        ("GIT_OBJECT_DIRECTORY", git_dir.join("objects")),
        ("GIT_CONFIG_PARAMETERS", "'core.bare'='true'".into()),
        ("GIT_NAMESPACE", "elsewhere".into()),
    ] {
        environment.push((name.into(), value.into()));
    }
    let repository = Repository::find(&scene.root(), &Git::new(environment)).unwrap();
    assert_eq!(repository.root(), scene.root());
    let (head, path) = (repository.head().unwrap(), scene.path("state/w"));
    let workspace = Workspace::open(&repository, &path, at(&head)).unwrap();
    write(&path.join("new"), "new");
    let (commit, _) = workspace.commit(&head, "new").unwrap();
    assert_eq!(scene.git(&["rev-parse", BRANCH]), commit.as_str());
    assert_eq!(other.checkout(), before);
    assert!(!other.root().join(".git/agentd").exists());
}
