//! Two runs at once on one change: one works, the others learn at once who it is.

use std::process::Child;
use std::time::{Duration, Instant};

use super::scene::{ID, Scene, kill};
use crate::process::scene::await_that;
use crate::project::{ended, ran};

/// Starts a run whose first call hangs, and waits until it does.
fn hanging(scene: &Scene) -> Child {
    scene.script("count PATH/notes/calls\nread\non 1 hang\nfrom 2 play");
    let mut command = scene.run(&["--agent", "plan=scripted"]);
    let child = command.spawn().expect("it starts");
    await_that("the first call", || scene.calls() == 1);
    child
}

#[test]
fn a_second_run_is_refused_at_once_and_told_who_holds_the_change() {
    let scene = Scene::new();
    let first = hanging(&scene);
    let start = Instant::now();
    let second = scene.runs(&[]).exits(9);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    second.says(&format!("is in use by agentd with process id {}", first.id()));
    for others in [&["cancel", ID][..], &["approve", ID], &["plan", ID]] {
        ran(&mut scene.agentd(others)).exits(9);
    }
    ran(&mut scene.agentd(&["status", ID])).exits(0);

    kill(first);
    let start = Instant::now();
    ran(&mut scene.agentd(&["reject", ID, "-m", "no"])).exits(4);
    assert!(start.elapsed() < Duration::from_secs(2), "it is free at once: {:?}", start.elapsed());
    scene.runs(&["--until", "plan"]).exits(0);
}

#[test]
fn of_many_runs_that_begin_a_change_at_once_one_begins_it() {
    let scene = Scene::new();
    scene.script("count PATH/notes/calls\nplay");
    let start =
        || scene.run(&["--agent", "plan=scripted", "--until", "plan"]).spawn().expect("it starts");
    let racers: Vec<_> = (0..8).map(|_| start()).collect();
    let codes: Vec<_> = racers.into_iter().map(|racer| ended(racer).code).collect();
    // One that comes when all is done finds nothing to do.
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 9))), "{codes:?}");
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert_eq!(scene.calls(), 1);
    assert_eq!(scene.history().len(), 6, "{:?}", scene.history());
}

#[test]
fn a_call_by_hand_is_refused_while_a_run_has_the_change_and_writes_nothing_into_a_team_s() {
    let scene = Scene::new();
    let call = ["call", "plan", ID, "Add login", "--agent", "offline"];
    let first = hanging(&scene);
    let before = scene.history();
    ran(&mut scene.agentd(&call)).exits(9).says(&format!("process id {}", first.id()));
    assert!(!scene.change().join("proposal.md").exists(), "it wrote into a change that is held");
    assert_eq!(scene.history(), before);
    kill(first);
    ran(&mut scene.agentd(&call)).exits(0);
    assert_eq!(scene.history(), before, "a call by hand is not taken down");
    scene.runs(&["--until", "plan"]).exits(0);

    let team = ["run", "add-logo", "Add a logo", "--flow", "team", "--agent", "offline"];
    ran(&mut scene.agentd(&[&team[..], &["--until", "architect"]].concat())).exits(0);
    for more in [&[][..], &["--dry-run"]] {
        let call = [&["call", "plan", "add-logo", "x", "--agent", "offline"], more].concat();
        ran(&mut scene.agentd(&call)).exits(4).says("which has roles and no phases");
    }
    assert!(!scene.path("repo/agentd/changes/add-logo/proposal.md").exists());
}
