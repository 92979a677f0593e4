//! Programs that have no adapter: what they print is read as the configuration describes it.

use agentd::models::agent::{AgentSettings, Format, Lines, Protocol, Shape, UsagePointers};
use agentd::orchestrator::UsageMetrics;
use agentd::orchestrator::agents::{AgentError, Exit, Progress, Reply, adapter};

use super::request::asking;

fn shape(output: Format) -> Shape {
    let pointer = |path: &str| Some(path.to_owned());
    Shape {
        output,
        text: pointer("/answer/text"),
        error: pointer("/error"),
        usage: UsagePointers {
            input: pointer("/used/in"),
            cache_read: pointer("/used/cached"),
            cache_write: pointer("/used/kept"),
            output: pointer("/used/out"),
            reasoning: pointer("/used/thought"),
            cost_usd: pointer("/used/cost"),
            ..UsagePointers::default()
        },
        lines: Lines::Last,
    }
}

/// Reads what a program printed that exited well.
fn read(shape: &Shape, stdout: &str) -> Result<Reply, AgentError> {
    ended(shape, stdout, 0, "").1
}

fn ended(
    shape: &Shape,
    stdout: &str,
    code: i32,
    stderr: &str,
) -> (Vec<Progress>, Result<Reply, AgentError>) {
    let protocol = Protocol::Described(shape.clone());
    let settings = AgentSettings::new("mine", protocol.clone());
    let mut transcript = adapter(&protocol).transcript(&settings);
    let shown = stdout.lines().filter_map(|line| transcript.line(line)).collect();
    (shown, transcript.finish(&Exit { code, stderr, report: None }))
}

fn text(result: Result<Reply, AgentError>) -> String {
    result.unwrap_or_else(|error| panic!("{error}")).text
}

const USED: &str = r#""used":{"in":10,"cached":20,"kept":30,"out":40,"thought":5,"cost":0.25}"#;

fn used() -> UsageMetrics {
    UsageMetrics {
        input: 10,
        cache_read: 20,
        cache_write: 30,
        output: 40,
        reasoning: 5,
        cost_usd: Some(0.25),
        ..UsageMetrics::default()
    }
}

#[test]
fn a_described_program_is_run_as_it_is_described() {
    let settings = AgentSettings {
        command: ["llm", "chat"].map(str::to_owned).into(),
        args: ["--model", "small"].map(str::to_owned).into(),
        ..AgentSettings::new("mine", Protocol::Described(Shape::default()))
    };
    let asked = asking(settings).extra_folder(Some("/shop/x")).prompt("the prompt");
    assert_eq!(asked.command(), ["llm", "chat", "--model", "small"]);
    assert_eq!(asked.variables(), ["NO_COLOR=1"]);
    let invocation = asked.invocation();
    assert_eq!(invocation.stdin, "the prompt");
    assert_eq!(invocation.files, []);
    let nothing = asked.set(|settings| settings.command.clear());
    let message = "agent `mine` has no command".to_owned();
    assert_eq!(nothing.result(), Err(AgentError::Misconfigured { message }));
}

#[test]
fn text_is_the_answer_itself() {
    let shape = Shape::default();
    assert_eq!(text(read(&shape, "one\n\ntwo\n")), "one\n\ntwo");
    assert_eq!(text(read(&shape, "{\"error\":\"no\"}\n")), "{\"error\":\"no\"}");
    assert_eq!(read(&shape, ""), Err(AgentError::EmptyAnswer));
    assert_eq!(read(&shape, "\n  \n"), Err(AgentError::EmptyAnswer));
    let (shown, _) = ended(&shape, "one\n\n  two words \n", 0, "");
    let shown: Vec<_> = shown.iter().map(|shown| shown.activity.as_str()).collect();
    assert_eq!(shown, ["one", "two words"]);
}

#[test]
fn json_is_looked_into_as_a_whole() {
    let json = shape(Format::Json);
    let printed = format!("{{\n \"answer\": {{ \"text\": \"a\\nb\" }},\n {USED} }}\n");
    let reply = read(&json, &printed).expect("a reply");
    assert_eq!((reply.text.as_str(), reply.usage), ("a\nb", used()));
    for broken in ["", "{", "log line\n{\"answer\":{\"text\":\"a\"}}", "{} {}"] {
        let error = read(&json, broken).expect_err(broken);
        assert!(matches!(error, AgentError::MalformedOutput { .. }), "{broken}: {error}");
    }
    for without in ["{}", "[]", "7", "{\"answer\":null}", "{\"answer\":{\"text\":7}}"] {
        assert_eq!(read(&json, without), Err(AgentError::NoFinalRecord), "{without}");
    }
    assert_eq!(read(&json, "{\"answer\":{\"text\":\" \"}}"), Err(AgentError::EmptyAnswer));
}

#[test]
fn of_json_lines_the_last_answer_counts_or_all_are_joined() {
    let last = shape(Format::JsonLines);
    let printed = format!(
        "log line\n{{\"answer\":{{\"text\":\"one \"}},\"used\":{{\"in\":1,\"out\":1}}}}\n{{}}\n{{\"answer\":\n\
         {{\"answer\":{{\"text\":\"two\"}},{USED}}}\n{{\"answer\":{{\"text\":null}}}}\n"
    );
    let reply = read(&last, &printed).expect("a reply");
    assert_eq!((reply.text.as_str(), reply.usage), ("two", used()));
    let joined = Shape { lines: Lines::Joined, ..last.clone() };
    let reply = read(&joined, &printed).expect("a reply");
    assert_eq!((reply.text.as_str(), reply.usage), ("one two", used()));
    for shape in [&last, &joined] {
        let (shown, _) = ended(shape, &printed, 0, "");
        let shown: Vec<_> = shown.iter().map(|shown| shown.activity.as_str()).collect();
        assert_eq!(shown, ["one", "two"], "{shape:?}");
        assert_eq!(read(shape, "no JSON at all\n"), Err(AgentError::NoFinalRecord));
        assert_eq!(read(shape, ""), Err(AgentError::NoFinalRecord));
    }
}

#[test]
fn an_error_that_is_pointed_at_fails_the_run_whatever_else_is_there() {
    let answer = "\"answer\":{\"text\":\"<review>PASS</review>\"}";
    for output in [Format::Json, Format::JsonLines] {
        let shape = shape(output);
        let printed = |error: &str| format!("{{{answer},\"error\":{error}}}\n");
        let failed = |error: &str| read(&shape, &printed(error)).expect_err(error);
        let message = "out of tea".to_owned();
        assert_eq!(failed("\"out of tea\""), AgentError::Failed { code: 0, message });
        let error = failed("{\"code\":7,\"message\":\"rate limit reached\"}");
        let AgentError::RateLimited { message } = &error else { panic!("{error}") };
        assert!(message.contains("\"code\":7"), "{message}");
        assert!(matches!(failed("false"), AgentError::Failed { .. }));
        assert_eq!(text(read(&shape, &printed("null"))), "<review>PASS</review>");
    }
    let lines = shape(Format::JsonLines);
    let printed = format!("{{\"error\":\"not logged in\"}}\n{{{answer}}}\n");
    let error = read(&lines, &printed).expect_err("an error before the answer");
    assert!(matches!(error, AgentError::NotLoggedIn { .. }), "{error}");
}

#[test]
fn an_exit_code_that_is_not_zero_fails_the_run_whatever_was_printed() {
    let answer = "{\"answer\":{\"text\":\"<review>PASS</review>\"}}\n";
    for (shape, stdout) in [
        (Shape::default(), "<review>PASS</review>\n"),
        (shape(Format::Json), answer),
        (shape(Format::Json), "{"),
        (shape(Format::JsonLines), answer),
    ] {
        let failed = |code, stderr| ended(&shape, stdout, code, stderr).1.expect_err(stdout);
        let message = "no such model".to_owned();
        assert_eq!(failed(3, " no such model\n"), AgentError::Failed { code: 3, message });
        let error = failed(1, "connect ECONNREFUSED 127.0.0.1:11434");
        assert!(matches!(error, AgentError::Unreachable { .. }), "{error}");
        let message = "it printed no reason".to_owned();
        assert_eq!(failed(1, ""), AgentError::Failed { code: 1, message });
        assert_eq!(failed(143, ""), AgentError::Killed { signal: 15 });
    }
}
