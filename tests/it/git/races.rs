//! Processes of an agent that are still there while agentd sets its workspace back, and put links to the user's files in the way.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use agentd::process::{Support, support};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::scene::{Scene, write};
use crate::support::skipped;

/// Does something again and again for as long as something else lasts.
fn beside<T>(attack: impl Fn() + Sync, work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let attacker = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                attack();
            }
        });
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        attacker.join().unwrap();
        result
    })
}

#[test]
fn a_link_in_the_place_of_an_agent_s_git_never_leads_to_the_user_s() {
    let scene = Scene::new();
    scene.git(&["config", "remote.origin.url", "https://example.com/precious.git"]);
    let (workspace, start) = scene.workspace();
    let (link, theirs) = (workspace.path().join(".git"), scene.root().join(".git"));
    let before = scene.checkout();
    let put_link = || drop(symlink(&theirs, &link));
    beside(put_link, || {
        for _ in 0..200 {
            // Whether it is made does not matter, only where.
            let _ = workspace.give_git(&start);
        }
    });
    assert_eq!(scene.checkout(), before);
    workspace.give_git(&start).unwrap();
    assert!(link.join("HEAD").is_file() && !link.is_symlink());
    let left = fs::read_dir(scene.path("state")).unwrap().count();
    assert_eq!(left, 1, "nothing stays beside the workspace");
}

#[test]
fn a_link_in_the_place_of_a_folder_never_leads_to_the_user_s_while_files_are_set_back() {
    if support() == Support::None {
        return skipped("git is not confined");
    }
    let scene = Scene::new();
    for number in 0..300 {
        scene.write(format!("src/{number}.rs"), "fn f() {}\n");
    }
    scene.commit("many files");
    let (workspace, start) = scene.workspace();
    // The user is in the middle of something: some files are gone, and some are not committed.
    for number in 0..300 {
        fs::remove_file(scene.root().join(format!("src/{number}.rs"))).unwrap();
        scene.write(format!("src/new-{number}.rs"), "precious");
    }
    let before = scene.checkout();
    let (folder, link) = (workspace.path().join("src"), workspace.path().join("link-to-theirs"));
    let swap = || {
        let _ = symlink(scene.root().join("src"), &link);
        for _ in 0..2 {
            let _ = renameat_with(CWD, &link, CWD, &folder, RenameFlags::EXCHANGE);
            thread::yield_now();
        }
    };
    for _ in 0..20 {
        if folder.is_dir() && !folder.is_symlink() {
            for number in 0..300 {
                write(&folder.join(format!("{number}.rs")), "fn edited() {}\n");
                write(&folder.join(format!("new-{number}.rs")), "left");
            }
        }
        beside(swap, || drop(workspace.restore(&start)));
        assert_eq!(scene.checkout(), before);
    }
    workspace.restore(&start).unwrap();
    assert!(workspace.is_as_at(&start).unwrap());
    assert_eq!(fs::read_to_string(folder.join("7.rs")).unwrap(), "fn f() {}\n");
    assert!(Path::new(&folder).is_dir());
}
