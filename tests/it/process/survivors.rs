//! Nobody survives an agent: neither what it leaves running, nor what has escaped from its process group.

use std::time::{Duration, Instant};

use agentd::models::run::End;

use super::scene::{SOON, Scene, await_that, runtime};

#[test]
fn a_process_that_holds_the_pipe_open_is_not_waited_for() {
    let scene = Scene::of("sleep MARK & echo done");
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::Exited { code: 0 });
    assert_eq!(outcome.lines, ["done"]);
    assert_eq!(outcome.record().swept, 1);
    assert!(outcome.took < SOON, "{:?}", outcome.took);
    scene.mark.assert_nobody_is_left();
}

#[test]
fn what_a_survivor_would_print_later_is_not_waited_for() {
    let scene = Scene::of("(setsid sh -c 'sleep 20; echo late; sleep MARK' &); echo done");
    let outcome = scene.run();
    assert_eq!(outcome.lines, ["done"]);
    assert!(outcome.took < SOON, "{:?}", outcome.took);
    scene.mark.assert_nobody_is_left();
}

#[test]
fn thirty_descendants_that_escape_are_all_ended() {
    let script = "
        for i in 1 2 3 4 5 6 7 8 9 10; do
            setsid sleep MARK &
            (setsid sh -c 'sleep MARK & exit' &)
            (trap '' HUP TERM; nohup setsid sh -c '(sleep MARK &) ; exit' > /dev/null 2>&1 &)
        done
        until [ -e go ]; do sleep 0.02; done";
    let scene = Scene::of(script);
    let go = scene.path("go");
    let outcome = std::thread::scope(|threads| {
        threads.spawn(|| {
            await_that("thirty are up", || scene.mark.sleepers().len() == 30);
            std::fs::write(go, "").unwrap();
        });
        scene.run()
    });
    scene.mark.assert_nobody_is_left();
    let record = outcome.record();
    assert_eq!((&record.end, record.swept), (&End::Exited { code: 0 }, 30));
    let after = outcome.took.saturating_sub(Duration::from_millis(record.milliseconds));
    assert!(after < SOON, "it took {after:?} after the agent's exit");
}

#[test]
fn orphans_that_end_during_the_run_do_not_pile_up() {
    // The guard is the parent of the shell. It looks for orphans every second, and has five for it.
    let script = "
        for i in 1 2 3; do (true &); done
        for i in $(seq 100); do
            read -r children < /proc/$PPID/task/$PPID/children
            case $children in *' '*) sleep 0.05 ;; *) break ;; esac
        done
        echo $children";
    let outcome = Scene::of(script).run();
    assert_eq!(outcome.record().swept, 0);
    let [children] = &outcome.lines[..] else { panic!("{:?}", outcome.lines) };
    assert_eq!(children.split_ascii_whitespace().count(), 1, "the agent alone: {children}");
}

#[test]
fn two_runs_at_once_do_not_sweep_each_other() {
    let short = Scene::of("setsid sleep MARK & echo up");
    let long = Scene::of("setsid sleep MARK & until [ -e go ]; do sleep 0.02; done; echo done");
    let go = long.path("go");
    let (short_outcome, long_outcome) = runtime().block_on(async {
        let short_run = async {
            let outcome = short.running(|_| {}).await;
            short.mark.assert_nobody_is_left();
            await_that("the other sleeps on", || long.mark.sleepers().len() == 1);
            std::fs::write(&go, "").unwrap();
            outcome
        };
        tokio::join!(short_run, long.running(|_| {}))
    });
    assert_eq!(short_outcome.record().end, End::Exited { code: 0 });
    assert_eq!(long_outcome.record().end, End::Exited { code: 0 });
    assert_eq!(long_outcome.lines, ["done"]);
    assert_eq!((short_outcome.record().swept, long_outcome.record().swept), (1, 1));
    long.mark.assert_nobody_is_left();
}

#[test]
fn a_run_that_is_dropped_ends_all_the_same() {
    let scene = Scene::of("trap '' TERM; setsid sleep MARK & echo up; sleep MARK");
    let runtime = runtime();
    let start = Instant::now();
    runtime.block_on(async {
        let (up, is_up) = tokio::sync::oneshot::channel();
        let mut up = Some(up);
        let on_line = |_: &str| up.take().map_or((), |up| up.send(()).unwrap());
        tokio::select! {
            outcome = scene.running(on_line) => panic!("{:?}", outcome.result),
            up = is_up => up.unwrap(),
        }
    });
    await_that("all are gone", || scene.mark.processes().is_empty());
    assert!(start.elapsed() < SOON * 2, "{:?}", start.elapsed());
    let record = agentd::process::end_record(&scene.run_folder()).unwrap();
    assert_eq!(record.unwrap().end, End::Cancelled);
}
