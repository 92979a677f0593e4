//! Guards that are killed or stopped: agentd ends what they leave. A binary of its own, since agentd then ends every process
//! in a session of its own that it did not start, which others' tests would have.

#![cfg(feature = "cli")]
#![allow(clippy::disallowed_methods, reason = "tests write the files that they need as they like")]
#![expect(clippy::expect_used, reason = "a test that cannot go on says why and fails")]

use std::time::Duration;

use agentd::models::run::End;
use agentd::process::ProcessError;
use rustix::process::{Pid, Signal, kill_process};

#[path = "it/process/scene.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod scene;

use scene::{Scene, await_that};

#[test]
fn a_guard_that_is_killed_is_a_loss_and_its_agent_is_ended() {
    // The agent tells who its guard is.
    let scene =
        Scene::of("trap '' TERM; setsid sleep MARK & sh -c 'sleep MARK' & echo $PPID; sleep MARK");
    let outcome = scene.run_with(|line| {
        await_that("all are up", || scene.mark.sleepers().len() == 3);
        let guard = Pid::from_raw(line.parse().unwrap()).unwrap();
        kill_process(guard, Signal::KILL).unwrap();
    });
    let Err(ProcessError::GuardLost { status, .. }) = &outcome.result else {
        panic!("{:?}", outcome.result)
    };
    assert!(status.contains("SIGKILL"), "{status}");
    scene.mark.assert_nobody_is_left();
}

#[test]
fn what_escaped_from_a_guard_that_its_agent_kills_is_ended_too() {
    let scene = Scene::of(
        "(setsid sh -c 'sleep MARK & sleep MARK' &); sleep 0.2; echo up; kill -KILL $PPID; sleep MARK",
    );
    let outcome = scene.run();
    assert!(matches!(outcome.result, Err(ProcessError::GuardLost { .. })), "{:?}", outcome.result);
    scene.mark.assert_nobody_is_left();
}

#[test]
fn a_guard_that_its_agent_stops_keeps_agentd_neither_from_its_time_out_nor_from_an_interruption() {
    let stopped = "(setsid sleep MARK &); sleep 0.2; echo up; kill -STOP $PPID; sleep MARK";
    let scene = Scene::of(stopped).timeout(1000);
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::TimedOut);
    assert!(outcome.took < Duration::from_secs(30), "{:?}", outcome.took);
    scene.mark.assert_nobody_is_left();

    // The guard has passed on what the agent printed before it is stopped.
    let mut scene = Scene::of(
        "(setsid sleep MARK &); echo up; until [ -e go ]; do sleep 0.02; done; kill -STOP $PPID; sleep MARK",
    );
    let (canceller, cancel) = agentd::process::cancellation();
    scene.cancel = cancel;
    let go = scene.path("go");
    let outcome = scene.run_with(|_| {
        std::fs::write(&go, "").unwrap();
        std::thread::sleep(Duration::from_millis(500));
        canceller.cancel();
    });
    assert_eq!(outcome.record().end, End::Cancelled);
    assert!(outcome.took < Duration::from_secs(15), "{:?}", outcome.took);
    scene.mark.assert_nobody_is_left();
}
