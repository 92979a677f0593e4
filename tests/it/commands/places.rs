//! A repository that is moved, copied, cloned, or used from a linked worktree in the middle of a change; and repositories of
//! other kinds.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::scene::{ID, Scene};

fn begun() -> Scene {
    let scene = Scene::new();
    scene.run(&["--until", "implement"]).exits(0);
    scene
}

fn git(folder: &Path, words: &[&str]) {
    let status = Command::new("git").current_dir(folder).args(words).status().expect("git runs");
    assert!(status.success(), "{words:?}");
}

#[test]
fn a_repository_that_is_moved_goes_on_with_its_workspaces() {
    let scene = begun();
    let before = scene.home.workspaces();
    let elsewhere = scene.home.path("elsewhere");
    fs::rename(scene.home.root(), &elsewhere).expect("moved");
    scene.home.agentd_in(&elsewhere, &["run", ID]).exits(0).prints("archived");
    fs::rename(&elsewhere, scene.home.root()).expect("moved back");
    assert!(!before.is_empty() && scene.home.workspaces().is_empty(), "{before:?}");
    scene.agentd(&["merge", ID]).exits(0);
}

#[test]
fn a_copy_of_a_repository_has_workspaces_of_its_own() {
    let scene = begun();
    let before = scene.home.workspaces();
    let copy = scene.home.path("copy");
    let copied = Command::new("cp").arg("-a").arg(scene.home.root()).arg(&copy).status();
    assert!(copied.expect("cp runs").success());
    scene.home.agentd_in(&copy, &["run", ID]).exits(0).prints("archived");
    let is_there = |path: &std::path::PathBuf| scene.home.workspaces().contains(path);
    assert!(before.iter().all(is_there), "the workspaces of the original are as they were");
    scene.run(&[]).exits(0).prints("archived");
}

#[test]
fn a_clone_knows_nothing_of_a_change_but_its_documents() {
    let scene = begun();
    scene.home.git(&["add", "--all", "--force", "agentd"]);
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    scene.home.git(&[&who[..], &["commit", "--quiet", "--message", "Documents"]].concat());
    let clone = scene.home.path("clone");
    let from = scene.home.root().display().to_string();
    git(&scene.home.path(""), &["clone", "--quiet", &from, "clone"]);
    scene.home.agentd_in(&clone, &["status", ID]).exits(4).says("there is no change");
    let words = ["run", ID, "Add a login page", "--agent", "offline", "--until", "plan"];
    scene.home.agentd_in(&clone, &words).exits(0).prints("round 1");
}

#[test]
fn a_journal_that_a_clone_brings_along_is_never_read_and_archives_nothing() {
    // All that a change leaves that is about to be archived, as somebody may forge it.
    let scene = Scene::new();
    scene.run(&["--until", "archive"]).exits(0);
    let journal = scene.read("journal.jsonl");
    scene.home.write(&format!("agentd/changes/{ID}/journal.jsonl"), &journal);
    let state = scene.home.root().join(format!("agentd/changes/{ID}"));
    fs::create_dir(state.join("runs")).expect("made");
    for (name, folder) in [("changes", "agentd/git"), ("changes", "agentd/agentd")] {
        scene.home.write(&format!("{folder}/{name}/{ID}/journal.jsonl"), &journal);
    }
    scene.home.git(&["add", "--all", "--force", "agentd"]);
    scene.home.git(&["commit", "--quiet", "--message", "Documents"]);
    let from = scene.home.root().display().to_string();
    git(&scene.home.path(""), &["clone", "--quiet", &from, "clone"]);
    let clone = scene.home.path("clone");
    git(&clone, &["branch", "--quiet", &format!("agentd/{ID}"), &format!("origin/agentd/{ID}")]);
    scene.config("[verify]\ncommands = [\"false\"]\n");
    for words in [&["run", ID][..], &["merge", ID], &["approve", ID], &["status", ID]] {
        scene.home.agentd_in(&clone, words).exits(4).says("there is no change");
    }
    let words = ["run", ID, "Add a login page", "--agent", "offline"];
    scene.home.agentd_in(&clone, &words).exits(4).says("checks fail before the change");
    assert!(!clone.join("agentd/archive").join(ID).exists());
    let archive = fs::read_dir(clone.join("agentd/archive"));
    assert!(archive.map_or(true, |mut entries| entries.next().is_none()), "nothing is archived");
}

#[test]
fn a_change_belongs_to_the_checkout_that_began_it() {
    let scene = begun();
    let linked = scene.home.path("linked");
    scene.home.git(&["worktree", "add", "--quiet", "--detach", &linked.to_string_lossy()]);
    let refused = scene.home.agentd_in(&linked, &["run", ID]).exits(4);
    drop(refused.says("belongs to the main checkout of this repository"));
    let words = ["run", "other", "Add a logo", "--agent", "offline"];
    scene.home.agentd_in(&linked, &words).exits(0).prints("archived");
    assert!(linked.join("agentd/archive").is_dir());
    scene.agentd(&["run", "other"]).exits(4).says("belongs to the checkout");
    scene.run(&[]).exits(0).prints("archived");
}

#[test]
fn a_change_whose_checkout_was_removed_goes_on_in_another_and_can_be_discarded() {
    for words in [
        &["run", "other", "--agent", "offline"][..],
        &["cancel", "other"],
        &["discard", "other", "--yes"],
    ] {
        let scene = Scene::new();
        let linked = scene.home.path("linked");
        let place = linked.to_string_lossy();
        scene.home.git(&["worktree", "add", "--quiet", "--detach", &place]);
        let begin = ["run", "other", "Add a logo", "--agent", "offline", "--until", "implement"];
        scene.home.agentd_in(&linked, &begin).exits(0);
        let list = scene.agentd(&["list"]).exits(0);
        list.prints("nothing here: it belongs to the checkout `worktrees/linked`");
        scene.home.git(&["worktree", "remove", "--force", &place]);
        scene.agentd(&["list"]).exits(0).prints("agentd run other");
        scene.agentd(words).exits(0);
        if words[0] == "run" {
            let journal = scene.home.read(".git/agentd/changes/other/journal.jsonl");
            assert!(journal.contains("\"event\":\"adopted\""), "{journal}");
            assert!(scene.home.root().join("agentd/archive").is_dir());
        }
    }
}

#[test]
fn a_change_whose_state_is_gone_does_not_begin_anew_and_one_with_another_s_journal_is_refused() {
    let scene = begun();
    let state = scene.home.root().join(".git/agentd/changes");
    let words = ["run", "other", "Add a logo", "--agent", "offline", "--until", "plan"];
    scene.agentd(&words).exits(0);
    let journal = fs::read(state.join(ID).join("journal.jsonl")).expect("a journal");
    fs::write(state.join("other/journal.jsonl"), journal).expect("written");
    for words in [&["run", "other"][..], &["status", "other"], &["cancel", "other"]] {
        scene.agentd(words).exits(4).says("is the journal of change `add-login`");
    }
    let code = scene.home.git(&["rev-parse", &format!("agentd/{ID}")]);
    fs::remove_dir_all(state.join(ID)).expect("removed");
    scene.run(&[]).exits(4).says("change `add-login` was started in this repository");
    assert_eq!(scene.home.git(&["rev-parse", &format!("agentd/{ID}")]), code);
}

#[test]
fn a_commit_of_a_person_on_the_branch_of_a_change_is_kept_when_the_branch_is_reset() {
    let scene = begun();
    let root = scene.home.root();
    git(&root, &["checkout", "--quiet", &format!("agentd/{ID}")]);
    fs::write(root.join("mine.txt"), "mine\n").expect("written");
    git(&root, &["add", "mine.txt"]);
    git(
        &root,
        &[
            "-c",
            "user.name=Ada",
            "-c",
            "user.email=ada@localhost",
            "commit",
            "--quiet",
            "-m",
            "Mine",
        ],
    );
    git(&root, &["checkout", "--quiet", "-"]);
    let reset = "reset      agentd/add-login to the change's own code; what it held is on agentd/add-login.kept-1";
    scene.agent("again", "read\nwrite src/other.sh echo other\nplay");
    scene.agentd(&["reject", ID, "Do it again"]);
    let ran = scene.run(&["--agent", "implement=again"]);
    ran.prints(reset);
    assert_eq!(scene.home.git(&["show", &format!("agentd/{ID}.kept-1:mine.txt")]).trim(), "mine");
}

#[test]
fn the_base_of_a_change_is_held_by_a_ref() {
    let scene = begun();
    let base = scene.home.git(&["rev-parse", &format!("refs/agentd/{ID}/base")]);
    assert_eq!(base, scene.home.git(&["rev-parse", "HEAD"]));
}

#[test]
fn the_base_that_a_baseline_fixed_is_held_by_a_ref_too_and_again_once_somebody_deleted_it() {
    let scene = Scene::new();
    scene.config("[verify]\ncommands = [\"true\"]\n");
    scene.run(&["--until", "plan"]).exits(0);
    let name = format!("refs/agentd/{ID}/base");
    let base = scene.home.git(&["rev-parse", "HEAD"]);
    assert_eq!(scene.home.git(&["rev-parse", &name]), base);
    scene.home.git(&["update-ref", "-d", &name]);
    scene.run(&["--until", "challenge"]).exits(0);
    assert_eq!(scene.home.git(&["rev-parse", &name]), base);
}

#[test]
fn shallow_and_sha_256_repositories_are_served_and_bare_ones_refused() {
    let scene = begun();
    let from = format!("file://{}", scene.home.root().display());
    git(&scene.home.path(""), &["clone", "--quiet", "--depth", "1", &from, "shallow"]);
    let words = ["run", ID, "Add a login page", "--agent", "offline", "--flow", "quick"];
    let shallow = scene.home.path("shallow");
    scene.home.agentd_in(&shallow, &words).exits(0).prints("archived");
    let newer = scene.home.path("newer");
    git(&scene.home.path(""), &["init", "--quiet", "--object-format=sha256", "newer"]);
    fs::write(newer.join("README.md"), "# Shop\n").expect("written");
    git(&newer, &["add", "--all"]);
    let who = ["-c", "user.name=Ada", "-c", "user.email=ada@localhost"];
    git(&newer, &[&who[..], &["commit", "--quiet", "--message", "Begin"]].concat());
    scene.home.agentd_in(&newer, &words).exits(0).prints("archived");
    git(&scene.home.path(""), &["clone", "--quiet", "--bare", &from, "bare"]);
    scene.home.agentd_in(&scene.home.path("bare"), &words).exits(4);
}

#[test]
fn a_partial_clone_that_lacks_files_is_refused_with_what_to_do() {
    let scene = begun();
    scene.home.git(&["config", "uploadpack.allowFilter", "true"]);
    let from = format!("file://{}", scene.home.root().display());
    let clone = ["clone", "--quiet", "--filter=blob:none", "--no-checkout", &from, "partial"];
    git(&scene.home.path(""), &clone);
    let partial = scene.home.path("partial");
    let words = ["run", ID, "Add a login page", "--agent", "offline", "--flow", "quick"];
    let ran = scene.home.agentd_in(&partial, &words).exits(4);
    ran.says("is a partial clone that lacks").says("git fetch --refetch --no-filter");
    git(&partial, &["fetch", "--quiet", "--refetch", "--no-filter"]);
    git(&partial, &["checkout", "--quiet", "--force", "HEAD"]);
    scene.home.agentd_in(&partial, &words).exits(0).prints("archived");
}
