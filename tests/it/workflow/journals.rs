//! Journals that are not as agentd left them: what can be read is used, what cannot is kept as it is.

use std::fs;

use super::scene::{ID, Scene};
use crate::project::ran;
use crate::support::make_special;

/// A change whose plan is made.
fn planned() -> Scene {
    let scene = Scene::new();
    scene.runs(&["--until", "plan"]).exits(0);
    scene
}

fn write(scene: &Scene, journal: &[u8]) {
    fs::write(scene.state().join("journal.jsonl"), journal).expect("it is written");
}

#[test]
fn a_last_line_that_was_never_finished_is_dropped_said_and_kept() {
    let scene = planned();
    let whole = scene.journal();
    let torn = b"{\"version\":1,\"at_ms\":99999";
    write(&scene, &[whole.as_slice(), torn].concat());
    let status = ran(&mut scene.agentd(&["status", ID])).exits(0);
    assert!(status.stdout.contains("at         challenge"), "{}", status.stdout);
    assert!(scene.journal().ends_with(torn), "to look changes nothing");

    scene.runs(&["--until", "challenge"]).exits(0).says("is incomplete");
    assert!(scene.journal().starts_with(&whole));
    assert!(!scene.journal().windows(torn.len()).any(|window| window == torn));
    let kept = fs::read(scene.state().join("journal.torn")).expect("it is kept");
    assert_eq!(kept, [torn.as_slice(), b"\n"].concat());
}

#[test]
fn a_journal_that_is_damaged_or_of_another_version_is_refused_and_kept() {
    let scene = planned();
    let whole = String::from_utf8(scene.journal()).expect("text");
    let (first, rest) = whole.split_once('\n').expect("two lines");
    let impossible = first.replace("created", "guided").replace("request", "text");
    for (journal, said) in [
        (format!("{first}\ngarbage\n{rest}"), "is damaged at line 2"),
        (format!("{first}\n\n{rest}"), "is damaged at line 2"),
        (whole.replace("\"version\":2", "\"version\":1"), "has version 1"),
        (format!("{whole}{}\n", first.replace("created", "danced")), "is damaged at line"),
        (format!("{impossible}\n{rest}"), "entry 1 is impossible"),
    ] {
        write(&scene, journal.as_bytes());
        scene.runs(&[]).exits(4).says(said);
        ran(&mut scene.agentd(&["status", ID])).exits(4).says(said);
        ran(&mut scene.agentd(&["list"])).exits(0);
        assert_eq!(scene.journal(), journal.as_bytes(), "it is kept as it is");
    }
    write(&scene, whole.as_bytes());
    scene.runs(&["--until", "challenge"]).exits(0);
}

#[test]
fn documents_that_lie_there_before_a_change_is_begun_are_no_change() {
    let scene = Scene::new();
    scene.write(&format!("repo/agentd/changes/{ID}/.request.md.new"), "Add");
    // agentd was gone before the state was there as a whole.
    scene.write(&format!("repo/.git/agentd/changes/{ID}.new/journal.jsonl"), "{\"version\":2");
    ran(&mut scene.agentd(&["run", ID, "--agent", "offline"])).exits(4).says("there is no change");
    ran(&mut scene.agentd(&["status", ID])).exits(4);
    scene.runs(&["--until", "plan"]).exits(0);
    assert_eq!(scene.history()[0], "created - -");
    scene.runs(&["--until", "plan"]).exits(0);
    assert!(!scene.change().join(".request.md.new").exists());
}

/// Runs agentd with files that can grow to so many blocks of 512 bytes, as on a disk that is full.
fn confined(scene: &Scene, blocks: u32, arguments: &[&str]) -> std::process::Command {
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let words = [&["-c", &script, crate::project::AGENTD], arguments].concat();
    scene.command("sh", &words)
}

#[test]
fn an_entry_that_cannot_be_written_is_not_there_at_all() {
    let scene = planned();
    let (journal, checkout) = (scene.journal(), scene.checkout());
    let reason = "x".repeat(60_000);
    ran(&mut confined(&scene, 16, &["cancel", ID, "-m", &reason])).exits(10).says("cannot write");
    assert_eq!(scene.journal(), journal);
    assert_eq!(scene.checkout(), checkout);
    scene.runs(&["--until", "challenge"]).exits(0);
}

#[test]
fn a_run_that_finds_the_disk_full_says_so_and_goes_on_later() {
    let scene = planned();
    let (journal, checkout) = (scene.journal(), scene.checkout());
    ran(&mut confined(&scene, 8, &["run", ID, "--agent", "offline"])).exits(10);
    assert!(scene.journal().starts_with(&journal));
    assert_eq!(scene.checkout(), checkout);
    scene.runs(&[]).exits(0);
    assert_eq!(scene.answers()["plan"], 2);
}

#[test]
fn a_journal_that_holds_nothing_any_more_is_told_as_unreadable_and_nothing_begins_anew() {
    for is_there in [true, false] {
        let scene = planned();
        let whole = scene.journal();
        let path = scene.state().join("journal.jsonl");
        if is_there {
            write(&scene, b"");
        } else {
            fs::remove_file(&path).expect("it is removed");
        }
        let list = ran(&mut scene.agentd(&["list"])).exits(0);
        assert!(list.stdout.contains("unreadable"), "{}", list.stdout);
        let said = "is empty, though the change was started";
        ran(&mut scene.agentd(&["run", ID])).exits(4).says(said);
        ran(&mut scene.agentd(&["status", ID])).exits(4).says(said);
        scene.runs(&[]).exits(4).says(said);
        assert!(fs::read(&path).unwrap_or_default().is_empty(), "nothing was begun anew");
        write(&scene, &whole);
        scene.runs(&["--until", "challenge"]).exits(0);
    }
}

#[test]
fn an_archived_change_whose_journal_is_damaged_is_listed_and_its_id_is_not_free() {
    let scene = Scene::new();
    scene.runs(&[]).exits(0);
    let journal = scene.state().join("journal.jsonl");
    fs::write(&journal, "garbage\n").expect("it is written");
    for more in [&[][..], &["--all"]] {
        let list = ran(&mut scene.agentd(&[&["list"], more].concat())).exits(0);
        assert!(list.stdout.contains(ID) && list.stdout.contains("unreadable"), "{}", list.stdout);
    }
    scene.runs(&[]).exits(4).says("is damaged at line 1");
    assert!(!scene.path("repo/agentd/changes").join(ID).exists(), "it was begun anew");
}

#[test]
fn a_journal_that_is_no_file_is_refused_at_once_and_never_waited_for() {
    for kind in ["pipe", "folder", "socket"] {
        let scene = planned();
        let path = scene.state().join("journal.jsonl");
        fs::remove_file(&path).expect("it is removed");
        assert!(make_special(kind, &path), "{kind}");
        let list = ran(&mut scene.agentd(&["list"])).exits(0);
        assert!(list.stdout.contains("unreadable"), "{kind}: {}", list.stdout);
        scene.runs(&[]).exits(12).says("journal.jsonl").says("not a regular file");
    }
}
