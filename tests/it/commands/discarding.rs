//! `agentd discard`: takes all of a change back that is not merged.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::scene::{ID, Scene, tree};

/// The files of the checkout, `agentd/` among them.
fn files(scene: &Scene) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = tree(&scene.home.root());
    let root = scene.home.root();
    files.retain(|path, _| !path.starts_with(".git") && !root.join(path).is_dir());
    files
}

/// What is left of the change in git's own folder, and of its workspaces.
fn remains(scene: &Scene) -> Vec<String> {
    let mut left: Vec<String> = scene
        .home
        .git(&["for-each-ref", "--format=%(refname)", "refs/heads/agentd/", "refs/agentd/"])
        .lines()
        .map(str::to_owned)
        .collect();
    let state = scene.home.root().join(".git/agentd");
    for folder in ["changes", "workspaces"] {
        let entries = fs::read_dir(state.join(folder)).into_iter().flatten();
        left.extend(entries.map(|entry| entry.expect("an entry").path().display().to_string()));
    }
    left.retain(|path| Path::new(path).extension().is_none_or(|it| it != "lock"));
    left.extend(scene.home.workspaces().iter().map(|path| path.display().to_string()));
    left
}

#[test]
fn all_of_an_archived_change_is_taken_back_and_its_id_is_free() {
    let scene = Scene::new();
    scene.home.write("agentd/CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- Before\n");
    let before = files(&scene);
    scene.run(&[]).exits(0);
    assert_ne!(files(&scene), before);
    scene.home.git(&["update-ref", &format!("refs/agentd/{ID}/base"), "HEAD"]);
    let head = scene.home.git(&["rev-parse", "HEAD"]);
    let ran = scene.agentd(&["discard", ID, "--yes"]).exits(0);
    ran.prints("change `add-login` is discarded")
        .prints("branch     agentd/add-login")
        .prints("restored   agentd/CHANGELOG.md")
        .prints("restored   agentd/specs/add-login.md");
    assert_eq!(files(&scene), before);
    assert_eq!(remains(&scene), [""; 0]);
    assert_eq!(scene.home.git(&["rev-parse", "HEAD"]), head);
    scene.agentd(&["status", ID]).exits(4).says("there is no change `add-login` here");
    scene.agentd(&["discard", ID, "--yes"]).exits(4).says("there is no change `add-login` here");
    scene.run(&[]).exits(0).prints("archived");
}

#[test]
fn a_change_is_taken_back_wherever_it_is() {
    for until in ["plan", "implement", "review"] {
        let scene = Scene::new();
        let before = files(&scene);
        scene.run(&["--until", until]).exits(0);
        scene.agentd(&["discard", ID, "--yes"]).exits(0);
        assert_eq!((files(&scene), remains(&scene)), (before, Vec::new()), "{until}");
    }
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    scene.agentd(&["cancel", ID]).exits(0).prints("agentd discard add-login");
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
    assert_eq!(remains(&scene), [""; 0]);
}

#[test]
fn a_person_is_asked_first_and_a_script_must_say_so() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let (before, left) = (files(&scene), remains(&scene));
    scene.agentd(&["discard", ID]).exits(2).says("`agentd discard add-login --yes`");
    for answer in ["n\n", "\n", "what\n"] {
        let ran = scene.home.agentd_on_terminal(&["discard", ID], answer).exits(0);
        ran.prints("branch     agentd/add-login").prints("Nothing changed");
        assert_eq!((files(&scene), remains(&scene)), (before.clone(), left.clone()));
    }
    let ran = scene.home.agentd_on_terminal(&["discard", ID], "y\n").exits(0);
    ran.prints("change `add-login` is discarded");
    assert_eq!(remains(&scene), [""; 0]);
}

#[test]
fn a_change_that_is_merged_is_not_discarded() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    scene.home.git(&["checkout", "--quiet", "-b", "mine"]);
    scene.agentd(&["merge", ID]).exits(0);
    for _ in 0..2 {
        let (before, left) = (files(&scene), remains(&scene));
        scene.agentd(&["discard", ID, "--yes"]).exits(4).says("is merged into `mine`");
        assert_eq!((files(&scene), remains(&scene)), (before, left));
        // Nor from a branch that does not hold it, though another does.
        scene.home.git(&["checkout", "--quiet", "-"]);
    }
}

#[test]
fn what_was_edited_since_the_archive_is_named_and_left() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let spec = scene.home.root().join("agentd/specs/add-login.md");
    let edited = fs::read_to_string(&spec).expect("a spec") + "\nMine.\n";
    fs::write(&spec, &edited).expect("written");
    let changelog = scene.home.root().join("agentd/CHANGELOG.md");
    let text = fs::read_to_string(&changelog).expect("a changelog");
    fs::write(&changelog, format!("{text}\n## 0.1\n\n- Mine\n")).expect("written");
    let ran = scene.agentd(&["discard", ID, "--yes"]).exits(0);
    ran.prints("left       agentd/specs/add-login.md").prints("restored   agentd/CHANGELOG.md");
    assert_eq!(fs::read_to_string(&spec).expect("a spec"), edited);
    let text = fs::read_to_string(&changelog).expect("a changelog");
    assert!(text.contains("- Mine") && !text.contains("add-login"), "{text}");
    assert_eq!(remains(&scene), [""; 0]);
}

#[test]
fn a_spec_that_was_there_before_is_what_it_was() {
    let scene = Scene::new();
    scene.home.write("agentd/specs/add-login.md", "# Login\n\nAs it was.\n");
    let before = files(&scene);
    scene.run(&[]).exits(0);
    assert_ne!(files(&scene), before);
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
    assert_eq!(files(&scene), before);
}

#[test]
fn a_branch_that_somebody_has_checked_out_stops_it_before_anything_is_removed() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let other = scene.home.path("other");
    let other = other.to_str().expect("a path");
    scene.home.git(&["worktree", "add", "--quiet", other, &format!("agentd/{ID}")]);
    let (before, left) = (files(&scene), remains(&scene));
    scene.agentd(&["discard", ID, "--yes"]).exits(4).says("is checked out at").says("other");
    assert_eq!((files(&scene), remains(&scene)), (before, left));
    scene.home.git(&["worktree", "remove", other]);
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
}

#[test]
fn links_are_removed_and_never_followed() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let outside = scene.home.path("outside");
    fs::create_dir(&outside).expect("a folder");
    fs::write(outside.join("mine"), "mine").expect("written");
    let workspace = scene.workspace();
    symlink(&outside, workspace.join("link")).expect("a link");
    let locked = workspace.join("locked/deep");
    fs::create_dir_all(&locked).expect("a folder");
    fs::write(locked.join("file"), "x").expect("written");
    let mut mode = fs::metadata(&locked).expect("about").permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o500);
    fs::set_permissions(&locked, mode).expect("set");
    // A workspace whose folder is a link by now.
    let room = workspace.with_file_name(format!("{ID}.reading"));
    let _ = fs::remove_dir_all(&room);
    symlink(&outside, &room).expect("a link");
    symlink(&outside, scene.home.root().join("agentd/changes/add-login/specs/link"))
        .expect("a link");
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
    assert_eq!(fs::read_to_string(outside.join("mine")).expect("read"), "mine");
    assert_eq!(remains(&scene), [""; 0]);
}

#[test]
fn a_branch_that_is_another_name_of_the_user_s_takes_nothing_with_it() {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    let head = scene.home.git(&["symbolic-ref", "HEAD"]);
    let branch = format!("refs/heads/agentd/{ID}.plan-1");
    scene.home.git(&["symbolic-ref", &branch, head.trim()]);
    let at = scene.home.git(&["rev-parse", "HEAD"]);
    // It is checked out by its other name, which is no reason to move that.
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
    assert_eq!(scene.home.git(&["rev-parse", head.trim()]), at);
    assert_eq!(remains(&scene), [""; 0]);
}

#[test]
fn a_discard_that_was_cut_off_is_finished_and_stops_a_change_of_the_same_name() {
    // Each is what a kill leaves behind after one more of the steps.
    type Step = fn(&Scene);
    let steps: [Step; 5] = [
        |_| {},
        |scene| fs::remove_file(scene.home.root().join("agentd/specs/add-login.md")).expect("gone"),
        |scene| fs::remove_dir_all(scene.archived().join("specs")).expect("gone"),
        |scene| fs::remove_dir_all(scene.archived()).expect("gone"),
        |scene| drop(scene.home.git(&["branch", "-D", &format!("agentd/{ID}")])),
    ];
    for count in 1..=steps.len() {
        let scene = Scene::new();
        let before = files(&scene);
        scene.run(&[]).exits(0);
        let states = scene.home.root().join(".git/agentd/changes");
        fs::rename(states.join(ID), states.join("add-login.discarded")).expect("moved");
        steps[..count].iter().for_each(|step| step(&scene));
        scene.agentd(&["status", ID]).exits(4);
        scene.run(&[]).exits(4).says("is being discarded").says("`agentd discard add-login`");
        scene.agentd(&["discard", ID, "--yes"]).exits(0);
        assert_eq!((files(&scene), remains(&scene)), (before, Vec::new()), "{count}");
    }
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    let states = scene.home.root().join(".git/agentd/changes");
    fs::rename(states.join(ID), states.join("add-login.discarded")).expect("moved");
    fs::remove_file(states.join("add-login.discarded/journal.jsonl")).expect("gone");
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
    assert!(!Path::new(&states.join("add-login.discarded")).exists());
}

#[test]
fn a_change_that_another_run_holds_is_not_discarded() {
    let scene = Scene::new();
    scene.run(&["--until", "plan"]).exits(0);
    let lock = scene.home.root().join(".git/agentd/changes/add-login.lock");
    let held = fs::File::open(lock).expect("a lock");
    held.lock().expect("held");
    scene.agentd(&["discard", ID, "--yes"]).exits(9).says("is in use");
    drop(held);
    scene.agentd(&["discard", ID, "--yes"]).exits(0);
}
