//! A whole change, from its request to its archive, with real CLIs in every phase. The first plan and the first code are
//! found wanting, so that it takes nine runs.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::cli::Cli;
use crate::flow::{CHANGE, Flow, json, shown};
use crate::model::player::{Judges, STRAY};
use crate::model::tokens;
use crate::suite::Suite;

/// What is run: the phase, and what it comes to.
const RUNS: [(&str, &str); 9] = [
    ("plan", "PASS"),
    ("challenge", "NEEDS_REVISION"),
    ("plan", "PASS"),
    ("challenge", "PASS"),
    ("implement", "ALL_DONE"),
    ("review", "NEEDS_CHANGES"),
    ("implement", "ALL_DONE"),
    ("review", "PASS"),
    ("archive", "FILES"),
];

/// Each phase is done by the CLI that does it by default.
pub(super) fn by_default(suite: &Suite, _: Cli) {
    let clis = [Cli::Codex, Cli::Claude];
    let flow = Flow::new(suite, "whole-flow-by-default", &clis, Judges::Answer);
    check(&flow, Judges::Answer, |phase| match phase {
        "plan" | "implement" | "archive" => Cli::Claude,
        _ => Cli::Codex,
    });
}

/// One CLI does every phase; where it is to judge it tries to write first.
pub(super) fn alone(suite: &Suite, cli: Cli) {
    let name = format!("{}-whole-flow", cli.name());
    let flow = Flow::new(suite, &name, &[cli], Judges::Trespass);
    check(&flow, Judges::Trespass, |_| cli);
}

fn check(flow: &Flow<'_>, judges: Judges, agent: impl Fn(&str) -> Cli) {
    let before = flow.checkout();
    // What a project's file sets counts for nothing until it is trusted.
    let refused = flow.run();
    assert_eq!(refused.status.code(), Some(4), "{}", shown(&refused));
    let trusted = flow.agentd(&["trust", "--yes"]);
    assert!(trusted.status.success(), "{}", shown(&trusted));
    let output = flow.run();
    assert!(output.status.success(), "{}", shown(&output));
    assert_eq!(flow.checkout(), before, "the user's checkout");
    let archived = flow.archived();
    check_archive(flow, &archived);
    let state = flow.project().join(".git/agentd/changes").join(CHANGE);
    check_journal(&state, &agent);
    check_runs(flow, &state, judges, &agent);
    check_places(flow);
    check_branch(flow);
}

/// All that the phases made is kept, and the project's own specs and changelog have it.
fn check_archive(flow: &Flow<'_>, archived: &Path) {
    let spec = format!("specs/{CHANGE}.md");
    let files = ["request.md", "proposal.md", &spec, "tasks.md", "CHALLENGE.md"];
    for name in files.into_iter().chain(["IMPLEMENTATION.md", "CHECKS.md", "REVIEW.md"]) {
        let text = fs::read_to_string(archived.join(name)).unwrap_or_default();
        assert!(!text.trim().is_empty(), "{name} in {}", archived.display());
    }
    let folder = flow.project().join("agentd");
    assert!(!folder.join("changes").join(CHANGE).exists(), "it is moved");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    assert!(read(&spec).contains("### R3"), "{}", read(&spec));
    assert!(read("CHANGELOG.md").contains("greets"), "{}", read("CHANGELOG.md"));
}

/// The journal tells of every round, in order, and of checks that were green.
fn check_journal(state: &Path, agent: &impl Fn(&str) -> Cli) {
    let text = fs::read_to_string(state.join("journal.jsonl")).expect("a journal");
    let entries: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect();
    let is_phase = |entry: &&Value| RUNS.iter().any(|(phase, _)| entry["step"] == *phase);
    let of = |event: &str| {
        let of_event = entries.iter().filter(|entry| entry["event"] == event);
        of_event.filter(is_phase).collect::<Vec<_>>()
    };
    let started: Vec<_> = of("started").iter().map(|it| json!([it["step"], it["agent"]])).collect();
    assert_eq!(started, RUNS.map(|(phase, _)| json!([phase, agent(phase).name()])));
    let finished: Vec<_> =
        of("finished").iter().map(|it| json!([it["step"], it["outcome"]])).collect();
    assert_eq!(finished, RUNS.map(|(phase, outcome)| json!([phase, outcome])));
    let is_checks = |entry: &&Value| {
        let step = entry["step"].as_str().unwrap_or_default();
        entry["event"] == "finished" && ["checks", "last-checks"].contains(&step)
    };
    let checks: Vec<_> = entries.iter().filter(is_checks).map(|it| &it["outcome"]).collect();
    assert_eq!(checks, ["GREEN"; 3]);
    let last = entries.last().expect("an entry");
    assert_eq!(json!([last["event"], last["step"]]), json!(["finished", "apply"]));
}

/// Each run says who answered, and all of them together used what the models claim.
fn check_runs(flow: &Flow<'_>, state: &Path, judges: Judges, agent: &impl Fn(&str) -> Cli) {
    let mut folders: Vec<_> = fs::read_dir(state.join("runs"))
        .expect("runs")
        .flatten()
        .map(|entry| entry.path().join("meta.json"))
        .filter(|path| path.exists())
        .collect();
    folders.sort();
    let metas: Vec<_> = folders.iter().map(|path| json(path)).collect();
    let phases: Vec<_> = metas.iter().map(|meta| &meta["phase"]).collect();
    assert_eq!(phases, RUNS.map(|(phase, _)| phase));
    for (meta, (phase, outcome)) in metas.iter().zip(RUNS) {
        let cli = agent(phase);
        assert_eq!(meta["agent"], cli.name(), "{meta:#}");
        assert_eq!(meta["error"], Value::Null, "{meta:#}");
        assert!(meta["model"].as_str().is_some_and(|model| !model.is_empty()), "{meta:#}");
        let judged = ["challenge", "review"].contains(&phase);
        let verdict = if judged || phase == "plan" { json!(outcome) } else { Value::Null };
        assert_eq!(meta["verdict"], verdict, "{meta:#}");
        let (write, shell) = (cli.write(state, "").name, cli.shell("").name);
        let denied = match (judges, cli) {
            // Who may run commands reviews in a room of which nothing is kept.
            (Judges::Trespass, _) if phase == "review" && cli.implements_with() == "shell" => {
                json!([])
            }
            // What it writes into its copies is not taken.
            (Judges::Trespass, Cli::Codex) if judged => json!([]),
            (Judges::Trespass, _) if judged => json!([write, shell]),
            _ => json!([]),
        };
        assert_eq!(meta["denied"], denied, "{meta:#}");
    }
    for (cli, server) in &flow.servers {
        let own = metas.iter().filter(|meta| meta["agent"] == cli.name());
        let used: u64 = own.filter_map(|meta| meta["usage"]["input"].as_u64()).sum();
        assert_eq!(used, tokens::FRESH * server.asked().len() as u64, "{}", cli.name());
    }
}

/// Every agent worked outside of the user's checkout, and nothing that a judge tried to write is anywhere.
fn check_places(flow: &Flow<'_>) {
    let workspaces = flow.root.join("state/workspaces");
    for (cli, server) in &flow.servers {
        for asked in server.asked() {
            let workspace = cli.workspace(&asked.body).expect("a workspace");
            assert!(workspace.starts_with(&workspaces), "{}", workspace.display());
            assert!(workspace.to_string_lossy().contains(CHANGE), "{}", workspace.display());
        }
    }
    assert_eq!(flow.git(&["worktree", "list"]).lines().count(), 1, "the worktrees are gone");
    let stray = flow.git(&["log", "--all", "--oneline", "--", STRAY]);
    assert_eq!(stray, "", "what a judge wrote is committed");
}

/// The branch holds the command and its test, which work, and nothing else.
fn check_branch(flow: &Flow<'_>) {
    let branch = format!("agentd/{CHANGE}");
    let files = flow.git(&["diff", "--name-only", "main", &branch]);
    let script = format!("agentd-demo/{CHANGE}.sh");
    assert_eq!(files, format!("{script}\nagentd-demo/{CHANGE}.test.sh\n"));
    let taken = flow.root.join("taken");
    let taken_name = taken.display().to_string();
    flow.git(&["clone", "--quiet", "--branch", &branch, ".", &taken_name]);
    let sh = |words: &[&str]| {
        Command::new("sh").args(words).current_dir(&taken).output().expect("sh runs")
    };
    let greeted = sh(&[&script, "Ada"]);
    assert_eq!(String::from_utf8_lossy(&greeted.stdout), format!("{CHANGE}: Ada\n"));
    let nobody = sh(&[&script, ""]);
    assert_eq!(nobody.status.code(), Some(2), "{}", shown(&nobody));
    let tested = sh(&[&format!("agentd-demo/{CHANGE}.test.sh")]);
    assert!(tested.status.success(), "{}", shown(&tested));
}
