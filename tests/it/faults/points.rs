//! Every step by which agentd writes something is made to fail: with an error, as on a full disk, or with the process that
//! takes it. Every day a few of them, and all of them with `just faults`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::scene::{Fault, Flow, Point, Story, Undisturbed};

/// How many steps fail in each flow unless `AGENTD_FAULTS` says otherwise.
const EVERY_DAY: usize = 6;
/// How many changes are disturbed at once: they wait for the disk more than they compute.
const AT_ONCE: usize = 4;
/// After how many points it is told how far it is, for those who wait for all of them.
const TOLD_EVERY: usize = 250;

/// What is said where the process was killed that guards a run.
const LOST: &str = "the guard of the run ended without a record";

/// How agentd ended at a step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    /// It said what it could not do: exit code 10.
    Told,
    /// It was killed, or lost the guard that was.
    Killed,
    /// It went on without.
    WentOn,
    /// There was no such step.
    NotReached,
}

/// Disturbs a change at one point, looks at what is there, and has it come to its end.
fn strike(point: Point, undisturbed: &Undisturbed) -> Ended {
    let story = Story::of(point.flow);
    let checkout = story.scene.checkout();
    let ran = story.disturbed_by(point.fault, point.number);
    let steps = story.steps();
    let Some(step) = steps.get(point.number - 1) else {
        ran.exits(0);
        return Ended::NotReached;
    };
    let ended = match (point.fault, ran.code) {
        (_, Some(0)) => Ended::WentOn,
        (Fault::Error | Fault::Full, Some(10)) => Ended::Told,
        (Fault::Kill, None) => Ended::Killed,
        (Fault::Kill, Some(5 | 10)) if ran.stderr.contains(LOST) => Ended::Killed,
        (_, code) => panic!("{step}: exit code {code:?}\n{}", ran.stderr),
    };
    if ended == Ended::Told {
        // On a full disk, what is tried afterwards fails too.
        let failed = match point.fault {
            Fault::Full => &steps[point.number - 1..],
            Fault::Error | Fault::Kill => std::slice::from_ref(step),
        };
        let is_named = failed.iter().any(|step| names(&ran.stderr, step));
        assert!(is_named, "{step} is not named in\n{}", ran.stderr);
        assert!(ran.stderr.contains("help: "), "{step}: no help in\n{}", ran.stderr);
    }
    story.nobody_is_left();
    assert_eq!(story.scene.checkout(), checkout, "{step}: the user's checkout");
    let acknowledged = story.acknowledged();
    story.ends();
    assert!(story.scene.journal().starts_with(&acknowledged), "{step}: something is lost");
    assert_eq!(story.scene.checkout(), checkout, "{step}: the user's checkout");
    story.ended_like(undisturbed);
    ended
}

/// Says whether a message names the file of a step, or the folder that it is in. Of what could not be made at all, a folder
/// above may be named; of a folder that could not be brought onto the disk, what was put into it.
fn names(message: &str, step: &str) -> bool {
    let (step, path) = step.split_once(' ').unwrap_or_default();
    let parts = path.rsplit('/').filter(|part| !part.is_empty());
    let mut named = message.split('`').skip(1).step_by(2);
    parts.take(if step == "Create" { 3 } else { 2 }).any(|part| message.contains(part))
        || (step == "Sync" && named.any(|name| Path::new(path).join(name).exists()))
}

/// Chooses points: all of them, so many, or the one of a number. Each day it is others, evenly spread.
fn points(flow: Flow, faults: &[Fault], steps: usize) -> Vec<Point> {
    let point = |fault: Fault, number: usize| Point { flow, fault, number };
    let chosen = std::env::var("AGENTD_FAULTS").unwrap_or_default();
    if let Some(number) = chosen.strip_prefix("at ") {
        let number = number.parse().expect("a number");
        return faults.iter().map(|fault| point(*fault, number)).collect();
    }
    if chosen == "all" {
        let all =
            |fault: &Fault| (1..=steps).map(|number| point(*fault, number)).collect::<Vec<_>>();
        return faults.iter().flat_map(all).collect();
    }
    let count = chosen.parse().unwrap_or(EVERY_DAY).clamp(1, steps);
    let offset = std::process::id() as usize % (steps / count).max(1);
    let number = |index: usize| 1 + offset + index * steps / count;
    (0..count).map(|index| point(faults[(index + offset) % faults.len()], number(index))).collect()
}

/// Disturbs a change of a flow at many points, and tells of all that do not hold.
#[expect(clippy::print_stdout, reason = "those who wait want to know how far it is")]
fn strike_many(flow: Flow, faults: &[Fault]) -> String {
    let undisturbed = Undisturbed::of(flow);
    let steps = undisturbed.steps;
    let points = points(flow, faults, steps);
    let (next, ends, wrong) =
        (AtomicUsize::new(0), Mutex::new(BTreeMap::new()), Mutex::new(Vec::new()));
    std::thread::scope(|threads| {
        for _ in 0..AT_ONCE {
            threads.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(point) = points.get(index) else { break };
                    if index > 0 && index.is_multiple_of(TOLD_EVERY) {
                        println!("{flow:?}: {index} of {} points", points.len());
                    }
                    match catch_unwind(AssertUnwindSafe(|| strike(*point, &undisturbed))) {
                        Ok(ended) => {
                            let mut ends = ends.lock().expect("whole");
                            *ends.entry((format!("{:?}", point.fault), ended)).or_insert(0) += 1;
                        }
                        Err(_) => wrong.lock().expect("whole").push(*point),
                    }
                }
            });
        }
    });
    let ends: BTreeMap<(String, Ended), usize> = ends.into_inner().expect("whole");
    let told = format!("{flow:?}: {steps} steps of writing, {} disturbed: {ends:?}", points.len());
    let wrong = wrong.into_inner().expect("whole");
    assert!(wrong.is_empty(), "{} points are wrong: {wrong:?}\n{told}", wrong.len());
    told
}

fn faults() -> Vec<Fault> {
    let all = [Fault::Error, Fault::Full, Fault::Kill];
    let wanted = std::env::var("AGENTD_FAULTS_OF").unwrap_or_default();
    let is_wanted =
        |fault: &Fault| wanted.is_empty() || format!("{fault:?}").eq_ignore_ascii_case(&wanted);
    all.into_iter().filter(is_wanted).collect()
}

#[test]
fn a_write_that_fails_anywhere_in_the_phases_leaves_old_or_new_and_the_same_end() {
    println!("{}", strike_many(Flow::Phases, &faults()));
}

#[test]
fn a_write_that_fails_anywhere_in_a_team_leaves_old_or_new_and_the_same_end() {
    println!("{}", strike_many(Flow::Team, &faults()));
}

#[test]
fn a_write_that_fails_anywhere_in_a_quick_change_leaves_old_or_new_and_the_same_end() {
    println!("{}", strike_many(Flow::Quick, &faults()));
}
