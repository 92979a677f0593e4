//! `agentd flows`, as a user meets it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use agentd::flow::Step;
use tempfile::TempDir;

use super::{own, text};

fn agentd(folder: &Path, arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_agentd"))
        .arg("flows")
        .args(arguments)
        .current_dir(folder)
        .output();
    output.expect("the binary runs")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A project with one flow of its own.
fn project(flow: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir_all(folder.path().join("agentd/flows")).expect("a folder");
    fs::write(folder.path().join("agentd/flows/small.toml"), flow).expect("a file");
    folder
}

#[test]
fn flows_are_listed_with_those_of_the_project() {
    let project = project(&text("quick"));
    let listed = agentd(project.path(), &["list"]);
    assert!(listed.status.success(), "{}", err(&listed));
    let listed = out(&listed);
    for name in ["quick ", "sdd ", "team ", "small "] {
        assert!(listed.lines().any(|line| line.starts_with(name)), "{listed}");
    }
    let json = out(&agentd(project.path(), &["list", "--json"]));
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).expect("JSON");
    assert_eq!(rows[3]["from"], "agentd/flows");
    assert_eq!(rows[1]["guarantees"], serde_json::json!(["challenged", "reviewed", "checked"]));
}

#[test]
fn a_flow_is_shown_as_text_as_a_diagram_and_as_json() {
    let project = project(&text("quick"));
    let shown = out(&agentd(project.path(), &["show", "team"]));
    for line in [
        "Guarantees: reviewed, checked, approved",
        "team.review_rounds of review",
        "APPROVE -> apply, REJECT -> change",
    ] {
        assert!(shown.contains(line), "{line} is not in:\n{shown}");
    }
    let drawn = out(&agentd(project.path(), &["show", "small", "--mermaid"]));
    assert!(drawn.starts_with("flowchart TD\n") && drawn.contains("-->|GREEN, RED|"), "{drawn}");
    let json = out(&agentd(project.path(), &["show", "sdd", "--json"]));
    let flow: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(flow["steps"][1]["on"]["REJECTED"], "rejected");
    assert_eq!(flow["steps"][0]["leaves"][1]["validator"], "spec");
}

#[test]
fn a_name_that_is_not_known_is_a_slip_of_the_user() {
    let project = project(&text("quick"));
    let unknown = agentd(project.path(), &["show", "smal"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(err(&unknown).contains("did you mean `small`?"), "{}", err(&unknown));
}

#[test]
fn faults_of_a_flow_are_reported_with_exit_code_3() {
    let project = project(&text("quick").replace("clean = true\n", ""));
    for arguments in [&["check"][..], &["check", "agentd/flows"], &["show", "small"]] {
        let checked = agentd(project.path(), arguments);
        assert_eq!(checked.status.code(), Some(3), "{arguments:?}");
        let report = err(&checked);
        let path =
            "implement ALL_DONE -> checks GREEN -> review PASS -> last-checks GREEN -> archive";
        assert!(report.contains("not-guaranteed") && report.contains(path), "{report}");
        assert!(report.contains("agentd/flows/small.toml:5:1"), "{report}");
    }
    let listed = agentd(project.path(), &["list"]);
    assert!(
        listed.status.success() && err(&listed).contains("agentd flows check"),
        "{}",
        err(&listed)
    );
}

#[test]
fn flows_without_faults_are_counted() {
    let fine = project(&text("quick"));
    assert_eq!(out(&agentd(fine.path(), &["check"])), "agentd/flows: 1 flow checked, no faults\n");
    let none = TempDir::new().expect("a folder");
    assert_eq!(out(&agentd(none.path(), &["check"])), "agentd/flows: 0 flows checked, no faults\n");
}

#[test]
fn a_link_among_the_flows_of_a_project_is_not_followed() {
    let project = project(&text("quick"));
    let flows = project.path().join("agentd/flows");
    std::os::unix::fs::symlink("/etc/hostname", flows.join("other.toml")).expect("a link");
    let checked = agentd(project.path(), &["check"]);
    assert_eq!(checked.status.code(), Some(12), "{}", err(&checked));
}

#[test]
fn a_flow_that_is_compiled_in_is_printed_as_it_was_written() {
    let project = project(&text("quick"));
    for name in ["sdd", "team", "quick"] {
        assert_eq!(out(&agentd(project.path(), &["show", name, "--toml"])), text(name));
    }
    let json = out(&agentd(project.path(), &["show", "sdd", "--json"]));
    let flow: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&flow["from"], &flow["trusted"]), (&"built in".into(), &true.into()));
}

#[test]
fn a_flow_is_found_with_its_templates_whatever_is_wrong_with_others() {
    let project = project("version = 2\n");
    let flows = project.path().join("agentd/flows");
    fs::write(flows.join("audit.toml"), own::flow()).expect("a file");
    let found = agentd(project.path(), &["show", "audit", "--json"]);
    assert_eq!(found.status.code(), Some(3));
    let report = err(&found);
    assert!(
        report.contains("step `review` has no template") && !report.contains("small"),
        "{report}"
    );
    fs::create_dir(flows.join("audit")).expect("a folder");
    for name in ["BASE-review.md", "CLAUDE-review.md"] {
        fs::write(flows.join("audit").join(name), own::TEMPLATE).expect("a file");
    }
    let found = agentd(project.path(), &["show", "audit", "--json"]);
    let flow: serde_json::Value = serde_json::from_str(&out(&found)).expect("JSON");
    assert_eq!((&flow["from"], &flow["trusted"]), (&"agentd/flows".into(), &false.into()));
    assert_eq!(flow["templates"][0]["agent"], "CLAUDE");
    assert_eq!(flow["templates"][1]["file"], "agentd/flows/audit/BASE-review.md");
    assert_eq!(out(&agentd(project.path(), &["show", "audit", "--toml"])), own::flow());
    for (name, help) in [
        ("audits", "did you mean `audit`?"),
        ("../flows/audit", "the flows are quick, sdd, team, audit, small"),
        ("audit/BASE-review", "the flows are"),
        ("", "the flows are"),
    ] {
        let unknown = agentd(project.path(), &["show", name]);
        assert_eq!(unknown.status.code(), Some(2), "{name}");
        assert!(err(&unknown).contains(help), "{name}: {}", err(&unknown));
    }
}

#[test]
fn a_folder_that_is_too_large_for_flows_is_not_read() {
    let many = project(&text("quick"));
    for number in 0..1_000 {
        fs::write(many.path().join(format!("agentd/flows/a{number}.toml")), "").expect("a file");
    }
    let listed = agentd(many.path(), &["list"]);
    assert_eq!(listed.status.code(), Some(11), "{}", err(&listed));
    assert!(
        err(&listed).contains("`agentd/flows` contains more than 1000 files"),
        "{}",
        err(&listed)
    );
    let large = project(&text("quick"));
    for number in 0..9 {
        let path = large.path().join(format!("agentd/flows/a{number}.toml"));
        fs::write(path, "#".repeat(1_000_000)).expect("a file");
    }
    let listed = agentd(large.path(), &["list"]);
    assert_eq!(listed.status.code(), Some(11), "{}", err(&listed));
    assert!(err(&listed).contains("8388608 is the limit"), "{}", err(&listed));
}

#[test]
fn every_column_of_a_step_is_shown_to_programs() {
    let folder = TempDir::new().expect("a folder");
    let shown = out(&agentd(folder.path(), &["show", "sdd", "--json"]));
    let flow: serde_json::Value = serde_json::from_str(&shown).expect("JSON");
    for step in flow["steps"].as_array().expect("steps") {
        for column in Step::COLUMNS {
            assert!(step.get(column.name).is_some(), "{} of {}", column.name, step["name"]);
        }
    }
}
