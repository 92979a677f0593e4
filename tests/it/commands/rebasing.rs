//! `agentd rebase`: brings a change onto the branch of the user, which has moved.

use std::fs;
use std::path::Path;

use super::scene::{ID, Scene};

/// The file that the offline agent writes.
const WRITTEN: &str = "agentd-demo/add-login.sh";
const BRANCH: &str = "refs/heads/agentd/add-login";

fn git(scene: &Scene, arguments: &[&str]) -> String {
    scene.home.git(arguments).trim().to_owned()
}

/// Commits a file of the user's, and gives the commit.
fn meanwhile(scene: &Scene, path: &str, text: &str) -> String {
    scene.home.write(path, text);
    scene.home.git(&["add", "--", path]);
    scene.home.git(&["commit", "--quiet", "--message", "Meanwhile"]);
    git(scene, &["rev-parse", "HEAD"])
}

fn journal(scene: &Scene) -> String {
    let path = scene.home.root().join(".git/agentd/changes/add-login/journal.jsonl");
    fs::read_to_string(path).expect("a journal")
}

#[track_caller]
fn holds(scene: &Scene, guarantee: &str, expected: bool) {
    let status = scene.agentd(&["status", ID, "--json"]).exits(0).json();
    assert_eq!(status["guarantees"][guarantee], expected, "{status}");
}

#[test]
fn a_change_is_replayed_onto_the_moved_branch_and_checked_and_reviewed_again() {
    let scene = Scene::new();
    scene.run(&["--until", "review"]).exits(0);
    holds(&scene, "reviewed", true);
    let (before, count) = (git(&scene, &["rev-parse", BRANCH]), scene.runs().len());
    let authors = git(&scene, &["log", "--format=%an|%s", &format!("HEAD..{BRANCH}")]);
    let head = meanwhile(&scene, "other.txt", "the user's\n");
    let checkout = scene.checkout();
    let told = scene.agentd(&["rebase", ID]).exits(0);
    told.hides("or rebase")
        .prints(&format!("Change `add-login` is now on {head}, at checks"))
        .prints("agentd run");
    assert_eq!(scene.checkout(), checkout, "no file of the user's is touched");
    assert_eq!(scene.stage(), "checks");
    holds(&scene, "reviewed", false);
    holds(&scene, "checked", false);
    holds(&scene, "challenged", true);
    assert_ne!(git(&scene, &["rev-parse", BRANCH]), before);
    assert_eq!(git(&scene, &["merge-base", "HEAD", BRANCH]), head);
    assert_eq!(git(&scene, &["log", "--format=%an|%s", &format!("HEAD..{BRANCH}")]), authors);
    let held = git(&scene, &["for-each-ref", "--format=%(refname)", "refs/agentd/"]);
    assert_eq!(held, "refs/agentd/add-login/base", "nothing else is left of it");
    assert_eq!(git(&scene, &["rev-parse", &held]), git(&scene, &["rev-parse", "HEAD"]));
    scene.agentd(&["rebase", ID]).exits(0).prints("is already on your branch");
    let told = scene.run(&[]).exits(0).prints("archived");
    let told = told.hides("was not finished");
    assert!(!told.stdout.contains("partial.patch"), "nothing was left in the workspace");
    assert!(scene.runs()[count..].iter().any(|run| run.ends_with("-review")));
    assert!(!scene.runs()[count..].iter().any(|run| run.ends_with("-implement")));
    scene.agentd(&["merge", ID]).exits(0);
    assert_eq!(git(&scene, &["rev-list", "--merges", "--count", "HEAD"]), "0");
    assert!(scene.home.root().join(WRITTEN).exists());
}

#[test]
fn an_archived_change_is_worked_on_again_and_archived_once_more() {
    let scene = Scene::new();
    scene.home.write("agentd/CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- Before\n");
    scene.run(&[]).exits(0);
    let changelog = scene.home.root().join("agentd/CHANGELOG.md");
    let archived = fs::read_to_string(&changelog).expect("a changelog");
    meanwhile(&scene, "other.txt", "the user's\n");
    scene.agentd(&["run", ID]).exits(0).prints("or rebase  agentd rebase add-login, since");
    scene.agentd(&["rebase", ID]).exits(0).prints("at checks");
    assert!(scene.home.root().join("agentd/changes/add-login/proposal.md").exists());
    assert_eq!(fs::read_dir(scene.home.root().join("agentd/archive")).expect("it").count(), 0);
    assert!(!scene.home.root().join("agentd/specs/add-login.md").exists());
    assert!(!fs::read_to_string(&changelog).expect("a changelog").contains("add-login"));
    scene.agentd(&["list"]).exits(0).prints("add-login  checks");
    scene.agentd(&["merge", ID]).exits(4).says("is not archived");
    scene.run(&[]).exits(0).prints("archived");
    assert_eq!(fs::read_to_string(&changelog).expect("a changelog"), archived);
    assert!(scene.home.root().join("agentd/specs/add-login.md").exists());
    assert_eq!(scene.stage(), "archived");
    scene.agentd(&["merge", ID]).exits(0);
    meanwhile(&scene, "more.txt", "more\n");
    scene.agentd(&["rebase", ID]).exits(4).says("is already merged into");
}

#[test]
fn a_reviewer_can_still_ask_for_changes_after_a_rebase() {
    let scene = Scene::new();
    scene.run(&["--until", "review"]).exits(0);
    meanwhile(&scene, "other.txt", "the user's\n");
    scene.agentd(&["rebase", ID]).exits(0);
    scene.agent(
        "strict",
        "count COUNT\nread\non 1 answer The name is wrong.\non 1 answer\non 1 answer <review>NEEDS_CHANGES</review>\nfrom 2 play",
    );
    let told = scene.run(&["--agent", "review=strict"]);
    assert!(told.code == Some(0) || told.stdout.contains("implement"), "{}", told.stdout);
    let other = git(&scene, &["show", &format!("{BRANCH}:other.txt")]);
    assert_eq!(other, "the user's", "the next round begins from the new base");
}

#[test]
fn a_base_that_the_user_dropped_is_left_behind() {
    let scene = Scene::new();
    meanwhile(&scene, "secret.txt", "a key\n");
    scene.run(&[]).exits(0);
    scene.home.git(&["reset", "--quiet", "--hard", "HEAD~1"]);
    meanwhile(&scene, "other.txt", "the user's\n");
    scene.agentd(&["merge", ID]).exits(4).says("`agentd rebase add-login`");
    scene.agentd(&["rebase", ID]).exits(0);
    scene.run(&[]).exits(0);
    scene.agentd(&["merge", ID]).exits(0);
    assert!(scene.home.root().join(WRITTEN).exists());
    assert!(!scene.home.root().join("secret.txt").exists());
    assert_eq!(git(&scene, &["log", "--format=%H", "--", "secret.txt"]), "");
}

#[test]
fn a_conflict_is_named_and_nothing_moves() {
    for is_archived in [true, false] {
        let scene = Scene::new();
        scene.run(if is_archived { &[] } else { &["--until", "review"] }).exits(0);
        meanwhile(&scene, WRITTEN, "something else\n");
        let (tip, entries) = (git(&scene, &["rev-parse", BRANCH]), journal(&scene));
        let stage = scene.stage();
        let told = scene.agentd(&["rebase", ID]).exits(4);
        told.says("is in conflict with").says(WRITTEN).says("nothing was changed");
        assert_eq!((git(&scene, &["rev-parse", BRANCH]), journal(&scene)), (tip, entries));
        assert_eq!(scene.stage(), stage);
        let held = git(&scene, &["for-each-ref", "--format=%(refname)", "refs/agentd/"]);
        assert_eq!(held, "refs/agentd/add-login/base");
    }
}

#[test]
fn a_branch_that_is_moved_checked_out_or_gone_is_refused() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    meanwhile(&scene, "other.txt", "the user's\n");
    let (tip, entries) = (git(&scene, &["rev-parse", BRANCH]), journal(&scene));
    let other = scene.home.path("other");
    let other = other.to_str().expect("a path");
    scene.home.git(&["worktree", "add", "--quiet", other, "agentd/add-login"]);
    scene.agentd(&["rebase", ID]).exits(4).says("is checked out at");
    scene.home.git(&["worktree", "remove", other]);
    let moved = git(&scene, &["commit-tree", "-p", &tip, "-m", "More", "HEAD^{tree}"]);
    scene.home.git(&["update-ref", BRANCH, &moved]);
    scene.agentd(&["rebase", ID]).exits(4).says("somebody else moved or made it");
    assert_eq!(git(&scene, &["rev-parse", BRANCH]), moved);
    scene.home.git(&["update-ref", "-d", BRANCH]);
    scene.agentd(&["rebase", ID]).exits(4).says("its branch is gone");
    assert_eq!(journal(&scene), entries);
    scene.home.git(&["update-ref", BRANCH, &tip]);
    scene.agentd(&["rebase", ID]).exits(0);
}

#[test]
fn what_cannot_be_rebased_is_said() {
    let scene = Scene::new();
    scene.agentd(&["rebase", ID]).exits(4).says("there is no change");
    scene.run(&["--until", "plan"]).exits(0);
    scene.agentd(&["rebase", ID]).exits(0).prints("is already on your branch");
    scene.agent("failing", "read\nexit 1");
    scene.run(&["--agent", "implement=failing"]).exits(5);
    meanwhile(&scene, "other.txt", "the user's\n");
    scene.agentd(&["rebase", ID]).exits(4).says("`implement` of `add-login` has started");
    scene.run(&["--until", "implement"]).exits(0);
    scene.agentd(&["cancel", ID]).exits(0);
    scene.agentd(&["rebase", ID]).exits(4).says("where it ended");
}

#[test]
fn a_change_without_code_begins_from_the_commit_that_it_is_rebased_onto() {
    let scene = Scene::new();
    let began = scene.home.git(&["rev-parse", "HEAD"]);
    scene.run(&["--until", "plan"]).exits(0);
    let head = meanwhile(&scene, "other.txt", "the user's\n");
    // It begins from where it was asked for, until somebody says otherwise.
    let base = || scene.home.git(&["rev-parse", &format!("refs/agentd/{ID}/base")]);
    assert_eq!(base(), began);
    scene.agentd(&["rebase", ID]).exits(0).prints("Next: agentd run add-login");
    assert_eq!(base().trim(), head.trim());
    scene.run(&[]).exits(0);
    assert!(
        scene
            .home
            .git(&["show", "--name-only", "--format=", &format!("{BRANCH}:")])
            .contains("other.txt")
    );
}

#[test]
fn a_rebase_that_was_cut_off_is_finished_by_the_next() {
    // After the branch was moved, before the journal tells of it.
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let (old, entries) = (git(&scene, &["rev-parse", BRANCH]), journal(&scene));
    let head = meanwhile(&scene, "other.txt", "the user's\n");
    let copy = scene.home.path("copy");
    copy_folder(&scene.home.root().join("agentd"), &copy);
    scene.agentd(&["rebase", ID]).exits(0);
    let tip = git(&scene, &["rev-parse", BRANCH]);
    let state = scene.home.root().join(".git/agentd/changes/add-login/journal.jsonl");
    fs::write(&state, &entries).expect("written");
    fs::remove_dir_all(scene.home.root().join("agentd")).expect("gone");
    copy_folder(&copy, &scene.home.root().join("agentd"));
    scene.home.git(&["update-ref", "refs/agentd/add-login/onto", &head]);
    scene.home.git(&["update-ref", "refs/agentd/add-login/rebased", &tip]);
    scene.agentd(&["merge", ID]).exits(4).says("what was reviewed and checked");
    meanwhile(&scene, "more.txt", "and more\n");
    scene.agentd(&["rebase", ID]).exits(0).prints(&format!("is now on {head}"));
    assert_eq!((git(&scene, &["rev-parse", BRANCH]), scene.stage()), (tip, "checks".to_owned()));
    assert_ne!(git(&scene, &["rev-parse", BRANCH]), old);

    // After the journal tells of it, before the documents went back.
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let head = meanwhile(&scene, "other.txt", "the user's\n");
    let copy = scene.home.path("copy");
    copy_folder(&scene.home.root().join("agentd"), &copy);
    scene.agentd(&["rebase", ID]).exits(0);
    fs::remove_dir_all(scene.home.root().join("agentd")).expect("gone");
    copy_folder(&copy, &scene.home.root().join("agentd"));
    let told = scene.run(&[]).exits(0).prints("archived");
    drop(told);
    assert_eq!(git(&scene, &["merge-base", "HEAD", BRANCH]), head);
    assert_eq!(fs::read_dir(scene.home.root().join("agentd/archive")).expect("it").count(), 1);
    scene.agentd(&["merge", ID]).exits(0);
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &to);
        } else {
            fs::copy(&path, &to).expect("copied");
        }
    }
}
