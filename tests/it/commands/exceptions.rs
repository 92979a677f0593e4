//! Checks that failed before a change and are tolerated: a person approves of them before the archive, and they are named.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::baseline::{busy, journal, prompts, scene, status};
use super::scene::{ID, Scene, tree};

/// Reads the prompts that members of a team were sent.
fn team_prompts(scene: &Scene, name: &str) -> Vec<String> {
    let files = tree(&scene.change(""));
    let is_prompt = |path: &Path| {
        let file = path.file_name().map(|file| file.to_string_lossy().into_owned());
        file.is_some_and(|file| file.starts_with(name) && file.contains("prompt"))
    };
    let texts = files.iter().filter(|(path, _)| is_prompt(path)).map(|(_, bytes)| bytes);
    texts.map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
}

#[test]
fn what_is_tolerated_waits_for_a_person_before_the_archive_and_is_named_everywhere() {
    let scene = scene(&["test -f LICENSE", "true"], "");
    scene.agent("counted", "count COUNT\nplay");
    let run = |more: &[&str]| scene.run(&[&["--agent", "archive=counted"], more].concat());
    let except = "checked, except test -f LICENSE";
    run(&["--baseline", "tolerate"])
        .exits(0)
        .prints("review     PASS (")
        .prints(&format!("checks     {except}"))
        .prints(&format!("waiting    The change is {except}, which failed before it too."))
        .prints("next       agentd approve add-login");
    assert_eq!((scene.stage().as_str(), scene.calls("counted")), ("approve-review", 0));
    // Running it again does not get past it, and neither does its next step alone.
    run(&[]).exits(0).prints("waiting");
    scene.agentd(&["archive", ID]).exits(4);
    assert_eq!(scene.calls("counted"), 0);
    let reviewer = &prompts(&scene, "review")[0];
    assert!(reviewer.contains("do not count these failures against the change"), "{reviewer}");
    let json = status(&scene);
    assert_eq!((&json["checks"], &json["guarantees"]["checked"]), (&json!(except), &json!(except)));
    assert_eq!(json["baseline"]["choice"], "tolerate");
    scene.agentd(&["status", ID]).exits(0).prints(&format!("checks     {except} (CHECKS.md)"));
    scene.agentd(&["list"]).exits(0).prints(except);
    scene.agentd(&["approve", ID]).exits(0);
    let told = run(&["--json"]).exits(0).stdout;
    assert!(told.contains("\"archived\""), "{told}");
    assert_eq!(scene.calls("counted"), 1);
    let listed = scene.agentd(&["list", "--all", "--json"]).exits(0).json();
    assert_eq!(listed["changes"][0]["checks"], except);
    let archived = scene.archived();
    let read = |file: &str| fs::read_to_string(archived.join(file)).expect("a file");
    assert!(read("CHECKS.md").contains(&format!("\nResult: {except}.\n")));
    assert!(
        read("state.json").contains(&format!("\"checked\": \"{except}\"")),
        "{}",
        read("state.json")
    );
}

#[test]
fn any_other_red_keeps_a_change_out_that_tolerates_some() {
    let scene = scene(
        &["test -f LICENSE", "test ! -f broken"],
        "baseline = \"tolerate\"\n[limits]\nimplement_rounds = 1\n",
    );
    busy(&scene, "breaks", "touch broken");
    scene
        .run(&["--agent", "implement=breaks"])
        .exits(8)
        .prints("baseline   tolerate: checks that failed before may fail")
        .prints("checks     red: the change cannot be archived like this");
    assert_eq!(status(&scene)["checks"], "red");
}

#[test]
fn a_check_that_a_change_repairs_is_no_exception() {
    let scene = scene(&["test -f LICENSE"], "baseline = \"tolerate\"\n");
    busy(&scene, "writer", "echo MIT >LICENSE");
    scene
        .run(&["--agent", "implement=writer"])
        .exits(0)
        .prints("archived")
        .prints("checks     green");
}

#[test]
fn what_is_tolerated_waits_in_every_flow_and_one_gate_is_enough() {
    for (flow, stage) in [("quick", "approve-review"), ("team", "approve")] {
        let scene = scene(&["test -f LICENSE"], "baseline = \"tolerate\"\n");
        scene
            .run(&["--agent", "offline", "--flow", flow])
            .exits(0)
            .prints("checks     checked, except test -f LICENSE")
            .prints("waiting");
        assert_eq!(scene.stage(), stage);
        if flow == "team" {
            for step in ["coder", "review"] {
                let told = team_prompts(&scene, step);
                assert!(!told.is_empty(), "{step}");
                assert!(
                    told.iter().all(|prompt| prompt.contains("They may still fail afterwards"))
                );
            }
        }
        scene.agentd(&["approve", ID]).exits(0);
        scene.run(&["--agent", "offline"]).exits(0);
        assert_eq!(scene.stage(), "archived", "{flow}");
        assert_eq!(journal(&scene).matches("\"event\":\"approved\"").count(), 1, "{flow}");
    }
}

/// A person approves before the checks that decide.
const EARLY_GATE: &str = r#"
version = 1
about = "approve before the last checks"
start = "implement"
guarantees = ["checked", "approved"]

[steps.implement]
about = "does the tasks in a workspace"
prompt = "system:implement"
workspace = "write"
changes = "code"
tasks = "request"
leaves = ["IMPLEMENTATION.md"]
rounds = "limits.implement_rounds"
on = { ALL_DONE = "approve", TASKS_LEFT = "implement" }
reject = "implement"

[steps.implement.reads]
"tasks.md" = "the request as the only task"

[steps.approve]
about = "waits for your approval"
kind = "gate"
on = { APPROVE = "last-checks", REJECT = "implement" }

[steps.last-checks]
about = "runs the checks"
kind = "checks"
clean = true
on = { GREEN = "archive", RED = "implement" }

[steps.archive]
about = "puts the change away"
kind = "archive"
on = { DONE = "archived" }
reject = "implement"
"#;

#[test]
fn an_approval_before_the_exceptions_were_known_is_none_of_them() {
    let scene = scene(&["test -f LICENSE"], "baseline = \"tolerate\"\n");
    scene.home.write("agentd/flows/early.toml", EARLY_GATE);
    scene.agentd(&["trust", "--yes"]).exits(0);
    scene.run(&["--flow", "early"]).exits(0).prints("The change is ready for your approval.");
    scene.agentd(&["approve", ID]).exits(0);
    scene.run(&[]).exits(0).prints("waiting    The change is checked, except test -f LICENSE");
    assert_eq!(scene.stage(), "approve-last-checks");
    scene.run(&[]).exits(0);
    assert_eq!(scene.stage(), "approve-last-checks");
    scene.agentd(&["approve", ID]).exits(0).prints("archived");
}

#[test]
fn a_secret_in_a_command_is_in_no_prompt_and_no_document() {
    let Scene { home } = scene(&["test hunter2-hunter2 = x"], "baseline = \"tolerate\"\n");
    let scene = Scene { home: home.variable("MY_API_KEY", "hunter2-hunter2") };
    scene.run(&[]).exits(0).prints("waiting");
    for (path, bytes) in tree(&scene.home.root()) {
        let text = String::from_utf8_lossy(&bytes);
        let is_raw = path.components().any(|part| part.as_os_str() == "runs")
            && !path.ends_with("prompt.xml");
        assert!(is_raw || !text.contains("hunter2-hunter2"), "{}", path.display());
    }
    scene.agentd(&["status", ID]).exits(0).hides("hunter2-hunter2");
}

#[test]
fn a_rejection_at_that_gate_leads_back_to_the_work() {
    let scene = scene(&["test -f LICENSE"], "baseline = \"tolerate\"\n");
    busy(&scene, "writer", "echo MIT >LICENSE");
    scene.run(&["--flow", "quick"]).exits(0).prints("waiting");
    scene.agentd(&["reject", ID, "Write a licence"]).exits(0);
    scene
        .run(&["--agent", "implement=writer"])
        .exits(0)
        .prints("archived")
        .prints("checks     green");
}

#[test]
fn a_crash_before_the_change_waits_leads_past_no_exception() {
    let scene = scene(&["test -f LICENSE"], "baseline = \"tolerate\"\n");
    scene.agent("counted", "count COUNT\nplay");
    scene.run(&[]).exits(0).prints("waiting");
    let cut = |again: &[&str]| {
        let text = journal(&scene);
        let (before, last) = text.trim_end().rsplit_once('\n').expect("lines");
        assert!(last.contains("\"event\":\"paused\""), "{last}");
        fs::write(scene.change("journal.jsonl"), format!("{before}\n")).expect("written");
        scene.agentd(again).exits(0).prints("waiting    The change is checked, except");
        assert_eq!((scene.stage().as_str(), scene.calls("counted")), ("approve-review", 0));
    };
    cut(&["run", ID, "--agent", "archive=counted"]);
    cut(&["archive", ID, "--agent", "archive=counted"]);
    cut(&["run", ID, "--agent", "archive=counted", "--pause", "review"]);
    scene.agentd(&["approve", ID]).exits(0);
    scene.run(&["--agent", "archive=counted", "--pause", "review"]).exits(0).prints("archived");
}
