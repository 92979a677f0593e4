//! `agentd run --dry-run`: what would be sent, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use super::scene::{ID, Scene, tree};
use crate::process::scene::SOON;
use crate::support::program;
use crate::support::{SPECIAL, make_special, skipped};

/// Takes down everything: the checkout, the repository, the user's home.
fn everything(scene: &Scene) -> BTreeMap<PathBuf, Vec<u8>> {
    tree(&scene.home.path(""))
}

#[test]
fn a_dry_run_shows_byte_for_byte_what_each_call_then_sends_and_writes_nothing() {
    let scene = Scene::new();
    scene.home.write("notes.txt", "not committed");
    scene.home.write("agentd/specs/old.md", "# Old\n\nWhat holds now.\n");
    for (run, phase) in [
        ("001-plan", "plan"),
        ("002-challenge", "challenge"),
        ("003-plan", "plan"),
        ("004-challenge", "challenge"),
        ("005-implement", "implement"),
        ("006-review", "review"),
    ] {
        let before = everything(&scene);
        let shown = scene.run(&["--dry-run"]).exits(0);
        assert_eq!(everything(&scene), before, "{run}: something was written");
        if run == "001-plan" {
            scene.run(&["--until", "plan"]).exits(0);
        } else {
            // Whether it passes is all the same here.
            scene.agentd(&[phase, ID]);
        }
        assert_eq!(shown.stdout, scene.prompt(run), "{run}");
    }
    assert!(scene.prompt("001-plan").contains("What holds now."));
    assert!(scene.prompt("006-review").contains("changes.diff"));
    assert!(!scene.prompt("001-plan").contains("notes.txt"), "the workspace has no such file");
}

#[test]
fn a_dry_run_needs_neither_trust_nor_an_installed_agent() {
    let scene = Scene::bare();
    scene.home.write("agentd/config.toml", "[verify]\ncommands = [\"touch ran\"]\n");
    let nowhere = scene.home.path("empty");
    fs::create_dir(&nowhere).expect("made");
    std::os::unix::fs::symlink(program("git"), nowhere.join("git")).expect("linked");
    let path = format!("{}:/usr/bin:/bin", nowhere.display());
    let home = scene.home.variable("PATH", &path);
    let scene = Scene { home };
    scene.agentd(&["run", ID, "Add login", "--agent", "offline"]).exits(4).says("agentd trust");
    let before = everything(&scene);
    let shown = scene.run(&["--dry-run"]).exits(0).prints("<instructions>Add login</instructions>");
    assert!(shown.stdout.starts_with("<prompt>"), "{}", shown.stdout);
    assert_eq!(everything(&scene), before);
}

#[test]
fn a_dry_run_takes_guidance_into_account_and_refuses_what_a_run_would() {
    let scene = Scene::new();
    scene.agentd(&["run", ID, "--dry-run"]).exits(4).says("there is no change");
    scene.run(&["--until", "plan"]).exits(0);
    let before = everything(&scene);
    scene
        .agentd(&["run", ID, "Use OAuth", "--dry-run"])
        .exits(0)
        .prints("part of the request:\nUse OAuth")
        .prints("This is round 2 of plan.");
    assert_eq!(everything(&scene), before);
    scene.agentd(&["run", ID, "--pause", "challenge"]).exits(0);
    scene.agentd(&["run", ID, "--dry-run"]).exits(4).says("agentd approve add-login");
    scene.agentd(&["approve", ID]).exits(0);
    scene.agentd(&["run", ID]).exits(0);
    scene.agentd(&["run", ID, "--dry-run"]).exits(4).says("archived in");
    scene.agentd(&["run", ID, "--dry-run", "--json"]).exits(2);
}

#[test]
fn what_is_not_a_regular_file_is_no_context_and_refused_at_once() {
    for kind in SPECIAL {
        for place in ["agentd/project.md", "agentd/specs/old.md"] {
            let scene = Scene::new();
            let path = scene.home.root().join(place);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            // There may be none.
            let _ = fs::remove_file(&path);
            if !make_special(kind, &path) {
                skipped(&format!("a {kind} as `{place}`, for none can be made here"));
                continue;
            }
            let start = Instant::now();
            let ran = scene.run(&["--dry-run"]).exits(12).says("it is not a regular file");
            drop(ran.says(place));
            assert!(start.elapsed() < SOON, "{kind}: {:?}", start.elapsed());
        }
    }
}

/// Writes a tree of files that git itself would never make, and gives its name.
fn crafted_tree(scene: &Scene, names: &[&str]) -> String {
    let id = scene.home.git(&["rev-parse", "HEAD:README.md"]);
    let hex = id.trim().as_bytes().chunks(2);
    let id: Vec<_> = hex
        .map(|pair| str::from_utf8(pair).expect("hex"))
        .map(|pair| u8::from_str_radix(pair, 16).expect("hex"))
        .collect();
    let entry = |name: &&str| [format!("100644 {name}\0").as_bytes(), &id].concat();
    let tree = scene.home.path("crafted.tree");
    fs::write(&tree, names.iter().map(entry).collect::<Vec<_>>().concat()).expect("written");
    let write = ["hash-object", "-t", "tree", "--literally", "-w"];
    scene.home.git(&[&write[..], &[tree.to_str().expect("UTF-8")]].concat()).trim().to_owned()
}

#[test]
fn a_dry_run_writes_nothing_elsewhere_whatever_names_a_clone_s_commit_holds() {
    let scene = Scene::new();
    let victim = scene.home.path("home/kept.txt");
    fs::write(&victim, "kept").expect("written");
    let absolute = victim.to_str().expect("UTF-8");
    let upwards = format!("{}{absolute}", "../".repeat(20).trim_end_matches('/'));
    let inside = format!("shown/..{}", upwards.strip_prefix("..").expect("it leads up"));
    let names = [upwards.as_str(), absolute, &inside, "..", ".", "shown.txt"];
    let tree = crafted_tree(&scene, &names);
    let commit = scene.home.git(&["commit-tree", "-m", "Crafted", &tree]);
    scene.home.git(&["update-ref", "HEAD", commit.trim()]);
    let before = everything(&scene);
    let ran = scene.run(&["--dry-run"]);
    assert_eq!(everything(&scene), before, "something was written");
    ran.exits(0).prints("shown.txt");
}

#[test]
fn what_a_crash_left_before_anything_was_asked_for_does_not_keep_a_team_from_showing_its_prompt() {
    let scene = Scene::new();
    fs::create_dir_all(scene.change("")).expect("made");
    fs::write(scene.change(".lock"), "").expect("written");
    let team = ["--flow", "team", "--agent", "offline"];
    scene.run(&[&team[..], &["--dry-run"]].concat()).exits(0).prints("==> ");
    scene.run(&[&team[..], &["--until", "architect"]].concat()).exits(0);
}
