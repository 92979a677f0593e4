//! Reading what an agent prints takes linear time: one very long line, and very many lines.

use std::hint::black_box;

use agentd::models::agent::{AgentSettings, Format, Lines, Protocol, Shape};
use agentd::orchestrator::agents::{Exit, adapter};

use super::recording::{CLIS, protocol};
use crate::language::assert_linear;

fn read(protocol: &Protocol, stdout: &str) {
    let settings = AgentSettings::new("mine", protocol.clone());
    let mut transcript = adapter(protocol).transcript(&settings);
    for line in stdout.lines() {
        black_box(transcript.line(line));
    }
    let exit = Exit { code: 0, stderr: stdout, report: Some(stdout) };
    let _ = black_box(transcript.finish(&exit));
}

/// Lines of each CLI in which the place of a text is `TEXT`, and of a number `NUMBER`.
fn lines(cli: &str) -> &'static [&'static str] {
    match cli {
        "claude" => &[
            r#"{"type":"assistant","message":{"content":[{"type":"text","text":"TEXT"}]}}"#,
            r#"{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":"TEXT"}"#,
            r#"{"type":"result","subtype":"success","is_error":true,"result":"TEXT"}"#,
        ],
        "gemini" => &[
            r#"{"type":"message","role":"assistant","content":"TEXT","delta":true}"#,
            r#"{"type":"tool_use","tool_name":"write_file","tool_id":"NUMBER","parameters":{"path":"TEXT"}}"#,
            r#"{"type":"tool_result","tool_id":"NUMBER","status":"error","error":{"message":"denied TEXT"}}"#,
            r#"{"type":"result","status":"error","error":{"message":"[API Error: TEXT]"}}"#,
        ],
        "codex" => &[
            r#"{"type":"item.completed","item":{"type":"agent_message","text":"TEXT"}}"#,
            r#"{"type":"item.started","item":{"type":"command_execution","command":"TEXT"}}"#,
            r#"{"type":"turn.failed","error":{"message":"status TEXT"}}"#,
        ],
        _ => &[
            r#"{"type":"assistant.message","data":{"content":"TEXT","toolRequests":[]}}"#,
            r#"{"type":"tool.execution_start","data":{"toolName":"create","toolCallId":"NUMBER","arguments":{"path":"TEXT"}}}"#,
            r#"{"type":"tool.execution_complete","data":{"toolCallId":"NUMBER","error":{"code":"denied"}}}"#,
            r#"{"type":"session.error","data":{"message":"TEXT"}}"#,
        ],
    }
}

#[test]
fn one_very_long_line_is_read_in_linear_time() {
    for cli in CLIS {
        let protocol = protocol(cli);
        for line in lines(cli) {
            for piece in ["x", "word ", "\\\"", "status: ", "]"] {
                let make = |size: usize| line.replace("TEXT", &piece.repeat(size / piece.len()));
                assert_linear(&format!("{cli}: {line} of {piece}"), make, |text| {
                    read(&protocol, text);
                });
            }
        }
        for piece in ["[", "{\"a\":", "no JSON "] {
            let make = |size: usize| piece.repeat(size / piece.len());
            assert_linear(&format!("{cli}: {piece}"), make, |text| read(&protocol, text));
        }
    }
}

#[test]
fn very_many_lines_are_read_in_linear_time() {
    for cli in CLIS {
        let protocol = protocol(cli);
        let number = |line: &&str, at: usize| line.replace("NUMBER", &at.to_string()) + "\n";
        // Of one kind, of all kinds in turn, and all of one kind before all of the next.
        for line in lines(cli) {
            let make = |size: usize| (0..size / line.len()).map(|at| number(line, at)).collect();
            assert_linear(&format!("{cli}: {line}"), make, |text| read(&protocol, text));
        }
        let length: usize = lines(cli).iter().map(|line| line.len()).sum();
        let in_turn = |size: usize| {
            (0..size / length)
                .flat_map(|at| lines(cli).iter().map(move |l| number(l, at)))
                .collect()
        };
        assert_linear(&format!("{cli}: in turn"), in_turn, |text| read(&protocol, text));
        let one_by_one = |size: usize| {
            let all = |line| (0..size / length).map(move |at| number(line, at));
            lines(cli).iter().flat_map(all).collect()
        };
        assert_linear(&format!("{cli}: one by one"), one_by_one, |text| read(&protocol, text));
    }
}

#[test]
fn described_programs_are_read_in_linear_time() {
    let shape = |output, lines| {
        let text = Some("/text".to_owned());
        Protocol::Described(Shape { output, lines, text, ..Shape::default() })
    };
    let long = format!("{{\"text\":\"{}\"}}\n", "x".repeat(8_000));
    for (what, first, piece) in [
        ("words", "", "words and more of them\n"),
        ("pieces", "", "{\"text\":\"x\"}\n"),
        ("nothing after a long answer", long.as_str(), "{}\n"),
        ("one long line", "{\"text\":\"", "x"),
    ] {
        for protocol in [
            shape(Format::Text, Lines::Last),
            shape(Format::Json, Lines::Last),
            shape(Format::JsonLines, Lines::Last),
            shape(Format::JsonLines, Lines::Joined),
        ] {
            let make = |size: usize| first.to_owned() + &piece.repeat(size / piece.len());
            assert_linear(&format!("{what}: {protocol:?}"), make, |text| read(&protocol, text));
        }
    }
}

#[test]
fn many_tools_that_are_refused_late_are_told_in_linear_time() {
    // All tools are asked for before the first is refused: looking each up among all would show here.
    for cli in ["gemini", "copilot"] {
        let protocol = protocol(cli);
        let [_, asked, refused, ..] = lines(cli) else { panic!("{cli}") };
        let make = |size: usize| {
            let count = size / 8;
            let line = |line: &str, at: usize| line.replace("NUMBER", &at.to_string()) + "\n";
            let asked = (0..count).map(|at| line(asked, at));
            asked.chain((0..count).rev().map(|at| line(refused, at))).collect()
        };
        assert_linear(&format!("{cli}: refused late"), make, |text| read(&protocol, text));
    }
}
