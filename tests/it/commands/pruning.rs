//! `agentd prune`: removes what finished changes left, and nothing else.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use super::scene::{ID, Scene};

/// The branches of changes, the workspaces, what is known of them, and the states of changes.
fn there(scene: &Scene) -> Vec<PathBuf> {
    let branches = scene.home.git(&["for-each-ref", "--format=%(refname:short)", "refs/heads/"]);
    let mut all: Vec<PathBuf> = branches.lines().map(PathBuf::from).collect();
    all.extend(scene.home.workspaces());
    let state = scene.home.root().join(".git/agentd");
    for folder in ["changes", "workspaces"] {
        let entries = fs::read_dir(state.join(folder)).into_iter().flatten();
        let paths = entries.map(|entry| entry.expect("an entry").path());
        all.extend(paths.filter(|path| path.extension().is_none_or(|it| it != "lock")));
    }
    all.sort();
    all
}

fn names(scene: &Scene, word: &str) -> Vec<String> {
    let all = there(scene).into_iter();
    let names = all.map(|path| path.to_string_lossy().into_owned());
    names.filter(|name| name.contains(word)).collect()
}

#[test]
fn what_a_merged_change_left_goes_and_its_documents_stay() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let before = there(&scene);
    scene.agentd(&["prune"]).exits(0).prints("Nothing to remove.");
    assert_eq!(there(&scene), before, "it is not merged");
    scene.agentd(&["merge", ID, "--keep"]).exits(0).hides("removed");
    let before = there(&scene);
    let told = scene.agentd(&["prune", "--dry-run"]).exits(0);
    told.prints("to remove  branch agentd/add-login\n");
    assert_eq!(there(&scene), before, "nothing is removed in a dry run");
    scene.agentd(&["prune"]).exits(0).prints("removed    branch agentd/add-login\n");
    assert_eq!(names(&scene, "agentd/add-login"), [""; 0]);
    assert!(scene.archived().join("proposal.md").exists());
    scene.agentd(&["log", ID]).exits(0);
    scene.agentd(&["merge", ID]).exits(0).prints("is already merged");
    scene.agentd(&["prune"]).exits(0).prints("Nothing to remove.");
}

#[test]
fn of_a_change_that_was_given_up_the_workspaces_go_and_code_that_is_not_merged_stays() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let before = there(&scene);
    scene.agentd(&["prune"]).exits(0).prints("Nothing to remove.");
    assert_eq!(there(&scene), before, "it may go on");
    scene.agentd(&["cancel", ID]).exits(0);
    let told = scene.agentd(&["prune", "--json"]).exits(0).json();
    let removed = told["removed"].as_array().expect("a list");
    assert!(
        removed.iter().all(|one| one["what"] == "workspace" && one["bytes"].as_u64() > Some(0))
    );
    assert_eq!(told["kept"][0]["name"], "agentd/add-login");
    assert_eq!(scene.home.workspaces(), Vec::<PathBuf>::new());
    assert_eq!(names(&scene, "workspaces/"), [""; 0]);
    assert_eq!(names(&scene, "agentd/add-login"), ["agentd/add-login"]);
}

#[test]
fn a_workspace_with_files_that_no_commit_holds_stays_and_is_named() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let desk = scene.workspace();
    fs::write(desk.join("mine.txt"), "mine").expect("written");
    let kept = desk.with_file_name("add-login.kept-1");
    fs::create_dir(&kept).expect("a folder");
    fs::write(kept.join("mine.txt"), "mine").expect("written");
    let outside = scene.home.path("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("mine.txt"), "mine").expect("written");
    symlink(&outside, desk.with_file_name("gone-change")).expect("a link");
    scene.agentd(&["cancel", ID]).exits(0);
    let told = scene.agentd(&["prune"]).exits(0);
    let told = told.prints(&format!(
        "stays      {}: it contains commits that no branch contains",
        desk.display()
    ));
    told.prints(&format!("stays      {}: agentd cannot find out", kept.display()));
    for path in [desk.join("mine.txt"), kept.join("mine.txt"), outside.join("mine.txt")] {
        assert_eq!(fs::read_to_string(path).expect("it stays"), "mine");
    }
    // Code that no branch holds any more is in the workspace alone.
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    scene.agentd(&["cancel", ID]).exits(0);
    scene.home.git(&["branch", "-D", "agentd/add-login"]);
    let desk = scene.workspace();
    scene.agentd(&["prune"]).exits(0).prints("it contains commits that no branch contains");
    assert!(desk.exists());
}

#[test]
fn orphans_of_this_repository_go_and_what_is_held_or_unreadable_stays() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let states = scene.home.root().join(".git/agentd/changes");
    // As if its state had been removed by hand, and an earlier life had been set aside.
    let other = scene.home.agentd(&["run", "other", "Other", "--until", "implement"]);
    other.exits(0);
    fs::rename(states.join("other"), states.join("other.1")).expect("moved");
    fs::create_dir(states.join("third.new")).expect("a folder");
    fs::write(states.join(ID).join("journal.jsonl"), "damaged\n").expect("written");
    let lock = fs::File::open(states.join("other.lock")).expect("a lock");
    lock.lock().expect("held");
    scene.agentd(&["prune"]).exits(0).prints("third.new").hides("other");
    drop(lock);
    let told = scene.agentd(&["prune"]).exits(0);
    told.prints("other.1").prints("workspace").hides("add-login");
    assert_eq!(names(&scene, "other"), ["agentd/other"]);
    assert!(scene.workspace().exists(), "what cannot be read may be needed");
}

#[test]
fn a_merged_branch_that_is_checked_out_stays() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    scene.agentd(&["merge", ID, "--keep"]).exits(0);
    let other = scene.home.path("other");
    let other = other.to_str().expect("a path");
    scene.home.git(&["worktree", "add", "--quiet", other, "agentd/add-login"]);
    scene.agentd(&["prune"]).exits(0).prints("stays      agentd/add-login: it is checked out");
    assert_eq!(names(&scene, "agentd/add-login"), ["agentd/add-login"]);
}
