//! agentd is asked to end, or killed, while an agent hangs: nobody stays, and what there was is kept.

use std::process::Child;
use std::time::Instant;

use agentd::Phase;
use rustix::process::{Pid, Signal, kill_process};

use crate::process::scene::{SOON, await_that};
use crate::project::{Project, ended, json};
use crate::ran::Ran;

/// Starts a call whose agent hangs with descendants, and waits until all of them are there.
fn hanging(project: &Project) -> Child {
    let script = "read\nleave 1 MARK\nescape 3 MARK\nhang";
    let agent = project.agent("claude", Some(script));
    let child = project.call(Phase::Plan, &agent, "").spawn().expect("it starts");
    await_that("the descendants of the agent", || project.mark.sleepers().len() == 4);
    child
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it runs");
}

fn interrupted_by(kind: Signal) -> (Project, Ran) {
    let project = Project::new();
    let child = hanging(&project);
    let start = Instant::now();
    signal(&child, kind);
    let ran = ended(child);
    project.mark.assert_nobody_is_left();
    // A second is what it should take.
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    (project, ran)
}

#[test]
fn a_signal_ends_all_and_the_exit_code_tells_which_it_was() {
    for (kind, code) in [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129)] {
        let (project, ran) = interrupted_by(kind);
        ran.exits(code).says("error: interrupted: agent `fake` was ended");
        let run = &project.runs()[0];
        for file in ["prompt.xml", "stdout", "stderr", "end.json", "meta.json"] {
            assert!(run.join(file).is_file(), "{file}");
        }
        assert_eq!(json(&run.join("end.json"))["end"]["end"], "cancelled");
        let error = &json(&run.join("meta.json"))["error"];
        assert_eq!(error, "interrupted: agent `fake` was ended");
    }
}

#[test]
fn a_signal_during_the_pause_before_a_repetition_ends_the_call() {
    let project = Project::new();
    let agent = project.agent("claude", Some("count calls\nerror 429"));
    let child = project.call(Phase::Plan, &agent, "").spawn().expect("it starts");
    await_that("the end of the first run", || {
        project.runs().first().is_some_and(|run| run.join("meta.json").exists())
    });
    signal(&child, Signal::INT);
    ended(child).exits(130);
    assert_eq!((project.calls(), project.runs().len()), (1, 1));
}

#[test]
fn nobody_survives_when_agentd_itself_is_killed() {
    let project = Project::new();
    let child = hanging(&project);
    signal(&child, Signal::KILL);
    assert_eq!(ended(child).code, None);
    await_that("the end of all that it started", || project.mark.processes().is_empty());
    let run = &project.runs()[0];
    assert!(run.join("prompt.xml").is_file() && !run.join("meta.json").exists());
    assert_eq!(json(&run.join("end.json"))["end"]["end"], "cancelled");
}

#[test]
fn thirty_that_have_escaped_are_gone_when_agentd_is_killed() {
    let project = Project::new();
    let agent = project.agent("claude", Some("read\nstubborn\nleave 5 MARK\nescape 30 MARK\nhang"));
    let child = project.call(Phase::Plan, &agent, "").spawn().expect("it starts");
    await_that("all descendants of the agent", || project.mark.sleepers().len() == 35);
    signal(&child, Signal::KILL);
    assert_eq!(ended(child).code, None);
    await_that("the end of all that it started", || project.mark.processes().is_empty());
    let end = json(&project.runs()[0].join("end.json"));
    // Those that stayed in the agent's group go with it.
    assert!(end["swept"].as_u64() >= Some(30), "{end}");
    assert_eq!(end["survivors"], serde_json::json!([]));
}
