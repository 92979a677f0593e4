//! Points at which agentd may have been gone, made by hand: something is done, and the journal does not know it yet.

use std::collections::BTreeMap;
use std::fs;

use super::scene::{ID, Scene};
use crate::project::ran;

const PHASES: [&str; 5] = ["plan", "challenge", "implement", "review", "archive"];

/// Runs a change to its end, and after each phase lets agentd forget how it ended.
fn forgetful(forget: fn(&Scene, &str)) -> Scene {
    let scene = Scene::new();
    let checkout = scene.checkout();
    for phase in PHASES {
        // What is archived is put in place at once, unless a person is to be asked first.
        let option = if phase == "archive" { "--pause" } else { "--until" };
        scene.runs(&[option, phase]).exits(0);
        let answers = scene.answers();
        forget(&scene, phase);
        scene.runs(&[option, phase]).exits(0);
        assert_eq!(scene.answers(), answers, "{phase} is not asked again");
    }
    ran(&mut scene.agentd(&["approve", ID])).exits(0);
    scene.runs(&[]).exits(0);
    assert_eq!(scene.checkout(), checkout);
    scene
}

/// Leaves out of an outcome that a person was asked.
fn unasked(mut outcome: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let history = outcome.get_mut("history").expect("a history");
    let is_asking = |line: &&str| line.starts_with("paused") || line.starts_with("approved");
    *history = history.lines().filter(|line| !is_asking(line)).collect::<Vec<_>>().join("\n");
    outcome
}

/// Takes the end of a phase out of the journal, and takes back what came after it.
fn forget(scene: &Scene, phase: &str) {
    scene.cut_journal(&format!("\"event\":\"finished\",\"step\":\"{phase}\""));
    // There may be none yet, and one of an earlier round is restored.
    drop(fs::remove_file(scene.change().join("CHECKS.md")));
}

fn undisturbed() -> Scene {
    let scene = Scene::new();
    scene.runs(&[]).exits(0);
    scene
}

#[test]
fn an_answer_that_was_not_taken_down_is_used_and_not_asked_for_again() {
    // What agentd itself made of it is there: the commit, the ticks, CHALLENGE.md and REVIEW.md.
    let scene = forgetful(forget);
    assert_eq!(unasked(scene.outcome()), undisturbed().outcome());
}

#[test]
fn an_answer_whose_records_are_half_written_is_used_too() {
    let scene = forgetful(|scene, phase| {
        forget(scene, phase);
        let run = scene.runs_of(phase).pop().expect("a run");
        fs::remove_file(run.join("meta.json")).expect("it was there");
        fs::write(run.join("response.txt"), "ha").expect("it is written");
        for left in [".state.json.new", ".CHALLENGE.md.new", "specs/.login.md.new"] {
            let path = scene.change().join(left);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            fs::write(path, "ha").expect("it is written");
        }
    });
    assert_eq!(unasked(scene.outcome()), undisturbed().outcome());
    let run = scene.runs_of("review").pop().expect("a run");
    assert_ne!(fs::read_to_string(run.join("response.txt")).expect("text"), "ha");
    assert!(run.join("meta.json").is_file());
}

#[test]
fn checks_that_were_not_taken_down_are_run_again_on_the_code_that_was_committed() {
    let scene = Scene::new();
    scene.runs(&["--until", "implement"]).exits(0);
    scene.cut_journal("\"event\":\"finished\",\"step\":\"checks\"");
    let checks = scene.workspace().with_file_name(format!("{ID}.checks"));
    fs::write(checks.join("half-built"), "by a check").expect("it is written");
    scene.runs(&[]).exits(0);
    assert_eq!(scene.outcome(), undisturbed().outcome());
}

#[test]
fn a_change_that_was_moved_but_not_taken_down_as_archived_is_finished() {
    let scene = undisturbed();
    let outcome = scene.outcome();
    scene.cut_journal("\"event\":\"finished\",\"step\":\"apply\"");
    // Others go on meanwhile.
    let changelog = scene.read("repo/agentd/CHANGELOG.md") + "\n## 1.0.0\n";
    scene.write("repo/agentd/CHANGELOG.md", &changelog);

    let status = ran(&mut scene.agentd(&["status", ID])).exits(0);
    assert!(status.stdout.contains("at         apply"), "{}", status.stdout);
    assert!(status.stdout.contains(&format!("agentd run {ID}")), "{}", status.stdout);
    let list = ran(&mut scene.agentd(&["list"])).exits(0);
    assert!(list.stdout.contains("  apply"), "{}", list.stdout);
    ran(&mut scene.agentd(&["run", ID, "--agent", "offline"])).exits(0);
    assert_eq!(scene.history().last().map(String::as_str), Some("finished apply DONE"));
    assert_eq!(scene.read("repo/agentd/CHANGELOG.md"), changelog);
    assert_eq!(scene.outcome().len(), outcome.len(), "nothing is left over");
    let list = ran(&mut scene.agentd(&["list"])).exits(0);
    assert!(list.stdout.contains("no change is open"), "{}", list.stdout);
}

#[test]
fn an_archive_that_was_begun_is_planned_anew_when_others_have_written_meanwhile() {
    let scene = undisturbed();
    let archived = scene.change();
    scene.cut_journal("\"event\":\"finished\",\"step\":\"apply\"");
    fs::rename(archived, scene.path("repo/agentd/changes").join(ID)).expect("it is moved back");
    scene.write("repo/agentd/CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n### Something else\n");
    scene.runs(&[]).exits(0);
    let changelog = scene.read("repo/agentd/CHANGELOG.md");
    assert!(changelog.contains("### Something else") && changelog.contains(ID), "{changelog}");
    let applying = scene.history().iter().filter(|entry| entry.starts_with("applying")).count();
    assert_eq!(applying, 2);
}

#[test]
fn an_archive_that_is_half_in_place_is_neither_given_up_nor_asked_about() {
    let scene = undisturbed();
    let outcome = scene.outcome();
    let archived = scene.change();
    scene.cut_journal("\"event\":\"finished\",\"step\":\"apply\"");
    fs::rename(archived, scene.path("repo/agentd/changes").join(ID)).expect("it is moved back");
    ran(&mut scene.agentd(&["cancel", ID])).exits(4).says("is being archived");
    scene.runs(&["--pause", "archive"]).exits(0);
    assert_eq!(scene.outcome(), outcome);
}

#[test]
fn a_change_that_is_done_stays_done_and_other_wishes_are_refused() {
    let scene = undisturbed();
    let outcome = scene.outcome();
    scene.runs(&[]).exits(0);
    ran(&mut scene.agentd(&["run", ID, "--agent", "offline"])).exits(0);
    assert_eq!(scene.outcome(), outcome);
    ran(&mut scene.agentd(&["run", ID, "Something else", "--agent", "offline"])).exits(4);
    assert_eq!(scene.outcome(), outcome);
}

#[test]
fn nothing_but_documents_lies_in_the_checkout() {
    let scene = Scene::new();
    scene.runs(&["--until", "plan"]).exits(0);
    let seen = scene.git(&["status", "--porcelain", "--untracked-files=all", "agentd"]);
    let seen: Vec<_> = seen.lines().filter_map(|line| line.rsplit('/').next()).collect();
    assert_eq!(seen, ["proposal.md", "request.md", "add-login.md", "state.json", "tasks.md"]);
    assert!(scene.state().join("documents").is_dir() && scene.state().join("runs").is_dir());
}
