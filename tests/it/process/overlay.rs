//! A folder that stands in for one of the user's: the agent sees all of it and one setting more, and the user's files are
//! what they were, however the run ends.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use agentd::models::run::{End, Overlay};
use agentd::process::{ProcessError, cancellation};
use serde_json::{Value, json};

use super::scene::{Scene, await_that};

/// What the agent prints: the names that it sees, then the settings, then the login.
const LOOK: &str = "cd runs/001-plan/own/overlay && ls -A .gemini | tr '\\n' ' ' && echo && ls -A | tr '\\n' ' ' && echo \
                    && cat .gemini/settings.json && echo && cat .gemini/oauth_creds.json";

const SETTINGS: &str = "// Mine.\n{\n  \"theme\": \"dark // no comment\", /* and */\n  \"mcpServers\": { \"mine\": { \"command\": \"x\" }, \
                        \"agentd\": { \"url\": \"elsewhere\" } }\n}\n";

fn scene(script: &str, settings: &str) -> Scene {
    let mut scene = Scene::of(script);
    for (path, text) in [
        ("home/.gemini/settings.json", settings),
        ("home/.gemini/oauth_creds.json", "secret"),
        ("home/.gemini/tmp/talk.json", "{}"),
        ("home/.env", "A=1"),
        ("home/private.txt", "none of its business"),
    ] {
        let path = scene.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    symlink("nowhere", scene.path("home/.gemini/dangling")).expect("a link");
    scene.invocation.overlay = Some(Overlay {
        from: scene.path("home"),
        settings: ".gemini/settings.json".into(),
        shown: vec![".env".into(), ".agents".into()],
        key: vec!["mcpServers".to_owned(), "agentd".to_owned()],
        value: json!({ "command": "agentd" }),
    });
    scene
}

/// Gives every file below a folder with what is in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.path().display().to_string());
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            found.extend(files(&path));
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).expect("a link");
            found.insert(name, target.into_os_string().into_encoded_bytes());
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}

fn is_gone(scene: &Scene) -> bool {
    fs::symlink_metadata(scene.run_folder().join("own/overlay")).is_err()
}

#[test]
fn the_agent_sees_the_users_folder_with_one_setting_more() {
    let scene = scene(LOOK, SETTINGS);
    let before = files(&scene.path("home"));
    let outcome = scene.run();
    assert_eq!(outcome.record().end, End::Exited { code: 0 });
    assert_eq!(outcome.lines[0], "dangling oauth_creds.json settings.json tmp ");
    assert_eq!(outcome.lines[1], ".env .gemini ");
    let settings: Value = serde_json::from_str(&outcome.lines[2]).expect("JSON");
    let servers = json!({ "mine": { "command": "x" }, "agentd": { "command": "agentd" } });
    assert_eq!(settings, json!({ "theme": "dark // no comment", "mcpServers": servers }));
    assert_eq!(outcome.lines[3], "secret");
    assert_eq!(files(&scene.path("home")), before, "byte for byte");
    assert!(is_gone(&scene));
}

#[test]
fn settings_may_be_missing_or_empty_and_so_may_the_folder() {
    for settings in [None, Some(""), Some(" \n// nothing\n"), Some("\u{feff}{}")] {
        let scene = scene("cat runs/001-plan/own/overlay/.gemini/settings.json", "");
        match settings {
            Some(text) => fs::write(scene.path("home/.gemini/settings.json"), text).unwrap(),
            None => fs::remove_dir_all(scene.path("home")).unwrap(),
        }
        let outcome = scene.run();
        let read: Value = serde_json::from_str(&outcome.lines[0]).expect("JSON");
        assert_eq!(read, json!({ "mcpServers": { "agentd": { "command": "agentd" } } }));
        assert_eq!(scene.path("home").exists(), settings.is_some(), "nothing is made there");
    }
}

#[test]
fn settings_that_cannot_be_understood_are_refused_by_name_and_nothing_is_run() {
    for (settings, expected) in [
        ("{ \"a\": }", "expected value at line 1"),
        ("[]", "invalid type"),
        ("{ \"mcpServers\": [] }", "`mcpServers` is not an object"),
    ] {
        let scene = scene("touch ran", settings);
        let outcome = scene.run();
        let error = outcome.result.expect_err("it is refused");
        assert!(matches!(error, ProcessError::Settings { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("home/.gemini/settings.json` cannot be understood"), "{message}");
        assert!(message.contains(expected), "{message}");
        assert!(!scene.path("ran").exists() && is_gone(&scene));
    }
}

#[test]
fn the_folder_is_gone_however_the_run_ends_and_what_it_led_to_is_there() {
    for script in ["exit 3", "kill -KILL $$", "sleep MARK"] {
        let scene = scene(script, SETTINGS).timeout(400);
        let before = files(&scene.path("home"));
        scene.run();
        assert!(is_gone(&scene), "{script}");
        assert_eq!(files(&scene.path("home")), before, "{script}");
    }
    let mut scene = scene("exit 0", SETTINGS);
    scene.invocation.program = "no-such-agent".into();
    assert_eq!(scene.run().record().end, End::NotFound);
    assert!(is_gone(&scene));
}

#[test]
fn the_guard_removes_the_folder_where_agentd_does_not_wait_for_it() {
    let mut scene = scene("echo begun; sleep MARK", SETTINGS);
    let (canceller, cancel) = cancellation();
    scene.cancel = cancel;
    let runtime = super::scene::runtime();
    runtime.block_on(async {
        let begun = tokio::sync::Notify::new();
        let run = scene.running(|_| begun.notify_one());
        tokio::pin!(run);
        tokio::select! {
            _ = &mut run => panic!("it has ended"),
            () = begun.notified() => {}
        }
        assert!(!is_gone(&scene), "it is there while the agent runs");
    });
    drop(canceller);
    await_that("the guard has removed it", || is_gone(&scene));
    assert!(scene.path("home/.gemini/oauth_creds.json").exists());
}

#[test]
fn the_guard_removes_the_folder_of_an_agent_that_wrote_into_it() {
    let scene = scene(
        "cd runs/001-plan/own/overlay/.gemini && echo new >new.json && mkdir -p a/b && echo more >>tmp/talk.json \
         && rm oauth_creds.json && echo refreshed >oauth_creds.json",
        SETTINGS,
    );
    assert_eq!(scene.run().record().end, End::Exited { code: 0 });
    assert!(is_gone(&scene));
    let read = |name: &str| fs::read_to_string(scene.path("home/.gemini").join(name)).unwrap();
    assert_eq!(read("tmp/talk.json"), "{}more\n", "it may write where its links lead");
    assert_eq!(read("oauth_creds.json"), "secret", "a link that is replaced leads nowhere");
    assert_eq!(read("settings.json"), SETTINGS);
}
