//! How an agent fails, which failures are repeated, and how each is told.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use agentd::Phase;
use agentd::models::agent::{AgentSettings, Delivers, Permissions, Protocol};
use agentd::orchestrator::RunError;
use agentd::orchestrator::agents::{AgentError, adapter};

use crate::project::{CLIS, Project, json, ran};

/// Runs a script and gives why the agent gave no reply.
fn error(project: &Project, cli: &str, script: &str) -> AgentError {
    match project.run(project.agent(cli, Some(script)), Phase::Plan) {
        Err(RunError::Agent { error, run: Some(run), .. }) => {
            let meta = json(&run.join("meta.json"));
            assert!(
                meta["error"].as_str().is_some_and(|text| text.contains(&error.to_string())),
                "{meta}"
            );
            error
        }
        other => panic!("{cli}: {script}: {other:?}"),
    }
}

const PASS: &str = "answer Fine.\\n<review>PASS</review>";

#[test]
fn an_error_that_may_pass_is_repeated_and_no_other() {
    for cli in CLIS {
        for status in [429, 500, 529] {
            let project = Project::new();
            let script = format!("count calls\non 1 error {status}\nfrom 2 {PASS}");
            let outcome = project.run(project.agent(cli, Some(&script)), Phase::Plan);
            let outcome = outcome.unwrap_or_else(|error| panic!("{cli} {status}: {error}"));
            assert_eq!((project.calls(), project.runs().len()), (2, 2), "{cli} {status}");
            assert_eq!(outcome.run, project.runs()[1], "{cli} {status}");
        }
        for status in [400, 401, 413] {
            let project = Project::new();
            let error =
                error(&project, cli, &format!("count calls\non 1 error {status}\nfrom 2 {PASS}"));
            let expected = match (status, cli) {
                (401, _) => matches!(error, AgentError::NotLoggedIn { .. }),
                (413, _) => matches!(error, AgentError::PromptTooLarge { .. }),
                (_, "text") => matches!(error, AgentError::Failed { code: 1, .. }),
                (_, _) => matches!(error, AgentError::Refused { .. }),
            };
            assert!(expected, "{cli} {status}: {error:?}");
            assert_eq!(project.calls(), 1, "{cli} {status}");
        }
    }
}

#[test]
fn an_error_that_does_not_pass_is_told_after_the_last_repetition() {
    let project = Project::new();
    let script = "count calls\nerror 429";
    let error = error(&project, "codex", script);
    assert!(matches!(error, AgentError::RateLimited { .. }), "{error:?}");
    assert_eq!(project.calls(), 3, "two repetitions");
    let never = AgentSettings { retries: 0, ..project.agent("codex", Some(script)) };
    assert!(project.run(never.clone(), Phase::Plan).is_err());
    assert_eq!(project.calls(), 4);
    let ran = ran(&mut project.call(Phase::Plan, &never, "retries = 0")).exits(5);
    ran.says("error: agent `fake`: rate limited").says("help: this may be temporary");
}

#[test]
fn a_login_that_is_missing_is_told_with_what_to_do() {
    let project = Project::new();
    let agent = project.agent("gemini", Some("error 401"));
    let ran = ran(&mut project.call(Phase::Plan, &agent, "")).exits(5);
    ran.says("not logged in: invalid API key").says("help: log in with the CLI");
}

#[test]
fn a_pass_counts_only_with_exit_code_0() {
    for cli in CLIS {
        let project = Project::new();
        let error = error(&project, cli, &format!("{PASS}\ncomplain something broke\nexit 1"));
        assert!(!error.is_passing(), "{cli}: {error:?}");
        let agent = project.agent(cli, Some(&format!("{PASS}\nexit 1")));
        ran(&mut project.call(Phase::Plan, &agent, "")).exits(5);
    }
}

#[test]
fn a_pass_in_output_that_is_cut_off_does_not_count() {
    for cli in CLIS.into_iter().filter(|cli| *cli != "text") {
        let project = Project::new();
        let error = error(&project, cli, "cut Fine.\\n<review>PASS</review>");
        assert_eq!(error, AgentError::NoFinalRecord, "{cli}");
    }
}

#[test]
fn an_empty_answer_and_garbage_are_errors() {
    for cli in CLIS {
        let project = Project::new();
        assert_eq!(error(&project, cli, "answer  "), AgentError::EmptyAnswer, "{cli}");
        if cli != "text" {
            assert_eq!(error(&project, cli, "garbage 5000"), AgentError::NoFinalRecord, "{cli}");
            let agent = project.agent(cli, Some("garbage 5000\nexit 3"));
            ran(&mut project.call(Phase::Plan, &agent, "")).exits(5);
        }
    }
}

#[test]
fn garbage_round_an_answer_does_no_harm() {
    for cli in CLIS {
        let project = Project::new();
        let script = format!("garbage 1000\nsay \ncomplain noise\n{PASS}");
        let outcome = project.run(project.agent(cli, Some(&script)), Phase::Plan);
        let outcome = outcome.unwrap_or_else(|error| panic!("{cli}: {error}"));
        assert!(outcome.text.ends_with("Fine.\n<review>PASS</review>"), "{cli}: {}", outcome.text);
    }
}

#[test]
fn a_program_that_is_not_there_or_cannot_be_run_is_told_apart() {
    let project = Project::new();
    let agent =
        |program: String| AgentSettings { command: vec![program], ..project.agent("claude", None) };
    let nowhere = agent(project.path("nowhere").display().to_string());
    let text = project.file("text", "no program");
    fs::set_permissions(&text, fs::Permissions::from_mode(0o644)).expect("permissions");
    let text = agent(text.display().to_string());
    for (agent, expected) in [(nowhere, "is not installed"), (text, "cannot be run")] {
        let error = project.run(agent.clone(), Phase::Plan).expect_err("no program");
        assert!(
            matches!(&error, RunError::Agent { .. }) && error.to_string().contains(expected),
            "{error}"
        );
        ran(&mut project.call(Phase::Plan, &agent, ""))
            .exits(5)
            .says(expected)
            .says("help: `agentd doctor`");
    }
}

#[test]
fn a_prompt_that_is_too_large_is_refused_before_anything_is_started() {
    let project = Project::new();
    let agent = AgentSettings {
        max_prompt: Some(1000),
        ..project.agent("claude", Some(&format!("count calls\n{PASS}")))
    };
    let error = project.run(agent.clone(), Phase::Plan).expect_err("too large");
    assert!(
        matches!(&error, RunError::Agent { error: AgentError::PromptTooLarge { .. }, .. }),
        "{error:?}"
    );
    ran(&mut project.call(Phase::Plan, &agent, "max_prompt = 1000"))
        .exits(11)
        .says("and `max_prompt` allows 1000")
        .says("help: raise `max_prompt` in `[agents.fake]`");
    let large = project.file("large", "x".repeat(1_048_576));
    let codex = project.agent("codex", Some("count calls"));
    project.call(Phase::Plan, &codex, "");
    let request = format!("@{}", large.display());
    let words = ["call", "plan", "add-login", &request, "--agent", "fake"];
    ran(&mut project.agentd(&words)).exits(11).says("and the agent's limit is 1048576");
    assert_eq!(project.calls(), 0, "nothing was started");
    assert!(project.runs().iter().all(|run| !run.join("end.json").exists()));
}

#[test]
fn an_agent_is_refused_in_a_phase_that_it_cannot_do() {
    let project = Project::new();
    let script = format!("count calls\n{PASS}");
    let described = project.described(Some(&script));
    let reading =
        AgentSettings { permissions: Permissions::Read, ..project.agent("claude", Some(&script)) };
    let printing = AgentSettings { delivers: Delivers::Text, ..described.clone() };
    for (agent, phase, more, expected) in [
        (&described, Phase::Plan, "", "it delivers no files"),
        (&described, Phase::Implement, "", "it delivers no files"),
        (&described, Phase::Archive, "", "it delivers no files"),
        (&reading, Phase::Implement, "permissions = \"read\"", "its permissions are `read`"),
        (&printing, Phase::Implement, "delivers = \"text\"", "it delivers text"),
    ] {
        let error = project.run(agent.clone(), phase).expect_err("unfit");
        assert!(matches!(&error, RunError::Unfit { .. }), "{error:?}");
        ran(&mut project.call(phase, agent, more))
            .exits(4)
            .says(expected)
            .says("help: use another agent");
    }
    assert_eq!((project.calls(), project.runs().len()), (0, 0));
    for name in ["proposal.md", "specs/x.md"] {
        project.file(&format!("agentd/changes/add-login/{name}"), "x");
    }
    project.file("agentd/changes/add-login/tasks.md", "- [ ] 1.1 Do it\n");
    for agent in [described, reading, printing] {
        project.run(agent, Phase::Challenge).expect("it can judge");
    }
}

#[test]
fn a_phase_without_what_it_needs_is_refused() {
    let project = Project::new();
    let agent = project.agent("text", Some("count calls"));
    let ran_challenge = ran(&mut project.call(Phase::Challenge, &agent, "")).exits(4);
    ran_challenge.says("proposal.md`, which is missing").says("help: run the earlier phases first");
    for name in ["proposal.md", "specs/x.md"] {
        project.file(&format!("agentd/changes/add-login/{name}"), "x");
    }
    project.file("agentd/changes/add-login/tasks.md", "1.1 Do it\n");
    ran(&mut project.call(Phase::Implement, &agent, "")).exits(4).says("is invalid");
    let words = ["call", "plan", "Add-Login", "x", "--agent", "offline"];
    ran(&mut project.agentd(&words)).exits(2);
    let words = ["call", "review", "other", "x", "--agent", "offline"];
    ran(&mut project.agentd(&words)).exits(4).says("there is no change `other`");
    assert!(!project.path("agentd/changes/other").exists());
    assert_eq!(project.calls(), 0);
}

#[test]
fn what_a_run_used_that_came_to_nothing_is_taken_down() {
    let claude = r#"{"type":"assistant","message":{"id":"m1","content":[],"usage":{"input_tokens":40,"output_tokens":2}}}"#;
    let gemini = r#"{"type":"result","status":"error","error":{"message":"no"},"stats":{"total_tokens":42,"input_tokens":40,"output_tokens":2,"cached":0}}"#;
    let codex = r#"{"type":"turn.completed","usage":{"input_tokens":40,"output_tokens":2}}"#;
    for (cli, line) in [("claude", claude), ("gemini", gemini), ("codex", codex)] {
        // It is ended in the middle, or exits with an error.
        for end in ["hang", "exit 3"] {
            let project = Project::new();
            let script = format!("read\nsay {line}\n{end}");
            let timeout = Duration::from_millis(if end == "hang" { 500 } else { 20_000 });
            let agent = AgentSettings { timeout, retries: 0, ..project.agent(cli, Some(&script)) };
            project.run(agent, Phase::Plan).expect_err("no reply");
            let meta = json(&project.runs()[0].join("meta.json"));
            assert!(meta["error"].is_string(), "{cli}: {meta}");
            let used = (&meta["usage"]["input"], &meta["usage"]["output"]);
            assert_eq!(used, (&40.into(), &2.into()), "{cli}, {end}: {meta}");
        }
    }
}

#[test]
fn what_a_report_says_of_a_run_that_failed_counts_too() {
    let report = r#"{"modelMetrics":{"m":{"usage":{"inputTokens":40,"outputTokens":2}}}}"#;
    let settings = AgentSettings::new("copilot", Protocol::Copilot);
    let transcript = adapter(&Protocol::Copilot).transcript(&settings);
    let usage = transcript.usage(Some(report)).expect("it is told");
    assert_eq!((usage.input, usage.output), (40, 2));
}
