//! `agentd` alone.

use super::scene::{ID, Scene};
use crate::home::Home;

#[test]
fn alone_it_shows_where_you_are_and_the_next_command() {
    let scene = Scene::new();
    scene
        .agentd(&[])
        .exits(0)
        .prints("plan -> challenge -> implement -> review -> archive")
        .prints(&format!("project    {}", scene.home.root().display()))
        .prints("next       agentd run add-login \"Add a login page\"\n")
        .prints("\n  agentd demo ");
    scene.run(&["--until", "plan"]).exits(0);
    scene
        .agentd(&[])
        .exits(0)
        .prints("changes    add-login  challenge  agentd run add-login\n")
        .prints("next       agentd run add-login\n");
    scene.run(&[]).exits(0);
    scene.agentd(&[]).exits(0).prints("next       agentd merge add-login\n");
    scene.agentd(&["merge", ID]).exits(0);
    scene.agentd(&[]).exits(0).prints("next       agentd run add-login \"Add a login page\"\n");
}

#[test]
fn alone_it_welcomes_also_where_there_is_no_repository_or_no_commit() {
    let home = Home::new();
    let outside = home.agentd(&[]).exits(0).prints("is not in a git repository").prints("git init");
    assert_eq!(outside.stderr, "");
    let home = home.with_git();
    home.agentd(&[]).exits(0).prints("project    ").prints("next       ").prints("commit");
    home.agentd(&["run", ID, "Add login", "--agent", "offline"]).exits(4).says("commit");
    assert!(!home.root().join("agentd").exists(), "nothing is made before that is said");
}

#[test]
fn a_project_that_says_nothing_of_itself_is_told_so_once() {
    let scene = Scene::new();
    std::fs::remove_file(scene.home.root().join("agentd/project.md")).expect("removed");
    let ran = scene.run(&[]).exits(0).prints("project    no project description: `agentd init`");
    assert_eq!(ran.stderr.matches("no value for PROJECT_CONTEXT").count(), 1, "{}", ran.stderr);
}

#[test]
fn without_the_folder_init_is_proposed() {
    let scene = Scene::bare();
    std::fs::remove_dir_all(scene.home.root().join("agentd")).expect("removed");
    scene.agentd(&[]).exits(0).prints("next       agentd init, then agentd run");
}
