//! What is read from runs that ended well: the final message and nothing else, the model, the tools that were refused,
//! and signs of life on the way.

use super::recording::{ANSWER, CLIS, Recording, printed, recording};

/// Every recording of a run that ended well.
fn successes() -> Vec<(&'static str, Recording)> {
    [
        ("claude", "answer-claude"),
        ("claude", "tool-claude-acceptEdits"),
        ("claude", "mcp-claude-bare"),
        ("claude", "error-claude-500once"),
        ("claude", "made-claude-denied"),
        ("gemini", "answer-gemini"),
        ("gemini", "tool-gemini-yolo"),
        ("gemini", "made-gemini-denied"),
        ("codex", "answer-codex"),
        ("codex", "tool-codex-apply_patch"),
        ("codex", "tool-codex-exec"),
        ("codex", "mcp-codex"),
        ("codex", "error-codex-500once"),
        ("codex", "made-codex-said-before"),
        ("copilot", "answer-copilot"),
        ("copilot", "tool-copilot"),
        ("copilot", "mcp-copilot"),
        ("copilot", "error-copilot-500once"),
        ("copilot", "made-copilot-denied"),
    ]
    .map(|(cli, name)| (name, recording(cli, name)))
    .into()
}

#[test]
fn the_final_message_is_the_answer_and_nothing_that_was_said_before_a_tool() {
    for (name, run) in successes() {
        assert_eq!(run.reply().text, ANSWER, "{name}");
    }
    let before = ["made-claude-denied", "made-gemini-denied", "made-codex-said-before"];
    for (name, run) in successes().iter().filter(|(name, _)| before.contains(name)) {
        assert!(run.stdout.contains("REJECTED"), "{name} says nothing before its tool");
    }
}

#[test]
fn an_attempt_that_gemini_made_again_does_not_fail_the_run() {
    let run = recording("gemini", "answer-gemini").ends_as("error-gemini-500once");
    assert!(run.stderr.contains("status 500"));
    assert_eq!(run.reply().text, ANSWER);
}

#[test]
fn pieces_of_a_message_are_joined_and_a_message_of_its_own_replaces_them() {
    let whole =
        |content: &str| format!(r#"{{"type":"message","role":"assistant","content":"{content}"}}"#);
    let piece = |content: &str| whole(content).replace('}', r#","delta":true}"#);
    let end = r#"{"type":"result","status":"success","stats":{"models":{"m":{}}}}"#;
    let joined = [&piece("<review>"), &piece("PASS"), &piece("</review>"), end];
    assert_eq!(printed("gemini", &joined.join("\n")).reply().text, "<review>PASS</review>");
    let replaced = [&piece("first"), &whole("second"), end];
    assert_eq!(printed("gemini", &replaced.join("\n")).reply().text, "second");
}

#[test]
fn the_model_that_answered_is_told_where_the_cli_tells_it() {
    for (cli, model) in [
        ("claude", Some("claude-opus-4-8[1m]")),
        ("gemini", Some("gemini-2.5-flash")),
        ("codex", None),
        ("copilot", Some("stub-model")),
    ] {
        let reply = recording(cli, &format!("answer-{cli}")).reply();
        assert_eq!(reply.model.as_deref(), model, "{cli}");
    }
}

#[test]
fn tools_that_were_not_allowed_are_told_and_no_others() {
    for (name, run) in successes() {
        let expected: &[&str] = match name {
            "made-claude-denied" => &["Bash"],
            "made-gemini-denied" => &["write_file"],
            "made-copilot-denied" => &["create"],
            "mcp-codex" => &["submit_review"],
            _ => &[],
        };
        assert_eq!(run.reply().denied, expected, "{name}");
    }
    let refused =
        "ERROR codex_core::tools: patch rejected: writing is blocked by read-only sandbox\n";
    let run = recording("codex", "tool-codex-apply_patch").stderr(refused);
    assert_eq!(run.reply().denied, ["apply_patch"]);
    let declined = r#"{"type":"item.completed","item":{"id":"1","type":"command_execution","command":"make","aggregated_output":"","exit_code":null,"status":"declined"}}"#;
    let mut run = recording("codex", "answer-codex");
    run.stdout.insert_str(0, &format!("{declined}\n"));
    assert_eq!(run.reply().denied, ["command_execution"]);
}

#[test]
fn a_tool_that_is_left_out_is_denied_and_one_that_never_was_is_not() {
    let used = |cli: &str, id: usize, name: &str, told: &str| match cli {
        "claude" => format!(
            r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","id":"{id}","name":"{name}"}}]}}}}
{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{told}"}}]}}}}
"#
        ),
        "gemini" => format!(
            r#"{{"type":"tool_use","tool_id":"{id}","tool_name":"{name}","parameters":{{}}}}
{{"type":"tool_result","tool_id":"{id}","status":"error","error":{{{told}}}}}
"#
        ),
        _ => format!(
            r#"{{"type":"tool.execution_start","data":{{"toolCallId":"{id}","toolName":"{name}","arguments":{{}}}}}}
{{"type":"tool.execution_complete","data":{{"toolCallId":"{id}","success":false,"error":{{{told}}}}}}}
"#
        ),
    };
    for (cli, uses, denied) in [
        (
            "claude",
            vec![
                (
                    "Write",
                    "No such tool available: Write. Write exists but is not enabled in this context.",
                ),
                (
                    "Bash",
                    "Error: No such tool available: Bash. Bash is disabled for this session, in subagents too.",
                ),
                ("Fly", "No such tool available: Fly. Use one of the available tools instead."),
                ("Read", "File does not exist."),
            ],
            &["Write", "Bash"][..],
        ),
        (
            "gemini",
            vec![
                ("write_file", r#""type":"tool_not_registered","message":"Tool not found.""#),
                ("fly", r#""type":"tool_not_registered","message":"Tool not found.""#),
                ("read_file", r#""type":"x","message":"Path not in Workspace""#),
            ],
            &["write_file", "read_file"],
        ),
        (
            "copilot",
            vec![
                ("create", r#""code":"failure","message":"Tool 'create' does not exist.""#),
                ("fly", r#""code":"failure","message":"Tool 'fly' does not exist.""#),
                ("edit", r#""code":"failure","message":"no match""#),
                ("web_fetch", r#""code":"denied","message":"Permission denied""#),
            ],
            &["create", "web_fetch"],
        ),
    ] {
        let mut run = recording(cli, &format!("answer-{cli}"));
        let uses = uses.iter().enumerate();
        let uses: String = uses.map(|(id, (name, told))| used(cli, id, name, told)).collect();
        run.stdout.insert_str(0, &uses);
        assert_eq!(run.reply().denied, denied, "{cli}");
    }
}

#[test]
fn progress_shows_tools_with_what_they_are_used_for_and_how_words_begin() {
    for (cli, name, expected) in [
        ("claude", "tool-claude-acceptEdits", &["Write /workspace/new.txt", ANSWER][..]),
        ("claude", "made-claude-denied", &["I will build it. <review>REJECTED</review>", ANSWER]),
        (
            "claude",
            "error-claude-500x2",
            &[
                "retry 1 of 2: server_error",
                "retry 2 of 2: server_error",
                "API Error: 500 stub says",
            ],
        ),
        ("gemini", "tool-gemini-yolo", &["write_file /workspace/new.txt", ANSWER]),
        ("codex", "answer-codex", &["Model metadata for `gpt-5` not found.", ANSWER, "done"]),
        ("codex", "tool-codex-apply_patch", &["edit /workspace/new.txt", ANSWER, "done"]),
        (
            "codex",
            "tool-codex-exec",
            &["command_execution /bin/bash -lc 'echo hi > b.txt && id -u'", ANSWER, "done"],
        ),
        ("codex", "mcp-codex", &["orch submit_review", ANSWER, "done"]),
        ("codex", "error-codex-429", &["exceeded retry limit, last status: 429"]),
        ("copilot", "tool-copilot", &["create /workspace/new.txt", ANSWER]),
    ] {
        let shown = recording(cli, name).activities();
        assert_eq!(shown.len(), expected.len(), "{name}: {shown:?}");
        for (shown, expected) in shown.iter().zip(expected) {
            assert!(shown.starts_with(expected), "{name}: {shown} is not {expected}");
        }
    }
    let (shown, _) = recording("codex", "tool-codex-exec").read();
    assert_eq!(shown.last().and_then(|shown| shown.output_tokens), Some(88));
}

#[test]
fn progress_is_one_short_line_whatever_an_agent_prints() {
    let long = "wörd ".repeat(50_000);
    let one_word = "x".repeat(200_000);
    for text in [long.as_str(), &one_word, "line\\nline\\n\\n\\tline", ""] {
        let lines = [
            (
                "claude",
                format!(
                    r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
                ),
            ),
            (
                "claude",
                format!(
                    r#"{{"type":"assistant","message":{{"content":[{{"type":"tool_use","name":"{text}","input":{{"command":"{text}"}}}}]}}}}"#
                ),
            ),
            ("claude", format!(r#"{{"type":"system","subtype":"api_retry","error":"{text}"}}"#)),
            (
                "gemini",
                format!(
                    r#"{{"type":"message","role":"assistant","content":"{text}","delta":true}}"#
                ),
            ),
            (
                "gemini",
                format!(
                    r#"{{"type":"tool_use","tool_name":"{text}","parameters":{{"path":"{text}"}}}}"#
                ),
            ),
            ("gemini", format!(r#"{{"type":"error","message":"{text}"}}"#)),
            (
                "codex",
                format!(
                    r#"{{"type":"item.completed","item":{{"type":"agent_message","text":"{text}"}}}}"#
                ),
            ),
            (
                "codex",
                format!(
                    r#"{{"type":"item.started","item":{{"type":"file_change","changes":[{{"path":"{text}"}}]}}}}"#
                ),
            ),
            ("codex", format!(r#"{{"type":"error","message":"{text}"}}"#)),
            ("copilot", format!(r#"{{"type":"assistant.message","data":{{"content":"{text}"}}}}"#)),
            (
                "copilot",
                format!(
                    r#"{{"type":"tool.execution_start","data":{{"toolName":"{text}","arguments":{{}}}}}}"#
                ),
            ),
            (
                "copilot",
                format!(r#"{{"type":"model.call_failure","data":{{"errorMessage":"{text}"}}}}"#),
            ),
        ];
        for (cli, line) in lines {
            for shown in printed(cli, &line).activities() {
                let start: String = line.chars().take(60).collect();
                assert!(shown.chars().count() <= 81, "{cli} {start}: {}", shown.chars().count());
                assert!(!shown.contains(['\n', '\t']), "{cli} {start}: {shown:?}");
                assert!(!shown.is_empty(), "{cli} {start}: nothing is shown as something");
            }
        }
    }
}

#[test]
fn lines_that_no_adapter_knows_change_nothing() {
    let strange = [
        "",
        "   ",
        "warning: something else prints here",
        "{\"type\":",
        "[]",
        "null",
        "42",
        "{}",
        "{\"type\":null}",
        "{\"type\":\"new.kind\",\"data\":{\"content\":\"<review>REJECTED</review>\"}}",
        "{\"type\":\"assistant\"}",
        "{\"type\":\"message\",\"role\":\"user\",\"content\":\"<review>REJECTED</review>\"}",
        "{\"type\":\"user.message\",\"data\":{\"content\":\"<review>REJECTED</review>\"}}",
        "\u{feff}{\"type\":\"result\"}",
    ];
    for cli in CLIS {
        let run = recording(cli, &format!("answer-{cli}"));
        let expected = run.reply();
        for line in strange {
            for at in 0..=run.stdout.lines().count() {
                let mut lines: Vec<_> = run.stdout.lines().collect();
                lines.insert(at, line);
                let changed = Recording { stdout: lines.join("\n"), ..run.clone() };
                assert_eq!(changed.reply(), expected, "{cli}: {line} as line {at}");
            }
        }
    }
}
