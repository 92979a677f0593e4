//! Agents that fork without end, each process in a session of its own and gone at once: neither their time-out nor Ctrl-C waits for
//! them, and none is left. A binary of its own, since they take the whole machine for some seconds. Each storm ends by itself: it is
//! forty chains of processes at most, for fourteen seconds at most.

#![cfg(all(feature = "cli", target_os = "linux"))]
#![allow(clippy::disallowed_methods, reason = "tests write the files that they need as they like")]
#![expect(clippy::expect_used, reason = "a test that cannot go on says why and fails")]

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agentd::models::run::End;
use agentd::process::{Support, support};

#[path = "it/process/scene.rs"]
#[allow(dead_code, reason = "other tests use the rest of it")]
mod scene;

use scene::{Mark, SOON, Scene};

/// Tells who its guard is, and a second later that all chains are there. Each chain lives on in a new process, whose parent is gone;
/// all of them share one processor.
const STORM: &str = r#"
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    time_t end = time(NULL) + 14;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    sched_setaffinity(0, sizeof one, &one);
    sched_setaffinity(getppid(), sizeof one, &one);
    printf("%d\n", getppid());
    fflush(stdout);
    sleep(1);
    for (int chain = 0; chain < CHAINS; chain++) {
        if (fork() != 0) continue;
        close(0); close(1); close(2);
        while (time(NULL) < end) {
            setsid();
            if (fork() > 0) _exit(0);
        }
        _exit(0);
    }
    puts("up");
    fflush(stdout);
    while (time(NULL) < end) sleep(1);
    return 0;
}
"#;

/// One storm at a time.
static WEATHER: Mutex<()> = Mutex::new(());

/// Sets up a storm as an agent.
fn storm(chains: u32) -> Scene {
    let first = Scene::of("true");
    let program = first.path("storm");
    compile(&STORM.replace("CHAINS", &chains.to_string()), &program);
    let mut scene = Scene::program(&program.to_string_lossy(), &[&first.mark.0]);
    scene.mark = Mark(first.mark.0.clone());
    // The program lies in it.
    scene.folder = first.folder;
    scene
}

fn confined() -> Option<Scene> {
    let is_there = support() == Support::Full;
    is_there.then(|| storm(40).confined(&["work"], &[]))
}

fn compile(source: &str, program: &Path) {
    let path = program.with_extension("c");
    std::fs::write(&path, source).expect("written");
    let mut cc = Command::new("cc");
    let status = cc.arg("-O1").arg("-o").arg(program).arg(&path).status();
    assert!(status.expect("the compiler that links all of this").success());
}

/// Leaves a guard as little of the machine as a hundred chains would, where that can be done.
fn slow_down(guard: &str) {
    let _ = std::fs::write(format!("/proc/{guard}/autogroup"), "10");
}

/// Demands that nobody is left, who may be another process at each look.
fn assert_calm(mark: &Mark) {
    for _ in 0..20 {
        mark.assert_nobody_is_left();
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_fork_storm_ends_at_its_time_out() {
    let Some(scene) = confined() else { return };
    let _one = WEATHER.lock().unwrap_or_else(PoisonError::into_inner);
    let scene = scene.timeout(4000);
    let outcome = scene.run_with(|line| {
        if line != "up" {
            slow_down(line);
        }
    });
    assert_eq!(outcome.record().end, End::TimedOut);
    let late = outcome.took.saturating_sub(scene.limits.timeout + scene.limits.grace);
    // A second, and five times that on a busy machine.
    assert!(late < SOON, "{late:?} after its time-out and its grace");
    assert_eq!(outcome.record().survivors, [0; 0]);
    assert_calm(&scene.mark);
}

#[test]
fn an_interruption_ends_a_fork_storm() {
    let Some(mut scene) = confined() else { return };
    let _one = WEATHER.lock().unwrap_or_else(PoisonError::into_inner);
    let (canceller, cancel) = agentd::process::cancellation();
    scene.cancel = cancel;
    let mut asked = Instant::now();
    let outcome = scene.run_with(|line| {
        if line == "up" {
            std::thread::sleep(Duration::from_secs(2));
            asked = Instant::now();
            canceller.cancel();
        }
    });
    // A second, and five times that on a busy machine.
    assert!(asked.elapsed() < SOON, "{:?}", asked.elapsed());
    assert_eq!(outcome.record().end, End::Cancelled);
    assert_eq!(outcome.record().survivors, [0; 0]);
    assert_calm(&scene.mark);
}

#[test]
fn a_fork_storm_that_its_agent_leaves_is_ended() {
    let Some(mut scene) = confined() else { return };
    let _one = WEATHER.lock().unwrap_or_else(PoisonError::into_inner);
    let storm = scene.invocation.program.to_string_lossy().into_owned();
    let script = format!("'{storm}' {} >work/up & sleep 3; echo done", scene.mark.0);
    scene.invocation.program = "sh".into();
    scene.invocation.args = vec!["-c".into(), script.into()];
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::Exited { code: 0 });
    let late = outcome.took.saturating_sub(Duration::from_secs(3));
    assert!(late < SOON, "{late:?} after the agent's end");
    assert_calm(&scene.mark);
}

#[test]
fn a_small_fork_storm_is_ended_without_the_sandbox_too() {
    let _one = WEATHER.lock().unwrap_or_else(PoisonError::into_inner);
    let scene = storm(6).timeout(3000);
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::TimedOut);
    let late = outcome.took.saturating_sub(scene.limits.timeout + scene.limits.grace);
    assert!(late < SOON, "{late:?} after its time-out and its grace");
    assert_calm(&scene.mark);
}
