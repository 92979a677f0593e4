//! What an agent gets and prints: exact, complete, by lines as they come, and never too much.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::PermissionsExt as _;

use agentd::models::run::End;

use super::scene::Scene;

#[test]
fn both_streams_are_kept_byte_for_byte() {
    let scene = Scene::of("cat one; cat two >&2 & cat three; wait");
    // Some of every byte, in no order that a line or a character would have.
    let bytes = |seed: u64| -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        };
        (0..3 << 20).map(|_| next()).collect()
    };
    for (name, seed) in [("one", 1), ("two", 2), ("three", 3)] {
        fs::write(scene.path(name), bytes(seed)).unwrap();
    }
    let outcome = scene.run();
    let stdout = [bytes(1), bytes(3)].concat();
    assert!(scene.kept("stdout") == stdout, "standard output differs");
    assert!(scene.kept("stderr") == bytes(2), "standard error differs");
    assert_eq!(outcome.record().stdout_bytes, 6 << 20);
    assert_eq!(outcome.record().stderr_bytes, 3 << 20);
    let text = String::from_utf8_lossy(&stdout);
    assert!(text.split_terminator('\n').eq(outcome.lines.iter()), "the lines differ");
}

#[test]
fn lines_come_while_the_agent_runs() {
    let scene = Scene::of("echo one; until [ -e go ]; do sleep 0.02; done; printf 'two\\nthree'");
    let go = scene.path("go");
    let outcome = scene.run_with(|line| {
        if line == "one" {
            fs::write(&go, "").unwrap();
        }
    });
    assert_eq!(outcome.record().end, End::Exited { code: 0 });
    assert_eq!(outcome.lines, ["one", "two", "three"]);
}

#[test]
fn a_character_may_come_in_pieces() {
    let outcome =
        Scene::of(r"printf 'a\342'; sleep 0.2; printf '\202'; sleep 0.2; printf '\254\n\377\342'")
            .run();
    assert_eq!(outcome.lines, ["a€", "\u{fffd}\u{fffd}"]);
}

#[test]
fn the_prompt_comes_on_standard_input_whole() {
    let text = "é\r\n\0".repeat(1 << 21);
    let scene = Scene::program("cat", &[]).stdin(text.clone());
    assert_eq!(scene.run().record().end, End::Exited { code: 0 });
    assert_eq!(scene.kept("stdout"), text.as_bytes());
}

#[test]
fn arguments_environment_and_working_folder_reach_the_agent_exactly() {
    let odd = || OsString::from_vec(b"caf\xe9 \"$HOME\"\n*".to_vec());
    let mut scene = Scene::program("printf", &["%s\\0", "--", "", "-v", "--timeout-ms"]);
    scene.invocation.args.push(odd());
    assert_eq!(scene.run().record().end, End::Exited { code: 0 });
    assert_eq!(scene.kept("stdout"), b"--\0\0-v\0--timeout-ms\0caf\xe9 \"$HOME\"\n*\0");

    let mut scene = Scene::program("env", &["-0"]);
    let path = scene.invocation.env[0].1.clone();
    scene.invocation.env.extend([("NO_COLOR".into(), "".into()), ("Z_ODD".into(), odd())]);
    assert_eq!(scene.run().record().end, End::Exited { code: 0 });
    let mut kept: Vec<_> =
        scene.kept("stdout").split(|byte| *byte == 0).map(<[u8]>::to_vec).collect();
    kept.sort();
    let path = [b"PATH=".to_vec(), path.into_vec()].concat();
    let odd = [b"Z_ODD=".to_vec(), odd().into_vec()].concat();
    assert_eq!(kept, [vec![], b"NO_COLOR=".to_vec(), path, odd]);

    let outcome = Scene::program("pwd", &["-P"]);
    let folder = outcome.folder.path().canonicalize().unwrap();
    assert_eq!(outcome.run().lines, [folder.to_str().unwrap()]);
}

#[test]
fn all_files_of_a_run_are_its_owners_alone() {
    let mut scene = Scene::of("umask 0; cat runs/001-plan/home/settings.json");
    scene.invocation.files = vec![("home/settings.json".into(), "{}".to_owned())];
    assert_eq!(scene.run().lines, ["{}"]);
    let mode = |name: &str| {
        let metadata = fs::metadata(scene.run_folder().join(name)).unwrap();
        format!("{name} {:o}", metadata.permissions().mode() & 0o777)
    };
    for file in ["prompt.xml", "stdout", "stderr", "end.json", "home/settings.json"] {
        assert_eq!(mode(file), format!("{file} 600"));
    }
    for folder in ["", "home", ".."] {
        assert_eq!(mode(folder), format!("{folder} 700"));
    }
    assert_eq!(fs::read_dir(scene.run_folder()).unwrap().count(), 5, "and nothing else is left");
}

#[test]
fn an_agent_that_prints_too_much_is_ended_and_what_fits_is_kept() {
    let mut scene = Scene::of("yes & sleep MARK");
    scene.limits.largest_output = 100_001;
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::TooMuchOutput);
    assert_eq!(outcome.record().stdout_bytes, 100_001);
    assert_eq!(scene.kept("stdout"), &"y\n".repeat(50_001).as_bytes()[..100_001]);
    scene.mark.assert_nobody_is_left();
    // The last words count too.
    let mut scene = Scene::of("printf 123456 >&2");
    scene.limits.largest_output = 5;
    assert_eq!(scene.run().record().end, End::TooMuchOutput);
    scene.limits.largest_output = 6;
    let scene = Scene { folder: tempfile::tempdir().unwrap(), ..scene };
    assert_eq!(scene.run().record().end, End::Exited { code: 0 });
}

#[test]
fn output_that_is_still_on_its_way_when_the_agent_ends_is_kept() {
    let scene = Scene::of("mkfifo pipe; cat < pipe & echo 'last words' > pipe");
    let outcome = scene.run();
    assert_eq!(outcome.lines, ["last words"]);
}
