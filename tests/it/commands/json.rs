//! `--json` and `-q`: what programs read, and silence.

use serde_json::Value;

use super::scene::{ID, Scene};

fn lines(stdout: &str) -> Vec<Value> {
    let read =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    stdout.lines().map(read).collect()
}

#[test]
fn a_run_prints_json_lines_alone_each_with_version_and_event() {
    let scene = Scene::new();
    let ran = scene.run(&["--json"]).exits(0);
    let lines = lines(&ran.stdout);
    assert!(
        lines.iter().all(|line| line["version"] == 2 && line["event"].is_string()),
        "{lines:#?}"
    );
    let of = |event: &str| lines.iter().filter(|line| line["event"] == event).count();
    assert_eq!((of("step-started"), of("step-finished"), of("call-started")), (9, 9, 9));
    let last = lines.last().expect("a line");
    assert_eq!((&last["event"], &last["reason"]), (&"stopped".into(), &"archived".into()));
    assert_eq!(
        (&last["change"], &last["stage"], &last["error"]),
        (&ID.into(), &"archived".into(), &Value::Null)
    );
    assert_eq!(ran.stderr, "");
}

#[test]
fn the_last_line_says_where_it_stopped_whatever_stopped_it() {
    let scene = Scene::new();
    let last = |ran: crate::ran::Ran| lines(&ran.stdout).pop().expect("a line");
    let waiting = last(scene.run(&["--json", "--pause", "plan"]).exits(0));
    assert_eq!(
        (&waiting["reason"], &waiting["stage"]),
        (&"waiting".into(), &"approve-plan".into())
    );
    scene.agentd(&["approve", ID]).exits(0);
    let challenged = last(scene.agentd(&["challenge", ID, "--json"]).exits(8).says("did not pass"));
    assert_eq!(
        (&challenged["reason"], &challenged["stage"]),
        (&"not-passed".into(), &"plan".into())
    );
    let reached = last(scene.run(&["--json", "--until", "challenge"]).exits(0));
    assert_eq!((&reached["reason"], &reached["stage"]), (&"reached".into(), &"implement".into()));
    scene.agent("broken", "read\nerror 400");
    let failed = last(scene.run(&["--json", "--agent", "broken"]).exits(5).says("error: "));
    assert_eq!((&failed["reason"], &failed["stage"]), (&"failed".into(), &"implement".into()));
    assert!(failed["error"].as_str().expect("an error").contains("broken"), "{failed}");
}

#[test]
fn every_command_that_shows_something_has_json_with_a_version() {
    let scene = Scene::new();
    scene.run(&[]).exits(0);
    for arguments in [
        &["list", "--all", "--json"][..],
        &["status", "--json"],
        &["status", ID, "--json"],
        &["log", ID, "--json"],
        &["usage", "--json"],
        &["usage", "--by", "phase", "--json"],
        &["diff", ID, "--json"],
        &["show", ID, "--json"],
    ] {
        let json = scene.agentd(arguments).exits(0).json();
        assert_eq!(json["version"], 1, "{arguments:?}: {json:#}");
    }
    let log = scene.agentd(&["log", ID, "--json"]).json();
    let first = &log["runs"][0]["meta"];
    assert_eq!(first["prompt_sha256"].as_str().map(str::len), Some(64));
    assert_eq!((&first["template"], &first["verdict"]), (&"BASE-plan.md".into(), &"PASS".into()));
    let list = scene.agentd(&["list", "--all", "--json"]).json();
    assert_eq!(
        (&list["changes"][0]["id"], &list["changes"][0]["stage"]),
        (&ID.into(), &"archived".into())
    );
}

#[test]
fn what_a_person_decides_is_told_as_json() {
    let scene = Scene::new();
    scene.run(&["--pause", "plan"]).exits(0);
    let told = |words: &[&str]| -> Value {
        serde_json::from_str(&scene.agentd(words).exits(0).stdout).expect("JSON")
    };
    let at = |stage: &str| serde_json::json!({ "version": 1, "id": ID, "stage": stage });
    assert_eq!(told(&["reject", ID, "-m", "Again", "--json"]), at("plan"));
    scene.run(&["--pause", "plan"]).exits(0);
    assert_eq!(told(&["approve", ID, "--json"]), at("challenge"));
    scene.run(&[]).exits(0);
    let merged = told(&["merge", ID, "--json"]);
    assert_eq!((&merged["merged"], &merged["version"]), (&"fast-forward".into(), &1.into()));
    assert_eq!(merged["branch"], "agentd/add-login");

    scene.agentd(&["run", "other", "Something else", "--until", "implement"]).exits(0);
    let cancelled = told(&["cancel", "other", "--json"]);
    assert_eq!(cancelled["stage"], "cancelled");
    assert_eq!(cancelled["branch"], "agentd/other");
    assert_eq!(cancelled["workspaces"].as_array().map(Vec::len), Some(4), "{cancelled}");
}

#[test]
fn quiet_says_nothing_but_errors() {
    let scene = Scene::new();
    let ran = scene.run(&["-q"]).exits(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    assert_eq!(scene.agentd(&["-q", "merge", ID]).exits(0).stdout, "");
    scene.agentd(&["-q", "run", ID, "More"]).exits(4).says("is done");
}
