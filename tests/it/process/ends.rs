//! How runs end: by themselves, by a signal, by a limit, or before they have begun.

use std::time::Duration;

use agentd::models::run::End;
use agentd::process::cancellation;

use super::scene::{SOON, Scene};
use crate::support::install;

#[test]
fn the_exit_code_is_passed_on() {
    for code in [0, 7, 255] {
        let outcome = Scene::of(&format!("exit {code}")).run();
        assert_eq!(outcome.record().end, End::Exited { code });
        assert_eq!(outcome.record().survivors, [0; 0]);
    }
}

#[test]
fn an_agent_that_is_killed_is_told_from_one_that_exits() {
    let outcome = Scene::of("kill -SEGV $$").run();
    assert_eq!(outcome.record().end, End::Killed { signal: 11 });
    let outcome = Scene::of("exit 139").run();
    assert_eq!(outcome.record().end, End::Exited { code: 139 });
}

#[test]
fn a_program_that_is_not_there_is_not_found() {
    for program in ["no-such-agent", "./no-such-agent", "/no/such/agent", ""] {
        let outcome = Scene::program(program, &[]).run();
        assert_eq!(outcome.record().end, End::NotFound, "`{program}`");
    }
}

#[test]
fn a_program_that_cannot_be_run_says_why() {
    let scene = |name: &str, text: &str, mode: u32| {
        let scene = Scene::program(name, &[]);
        install(&scene.path("agent"), text, mode);
        let folder = scene.folder.path().as_os_str().to_owned();
        let mut scene = scene;
        scene.invocation.env = vec![("PATH".into(), folder)];
        scene
    };
    for (program, text, mode, expected) in [
        ("./agent", "#!/bin/sh\n", 0o600, "Permission denied"),
        ("agent", "#!/bin/sh\n", 0o600, "Permission denied"),
        ("agent", "#!/no/such/interpreter\n", 0o700, "interpreter"),
        ("agent", "\u{7f}ELF?", 0o700, "Exec format error"),
    ] {
        let outcome = scene(program, text, mode).run();
        let End::NotExecutable { reason } = &outcome.record().end else {
            panic!("{program} {text:?}: {:?}", outcome.record().end)
        };
        assert!(reason.contains(expected), "{reason}");
    }
    let outcome = scene("agent", "#!/bin/sh\nexit 5\n", 0o700).run();
    assert_eq!(outcome.record().end, End::Exited { code: 5 }, "it is looked for in its own PATH");
}

#[test]
fn an_agent_that_hangs_is_asked_to_end_and_can_still_speak() {
    let scene = Scene::of("trap 'echo bye; exit 3' TERM; echo hello; while :; do sleep 0.05; done");
    let scene = scene.timeout(500);
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::TimedOut);
    assert_eq!(outcome.lines, ["hello", "bye"]);
    assert!(outcome.record().milliseconds >= 500);
}

#[test]
fn an_agent_that_ignores_the_request_to_end_is_killed_after_the_grace() {
    let scene = Scene::of("trap '' TERM; sleep MARK & sleep MARK").timeout(300);
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::TimedOut);
    assert!(outcome.took >= Duration::from_millis(800), "it has its grace: {:?}", outcome.took);
    assert!(outcome.took < Duration::from_millis(800) + SOON, "{:?}", outcome.took);
    scene.mark.assert_nobody_is_left();
}

#[test]
fn an_agent_that_never_reads_a_large_prompt_hangs_no_one_else() {
    let scene = Scene::of("sleep MARK").stdin("x".repeat(8 << 20)).timeout(300);
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::TimedOut);
    scene.mark.assert_nobody_is_left();
}

#[test]
fn an_agent_may_close_its_input_unread() {
    let outcome = Scene::of("exec <&-; echo done").stdin("x".repeat(8 << 20)).run();
    assert_eq!(outcome.record().end, End::Exited { code: 0 });
    assert_eq!(outcome.lines, ["done"]);
}

#[test]
fn an_agent_that_falls_silent_is_ended_and_either_stream_counts_as_speech() {
    // It never pauses for more than a fifth of what it may, and each stream is silent for longer than that alone.
    let script = "
        for i in 1 2 3 4 5 6 7; do sleep 0.2; echo $i >&2; done
        for i in 1 2 3 4 5 6 7; do sleep 0.2; echo $i; done
        sleep MARK";
    let scene = Scene::of(script).idle_timeout(1100);
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::Idle);
    assert_eq!((outcome.lines.len(), outcome.record().stderr_bytes), (7, 14));
    scene.mark.assert_nobody_is_left();
}

#[test]
fn a_run_that_is_cancelled_is_waited_for_and_recorded() {
    let (canceller, cancel) = cancellation();
    let mut scene = Scene::of("trap '' TERM; echo up; sleep MARK & sleep MARK");
    scene.cancel = cancel;
    scene.limits.grace = Duration::from_mins(10);
    let outcome = scene.run_with(|_| canceller.cancel());
    assert_eq!(outcome.record().end, End::Cancelled);
    assert!(outcome.took < SOON, "the grace is short then: {:?}", outcome.took);
    scene.mark.assert_nobody_is_left();
}

#[test]
fn a_run_that_is_cancelled_beforehand_does_not_last() {
    let (canceller, cancel) = cancellation();
    canceller.cancel();
    let mut scene = Scene::of("sleep MARK");
    scene.cancel = cancel;
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::Cancelled);
    scene.mark.assert_nobody_is_left();
}
