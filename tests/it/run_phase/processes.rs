//! Agents that hang, flood or leave others behind: each ends in time, with its own exit code, and nobody stays.

use std::time::{Duration, Instant};

use agentd::Phase;
use agentd::models::agent::AgentSettings;
use agentd::orchestrator::RunError;
use agentd::orchestrator::agents::AgentError;

use crate::measure::took_with_guards;
use crate::process::scene::SOON;
use crate::project::{Project, json, ran};

const PASS: &str = "answer <review>PASS</review>";
/// A flood of a gigabyte is ended within ten seconds.
const FIVE_TIMES_AS_LONG: Duration = Duration::from_secs(5 * 10);

#[test]
fn an_agent_that_hangs_is_ended_in_time() {
    for script in ["hang", "read\nhang", "close\nhang", "leave 1 MARK\nescape 1 MARK\nhang"] {
        let project = Project::new();
        let agent = AgentSettings {
            timeout: Duration::from_secs(1),
            ..project.agent("claude", Some(script))
        };
        let start = Instant::now();
        let error = project.run(agent.clone(), Phase::Plan).expect_err("no end");
        assert!(matches!(&error, RunError::TimedOut { .. }), "{script}: {error:?}");
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
        project.mark.assert_nobody_is_left();
        assert_eq!(project.runs().len(), 1, "a time-out is not repeated");
        let ran = ran(&mut project.call(Phase::Plan, &agent, "timeout = \"1s\"")).exits(6);
        ran.says("took longer than 1 s").says("help: allow more time with `timeout`");
        project.mark.assert_nobody_is_left();
    }
}

#[test]
fn an_agent_that_ignores_the_request_to_end_is_killed_after_the_grace() {
    let project = Project::new();
    let agent = AgentSettings {
        timeout: Duration::from_millis(300),
        ..project.agent("codex", Some("stubborn\nsay up\nhang"))
    };
    let start = Instant::now();
    let error = project.run(agent, Phase::Plan).expect_err("no end");
    assert!(matches!(&error, RunError::TimedOut { .. }), "{error:?}");
    let took = start.elapsed();
    assert!(took >= Duration::from_millis(5300), "it has its grace: {took:?}");
    assert!(took < Duration::from_millis(5300) + SOON, "{took:?}");
    project.mark.assert_nobody_is_left();
}

#[test]
fn an_agent_that_never_reads_a_large_prompt_hangs_no_one_else() {
    for (script, code) in [("hang", 6), ("close\nsay Fine.\\n<review>PASS</review>", 0), (PASS, 0)]
    {
        let project = Project::new();
        let large = project.file("large", "word ".repeat(8 << 18));
        let agent = project.agent("text", Some(script));
        project.call(Phase::Plan, &agent, "timeout = \"20s\"");
        if code == 6 {
            project.call(Phase::Plan, &agent, "timeout = \"1s\"");
        }
        let request = format!("@{}", large.display());
        let words = ["call", "plan", "add-login", &request, "--agent", "fake"];
        ran(&mut project.agentd(&words)).exits(code);
        project.mark.assert_nobody_is_left();
    }
}

#[test]
fn an_agent_that_falls_silent_is_ended_where_that_is_asked_for() {
    let project = Project::new();
    let agent = project.agent("gemini", Some("say hello\nhang"));
    let ran = ran(&mut project.call(Phase::Plan, &agent, "idle_timeout = \"1s\"")).exits(6);
    ran.says("was silent for 1 s").says("help: change `idle_timeout`");
    project.mark.assert_nobody_is_left();
}

#[test]
fn an_agent_that_prints_too_much_is_ended_and_takes_no_memory() {
    for (cli, script) in [
        ("claude", "flood stdout 1073741824"),
        ("claude", "flood stderr 1073741824"),
        ("claude", "line stdout 67108864"),
        ("text", "flood stdout 1073741824"),
        ("text", "line stdout 67108864"),
    ] {
        let project = Project::new();
        let agent = project.agent(cli, Some(&format!("{script}\n{PASS}")));
        let start = Instant::now();
        let took = took_with_guards(&mut project.call(Phase::Plan, &agent, ""));
        assert!(start.elapsed() < FIVE_TIMES_AS_LONG, "{cli} {script}: {:?}", start.elapsed());
        let ran = took.ran.exits(11);
        ran.says("printed too much").says("help: its output is in `");
        for (who, usage) in [("agentd", took.own), ("the guard", took.guards)] {
            assert!(
                (1 << 10..64 << 10).contains(&usage.memory),
                "{who}, {cli} {script}: {usage:?}"
            );
            assert!(usage.computed < FIVE_TIMES_AS_LONG, "{who}, {cli} {script}: {usage:?}");
        }
        let kept = std::fs::metadata(project.runs()[0].join("stdout")).expect("a file").len();
        assert!(kept <= 256 << 20, "{kept}");
        project.mark.assert_nobody_is_left();
    }
}

#[test]
fn much_output_round_an_answer_is_no_flood() {
    let project = Project::new();
    let script = format!("flood stdout 20000000\nline stderr 20000000\nsay \n{PASS}");
    let outcome =
        project.run(project.agent("codex", Some(&script)), Phase::Plan).expect("an answer");
    assert_eq!(outcome.text, "<review>PASS</review>");
    let long = project.agent("text", Some(&format!("flood stdout 4000000\nsay \n{PASS}")));
    assert!(project.run(long, Phase::Plan).expect("an answer").text.len() > 4_000_000);
}

#[test]
fn what_an_agent_leaves_running_is_ended_and_not_waited_for() {
    let project = Project::new();
    let script = format!("leave 3 MARK\nescape 30 MARK\n{PASS}");
    let start = Instant::now();
    let outcome =
        project.run(project.agent("copilot", Some(&script)), Phase::Plan).expect("an answer");
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    project.mark.assert_nobody_is_left();
    let end = json(&outcome.run.join("end.json"));
    assert_eq!((&end["swept"], &end["survivors"]), (&33.into(), &serde_json::json!([])));
}

#[test]
fn an_agent_that_dies_by_a_signal_is_told_so() {
    for (number, answer) in [(9, ""), (11, PASS), (15, PASS)] {
        let project = Project::new();
        let agent = project.agent("claude", Some(&format!("{answer}\ndie {number}")));
        match project.run(agent.clone(), Phase::Plan) {
            Err(RunError::Agent { error: AgentError::Killed { signal }, .. }) => {
                assert_eq!(signal, number);
            }
            other => panic!("{other:?}"),
        }
        let expected = format!("ended by signal {number}");
        ran(&mut project.call(Phase::Plan, &agent, "")).exits(5).says(&expected);
    }
}
