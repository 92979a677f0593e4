//! The system itself is asked what agentd does: what has its name, or is acknowledged, was brought onto the disk before.

use std::process::{Command, Stdio};

use super::trace::{CALLS, Disk, each_call};
use crate::project::{AGENTD, ran};
use crate::support::skipped;
use crate::workflow::scene::{ID, Scene};

/// Follows agentd through commands, and demands at each entry of the journal, and at the end, that nothing is lost which
/// was told before. Gives how many files got their names, and how many entries were told.
fn follow(scene: &Scene, commands: &[&[&str]], is_strict: impl Fn(&str) -> bool) -> (usize, usize) {
    let below = |path: &str| Disk::below(scene.path(path).display().to_string());
    let mut disk = below("repo/agentd");
    let mut state = below("repo/.git/agentd/changes");
    // Git brings no folder onto the disk, but what it gives a name to.
    let mut objects = below("repo/.git/objects");
    let mut refs = below("repo/.git/refs");
    let (mut entries, mut is_beside) = (0, false);
    for command in commands {
        let calls = scene.path("calls").display().to_string();
        let strace = ["-f", "-y", "-s", "160", "-o", &calls, "-e", CALLS, AGENTD];
        ran(&mut scene.command("strace", &[&strace[..], command].concat())).exits(0);
        each_call(&scene.read("calls"), |call| {
            let is_entry = call.name == "write" && call.file().ends_with("/journal.jsonl");
            let what = if is_entry { call.text } else { call.name };
            if is_entry && is_strict(call.text) {
                nothing_is_lost(&disk, what);
                nothing_is_lost(&state, what);
            } else if is_entry || (call.name == "execve" && !is_beside) {
                let is_told = |path: &str| !path.ends_with("/journal.jsonl");
                assert!(state.unsynced().all(is_told), "the journal is relied on by {what}");
            }
            if is_entry {
                // Another thread may start git for another plan before what is told of this one is on the disk.
                (entries, is_beside) = (entries + 1, !is_strict(call.text));
            }
            for disk in [&mut disk, &mut state, &mut objects, &mut refs] {
                disk.take(call);
            }
        });
        nothing_is_lost(&disk, "the end");
        nothing_is_lost(&state, "the end");
    }
    assert!(objects.renamed > 3 && refs.renamed > 1, "{} {}", objects.renamed, refs.renamed);
    // The first entry is there with its folder.
    (disk.renamed, entries + 1)
}

fn nothing_is_lost(disk: &Disk, at: &str) {
    let lost: Vec<_> = disk.unsynced().collect();
    assert!(lost.is_empty(), "not on the disk at {at}: {lost:#?}");
}

fn has_tracer() -> bool {
    let tracer = Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    tracer.is_ok_and(|status| status.success())
}

#[test]
fn what_is_acknowledged_was_brought_onto_the_disk_first() {
    if !has_tracer() {
        skipped("1 test, for `strace` is not there to tell what reaches the disk");
        return;
    }
    let scene = Scene::new();
    let run = ["run", ID, "Add a login page", "--agent", "offline"];
    let (renamed, entries) = follow(&scene, &[&run], |_| true);
    assert_eq!(entries, scene.entries());
    assert!(renamed > 20, "only {renamed} files got their names");
}

#[test]
fn what_a_team_acknowledges_was_brought_onto_the_disk_first() {
    if !has_tracer() {
        skipped("1 test, for `strace` is not there to tell what reaches the disk");
        return;
    }
    let scene = Scene::new();
    let run = ["run", ID, "Add a login page", "--agent", "offline", "--flow", "team"];
    // Those who work side by side write while an entry about others is written: of a lane, its call or its checklist, or a topic.
    let beside = [r#"\"lane\""#, r#"\"called\""#, "04_planning/tasks_", "research"];
    let is_strict = |entry: &str| !beside.iter().any(|word| entry.contains(word));
    let (renamed, entries) = follow(&scene, &[&run, &["approve", ID]], is_strict);
    assert_eq!(entries, scene.entries());
    assert!(renamed > 20, "only {renamed} files got their names");
}
