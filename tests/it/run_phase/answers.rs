//! What an agent answers, and what is made of it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agentd::catalog::CATALOG;
use agentd::models::agent::AgentSettings;
use agentd::models::marker::{Marker, MarkerError};
use agentd::orchestrator::watch::{Event, Watch};
use agentd::orchestrator::{ReviewResult, RunError, UsageMetrics};
use agentd::template::TaskStatus;
use agentd::{Agent, Phase};

use crate::process::scene::runtime;
use crate::project::{CLIS, Project, ended, json, ran};

#[test]
fn the_same_answer_is_read_from_every_cli_with_what_it_used() {
    let mut texts = Vec::new();
    for cli in CLIS {
        let project = Project::new();
        let agent = AgentSettings { family: Agent::Base, ..project.agent(cli, None) };
        let outcome = project.run(agent, Phase::Plan).expect("an answer");
        assert_eq!(outcome.verdict, Some(ReviewResult::Pass), "{cli}");
        assert_eq!(outcome.markers.len(), 1, "{cli}: {:?}", outcome.markers);
        let model = (cli != "text" && cli != "codex").then(|| "offline-model".to_owned());
        assert_eq!(outcome.model, model, "{cli}");

        let usage = &outcome.usage;
        let prompt = std::fs::metadata(outcome.run.join("prompt.xml")).expect("the prompt").len();
        let (read, answer) = (1 + prompt / 4, outcome.text.len() as u64);
        let expected = match cli {
            "text" => UsageMetrics::default(),
            _ => UsageMetrics {
                input: read - read / 4,
                cache_read: read / 4,
                cache_write: 0,
                output: 1 + answer / 4 + 7,
                reasoning: if cli == "claude" { 0 } else { 7 },
                cost_usd: (cli == "claude").then_some(0.01),
                unpriced: 0,
                duration: Duration::ZERO,
            },
        };
        // What others cost is counted by prices.
        let cost_usd = usage.cost_usd.filter(|_| cli == "claude");
        let used = UsageMetrics { duration: Duration::ZERO, cost_usd, ..usage.clone() };
        assert_eq!(used, expected, "{cli}");
        let meta = json(&outcome.run.join("meta.json"));
        assert_eq!(meta["usage"], serde_json::to_value(usage).expect("JSON"), "{cli}");
        assert_eq!(meta["prompt_bytes"], prompt, "{cli}");
        texts.push(outcome.text.trim_end().to_owned());
    }
    assert!(texts.iter().all(|text| *text == texts[0]), "{texts:#?}");
}

#[test]
fn run_phase_gives_text_markers_and_usage() {
    let project = Project::new();
    let change = "add-login".parse().expect("an id");
    let orchestrator = project.orchestrator(project.agent("codex", Some("wait 500\nplay")));
    let phase = orchestrator.run_phase(&change, Phase::Plan, "Add login");
    let (text, markers, usage) = runtime().block_on(phase).expect("an answer");
    assert!(text.ends_with("<review>PASS</review>\n"), "{text}");
    assert_eq!(markers.len(), 1);
    assert!(usage.input > 0 && usage.output > 0, "{usage:?}");
    assert!(usage.duration > Duration::from_millis(100), "{usage:?}");
}

/// Remembers what happens.
#[derive(Default)]
struct Seen(Mutex<Vec<String>>);

impl Watch for Seen {
    fn event(&self, event: &Event<'_>) {
        let seen = match event {
            Event::Started { agent, .. } => format!("started {agent}"),
            Event::Repeated { after, .. } => format!("repeated after {} ms", after.as_millis()),
            Event::StandsStill { window, .. } => format!("{window} stands still"),
            Event::AskedAgain { .. } => "asked again".to_owned(),
            Event::Denied { tools } => format!("denied {tools:?}"),
            Event::Progress(_) | Event::LeftOver { .. } | Event::LeftOut { .. } => return,
        };
        self.0.lock().expect("no other").push(seen);
    }

    fn before_repeat(&self, run: &std::path::Path) -> std::io::Result<()> {
        let name = run.file_name().expect("a name").to_string_lossy().into_owned();
        self.0.lock().expect("no other").push(format!("restored before repeating {name}"));
        Ok(())
    }
}

#[test]
fn what_happens_is_told_to_those_who_watch() {
    let project = Project::new();
    let script = "count calls\non 1 error 429\non 2 error 500\non 3 answer Fine.\nfrom 4 play";
    let seen = Arc::new(Seen::default());
    let orchestrator =
        project.orchestrator(project.agent("claude", Some(script))).with_watch(seen.clone());
    let change = "add-login".parse().expect("an id");
    let outcome =
        runtime().block_on(orchestrator.run(&change, CATALOG.step(Phase::Plan), "Add login"));
    assert_eq!(outcome.expect("a verdict").verdict, Some(ReviewResult::NeedsRevision));
    assert_eq!(
        *seen.0.lock().expect("no other"),
        [
            "started claude",
            "repeated after 20 ms",
            "restored before repeating 001-plan",
            "started claude",
            "repeated after 80 ms",
            "restored before repeating 002-plan",
            "started claude",
            "asked again",
            "started claude",
        ]
    );
}

#[test]
fn a_missing_marker_is_asked_for_once_and_both_runs_are_counted() {
    for cli in CLIS {
        let project = Project::new();
        let script = "count calls\non 1 answer It comes to PASS.\nfrom 2 play";
        let outcome =
            project.run(project.agent(cli, Some(script)), Phase::Plan).expect("a verdict");
        assert_eq!((outcome.verdict, project.calls()), (Some(ReviewResult::Pass), 2), "{cli}");
        assert_eq!(outcome.text, "It comes to PASS.\n\n<review>PASS</review>\n", "{cli}");
        let runs = project.runs();
        assert_eq!((runs.len(), &outcome.run), (2, &runs[0]), "{cli}");
        let usage = |run: usize| json(&runs[run].join("meta.json"))["usage"]["input"].as_u64();
        assert_eq!(usage(0).zip(usage(1)).map(|(one, two)| one + two), Some(outcome.usage.input));
        let asked = std::fs::read_to_string(runs[1].join("prompt.xml")).expect("a prompt");
        assert!(
            asked.contains("<artifact name='answer.md'>It comes to PASS.</artifact>"),
            "{asked}"
        );
    }
}

#[test]
fn a_marker_that_stays_missing_is_an_error() {
    let project = Project::new();
    let agent =
        project.agent("gemini", Some("count calls\nanswer `<review>PASS</review>` is quoted"));
    match project.run(agent.clone(), Phase::Plan) {
        Err(RunError::Marker {
            error: MarkerError::MissingReviewMarker { ignored }, run, ..
        }) => {
            assert_eq!((ignored.len(), run), (1, project.runs()[1].clone()));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(project.calls(), 2);
    let ran = ran(&mut project.call(Phase::Plan, &agent, "")).exits(7);
    ran.says("error: agent `fake`: MissingReviewMarker").says("help: its output is in `");
}

#[test]
fn an_unclear_verdict_is_asked_about_once_whatever_is_unclear_about_it() {
    let project = Project::new();
    for (answer, unclear) in [
        ("Fine.", "the answer contains no review marker"),
        ("<review>NEEDS_CHANGES</review>", "the verdict `NEEDS_CHANGES` is not one of `plan`"),
        ("<review>GREAT</review>", "`GREAT` is not a verdict"),
        ("<Review>PASS</Review>", "is not a well-formed marker"),
        ("I say <review>PASS</review> here", "is beside other text on its line"),
        ("`<review>REJECTED</review>`\\n\\n<review>PASS</review>", "PASS is contradicted by"),
    ] {
        let before = project.calls();
        let script = format!("count calls\nanswer {answer}");
        let agent = project.agent("codex", Some(&script));
        let ran = ran(&mut project.call(Phase::Plan, &agent, "")).exits(7);
        ran.says(unclear).says("asking again for the verdict only");
        assert_eq!(project.calls() - before, 2, "{answer}");
    }
}

#[test]
fn a_verdict_that_was_asked_for_alone_is_the_verdict_of_the_answer() {
    let project = Project::new();
    let script = "count calls\non 1 answer <thought>hm</thought>`<review>REJECTED</review>` is too much.\\n<review>PASS</review>\n\
                  from 2 answer <review>NEEDS_REVISION</review>";
    let outcome =
        project.run(project.agent("claude", Some(script)), Phase::Plan).expect("a verdict");
    assert_eq!((outcome.verdict, project.calls()), (Some(ReviewResult::NeedsRevision), 2));
    assert!(outcome.text.ends_with("\n\n<review>NEEDS_REVISION</review>\n"), "{}", outcome.text);
    let verdicts: Vec<&Marker> =
        outcome.markers.iter().filter(|marker| matches!(marker, Marker::Review { .. })).collect();
    assert_eq!(verdicts.len(), 1);
    assert!(outcome.text[verdicts[0].at()..].starts_with("<review>NEEDS_REVISION"));
    let asked = std::fs::read_to_string(project.runs()[1].join("prompt.xml")).expect("a prompt");
    assert!(asked.contains("is too much.") && !asked.contains(">hm"), "{asked}");
}

/// Makes a project whose change has a plan of one task.
fn planned() -> Project {
    let project = Project::new();
    for (name, text) in [
        ("proposal.md", "# Proposal\n"),
        ("specs/login.md", "# Login\n"),
        ("tasks.md", "# Tasks\n\n- [ ] 1.1 Do it\n"),
    ] {
        project.file(&format!("agentd/changes/add-login/{name}"), text);
    }
    project
}

#[test]
fn unclear_statuses_are_asked_for_once_and_count_then() {
    let done = "<task_status id=\"1.1\">COMPLETED</task_status>";
    for unclear in [
        "All is done.".to_owned(),
        format!("`{done}`"),
        format!("Now {done} is what I say."),
        done.replace("id=", "data-id="),
        done.replace("COMPLETED", "DONE"),
    ] {
        let project = planned();
        let script = format!("count calls\non 1 answer {unclear}\nfrom 2 answer {done}");
        let outcome = project.run(project.agent("claude", Some(&script)), Phase::Implement);
        let outcome = outcome.expect("statuses");
        assert_eq!(outcome.statuses, [("1.1".to_owned(), TaskStatus::Completed)], "{unclear}");
        assert_eq!(project.calls(), 2, "{unclear}");
        let again = &project.runs()[1];
        assert!(again.ends_with("002-implement-status"), "{}", again.display());
        let asked = std::fs::read_to_string(again.join("prompt.xml")).expect("a prompt");
        assert!(asked.contains("- [ ] 1.1 Do it"), "{asked}");
    }
    let project = planned();
    let agent =
        project.agent("claude", Some("count calls\nanswer <task_status>FAILED</task_status>"));
    assert!(matches!(project.run(agent, Phase::Implement), Err(RunError::Marker { .. })));
    assert_eq!(project.calls(), 2);
}

#[test]
fn a_blocked_agent_is_asked_for_neither_a_verdict_nor_statuses() {
    for (phase, answer) in [
        (Phase::Plan, "<blocked>Which port?</blocked>\\n\\n<review>PASS</review>"),
        (Phase::Plan, "<blocked>Which port?"),
        (Phase::Implement, "`<blocked>Which port?</blocked>`"),
        (
            Phase::Implement,
            "<blocked>Which port?</blocked>\\n\\n<task_status id=\"1.1\">COMPLETED</task_status>",
        ),
        (Phase::Archive, "<blocked>Which port?</blocked>"),
    ] {
        let project = planned();
        let agent = project.agent("claude", Some(&format!("count calls\nanswer {answer}")));
        let outcome = project.run(agent, phase).expect("an outcome");
        assert_eq!(outcome.blocked.as_deref(), Some("Which port?"), "{answer}");
        assert_eq!((outcome.verdict, outcome.statuses, project.calls()), (None, Vec::new(), 1));
        assert!(outcome.markers.iter().any(|marker| matches!(marker, Marker::Blocked { .. })));
    }
    let project = Project::new();
    let script = "answer <blocked>Which port?</blocked>\\n\\n<review>PASS</review>";
    let agent = project.agent("codex", Some(script));
    ran(&mut project.call(Phase::Plan, &agent, "")).exits(8).says("needs an answer: Which port?");
}

#[test]
fn an_agent_may_be_blocked_when_it_is_asked_for_the_verdict_alone() {
    for (phase, first) in [(Phase::Plan, "Fine."), (Phase::Implement, "All is done.")] {
        let project = planned();
        let script = format!(
            "count calls\non 1 answer {first}\nfrom 2 answer <blocked>Which port?</blocked>"
        );
        let outcome =
            project.run(project.agent("claude", Some(&script)), phase).expect("an outcome");
        assert_eq!(outcome.blocked.as_deref(), Some("Which port?"));
        assert_eq!((outcome.verdict, outcome.statuses, project.calls()), (None, Vec::new(), 2));
    }
}

#[test]
fn thoughts_in_any_spelling_never_leave() {
    let project = Project::new();
    let thoughts = "<thought>one</thought><Thought name='a'>two</THOUGHT>< thought >three</ thought ><thought>fo<thought>u</thought>r</thought>";
    let answer = format!("{thoughts}Said.\\n<review>PASS</review>\\n<thought>five");
    let agent = project.agent("claude", Some(&format!("answer {answer}")));
    for more in ["", "--json"] {
        let arguments: Vec<&str> = more.split_whitespace().collect();
        let ran = ran(project.call(Phase::Plan, &agent, "").args(arguments)).exits(0);
        assert!(ran.stdout.contains("Said."), "{}", ran.stdout);
        for word in ["one", "two", "three", "fo", "five", "hought"] {
            let text = ran.stdout.replace("one_", "");
            let text = if more.is_empty() { text } else { ran.json()["text"].to_string() };
            assert!(!text.contains(word), "{word}: {text}");
        }
    }
}

#[test]
fn the_worst_verdict_counts_and_a_call_exits_by_it() {
    let project = Project::new();
    for (answer, code) in [
        ("<review>PASS</review>", 0),
        ("<review>PASS</review>\\n and <review>NEEDS_REVISION</review>", 8),
        ("<thought><review>NEEDS_REVISION</review></thought><review>PASS</review>", 0),
    ] {
        let agent = project.agent("claude", Some(&format!("answer {answer}")));
        ran(&mut project.call(Phase::Plan, &agent, "")).exits(code);
    }
}

#[test]
fn a_reader_that_has_gone_does_not_turn_a_verdict_into_a_pass() {
    let project = Project::new();
    let agent = project.agent("codex", Some("answer <review>NEEDS_REVISION</review>"));
    let mut child = project.call(Phase::Plan, &agent, "").spawn().expect("it starts");
    drop(child.stdout.take());
    ended(child).exits(8).says("the verdict is NEEDS_REVISION");
}
