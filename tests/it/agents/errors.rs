//! Why there is no reply: each way in which a CLI fails is one of a few reasons, and no run that failed, was ended
//! or was cut off ever gives a reply.

use agentd::orchestrator::agents::AgentError;

use super::recording::{CLIS, Recording, printed, recording};

/// Names a reason without what the CLI said.
fn reason(error: &AgentError) -> &'static str {
    match error {
        AgentError::NotFound { .. } => "NotFound",
        AgentError::NotExecutable { .. } => "NotExecutable",
        AgentError::NotLoggedIn { .. } => "NotLoggedIn",
        AgentError::RateLimited { .. } => "RateLimited",
        AgentError::Overloaded { .. } => "Overloaded",
        AgentError::Unreachable { .. } => "Unreachable",
        AgentError::PromptTooLarge { .. } => "PromptTooLarge",
        AgentError::Refused { .. } => "Refused",
        AgentError::PermissionRefused { .. } => "PermissionRefused",
        AgentError::BrokenAnswer { .. } => "BrokenAnswer",
        AgentError::MalformedOutput { .. } => "MalformedOutput",
        AgentError::NoFinalRecord => "NoFinalRecord",
        AgentError::EmptyAnswer => "EmptyAnswer",
        AgentError::AnswerTooLarge { .. } => "AnswerTooLarge",
        AgentError::Failed { .. } => "Failed",
        AgentError::ScreenGone { .. } => "ScreenGone",
        AgentError::Killed { .. } => "Killed",
        AgentError::Misconfigured { .. } => "Misconfigured",
    }
}

/// Asserts why a run gave no reply, and that the message tells what the CLI said.
fn assert_fails(what: &str, run: &Recording, expected: &str, says: &str) {
    let error = run.result().expect_err(what);
    assert_eq!(reason(&error), expected, "{what}: {error}");
    assert!(error.to_string().contains(says), "{what}: {error}");
    let passing = ["RateLimited", "Overloaded", "Unreachable", "BrokenAnswer"].contains(&expected);
    assert_eq!(error.is_passing(), passing, "{what}");
}

#[test]
fn every_recorded_error_of_every_cli_is_a_reason_of_ours() {
    for (cli, case, expected, says) in [
        ("claude", "500", "Overloaded", "500 stub says 500"),
        ("claude", "500x2", "Overloaded", "500 stub says 500"),
        ("claude", "401", "NotLoggedIn", "401 stub says 401"),
        ("claude", "429", "RateLimited", "stub says 429"),
        ("claude", "400", "Refused", "400 stub says 400"),
        ("claude", "malformed", "BrokenAnswer", "Failed to parse JSON"),
        ("claude", "unreachable", "Unreachable", "ConnectionRefused"),
        ("gemini", "401", "NotLoggedIn", "stub says 401"),
        ("codex", "500", "Overloaded", "high demand"),
        ("codex", "401", "NotLoggedIn", "stub says 401"),
        ("codex", "429", "RateLimited", "429 Too Many Requests"),
        ("codex", "400", "Refused", "stub says 400"),
        ("codex", "malformed", "BrokenAnswer", "stream disconnected"),
        ("copilot", "500", "Overloaded", "500 stub says 500"),
        ("copilot", "401", "NotLoggedIn", "HTTP 401"),
        ("copilot", "429", "RateLimited", "429 stub says 429"),
        ("copilot", "400", "Refused", "400 stub says 400"),
        ("copilot", "malformed", "BrokenAnswer", "Failed to parse"),
        ("copilot", "unreachable", "Unreachable", "Could not connect"),
    ] {
        let what = format!("error-{cli}-{case}");
        let mut run = recording(cli, &what);
        if case == "500x2" {
            run.code = 1;
        }
        assert_ne!(run.code, 0, "{what}");
        assert_fails(&what, &run, expected, says);
    }
}

#[test]
fn every_error_of_gemini_is_told_by_its_record_and_by_its_exit_code_alone() {
    for (case, code, expected, says) in [
        ("400", 144, "Refused", "stub says 400"),
        ("401", 145, "NotLoggedIn", "stub says 401"),
        ("429", 173, "RateLimited", "stub says 429"),
        ("500", 244, "Overloaded", "stub says 500"),
        ("malformed", 1, "BrokenAnswer", "Expected property name"),
        ("unreachable", 1, "Unreachable", "fetch failed"),
    ] {
        let kind = if case == "401" { "error" } else { "made" };
        let recorded = format!("error-gemini-{case}");
        let streamed = recording("gemini", &format!("{kind}-gemini-{case}")).ends_as(&recorded);
        assert_eq!(streamed.code, code, "{case}");
        assert_fails(case, &streamed, expected, says);
        // As if it could not print its record any more.
        let silent = Recording { stdout: String::new(), ..streamed };
        assert_fails(case, &silent, expected, says);
    }
    let advice = recording("gemini", "made-gemini-429").exits(1);
    assert_fails("advice", &advice, "RateLimited", "stub says 429");
}

#[test]
fn a_server_that_is_not_there_ends_codex_because_endless_attempts_are_switched_off() {
    let run = recording("codex", "made-codex-unreachable").exits(1);
    assert_fails("unreachable", &run, "Unreachable", "error sending request");
}

#[test]
fn what_was_printed_until_a_run_was_ended_is_never_a_reply() {
    for (cli, name) in [
        ("gemini", "made-gemini-hang"),
        ("codex", "error-codex-hang"),
        ("codex", "error-codex-unreachable"),
        ("copilot", "error-copilot-hang"),
    ] {
        for code in [0, 1, 143] {
            assert!(recording(cli, name).exits(code).result().is_err(), "{name} {code}");
        }
    }
}

#[test]
fn a_prompt_that_is_too_large_is_told_however_the_cli_tells_it() {
    let claude = recording("claude", "made-claude-too-large").exits(1);
    assert_fails("claude", &claude, "PromptTooLarge", "Prompt is too long");
    let gemini = recording("gemini", "made-gemini-too-large");
    assert_fails("gemini", &gemini, "PromptTooLarge", "did not send it");
    let codex = printed("codex", "")
        .exits(1)
        .stderr("Error: Input exceeds the maximum length of 1048576 characters.\n");
    assert_fails("codex", &codex, "PromptTooLarge", "1048576");
    let window = r#"{"type":"turn.failed","error":{"message":"{\"error\":{\"message\":\"Your input exceeds the context window of this model.\"}}"}}"#;
    assert_fails("window", &printed("codex", window).exits(1), "PromptTooLarge", "context window");
}

#[test]
fn a_signal_that_a_cli_handles_is_no_success() {
    for cli in CLIS {
        let silent = printed(cli, "");
        // Claude after SIGINT; Gemini after SIGINT and SIGTERM.
        assert_fails(cli, &silent.clone().exits(0), "NoFinalRecord", "without a final record");
        // Codex after SIGINT.
        assert_fails(cli, &silent.clone().exits(1), "Failed", "exit code 1");
        // Claude after SIGTERM.
        assert_eq!(silent.clone().exits(143).result(), Err(AgentError::Killed { signal: 15 }));
        assert_eq!(silent.exits(130).result(), Err(AgentError::Killed { signal: 2 }));
    }
}

#[test]
fn an_answer_that_passes_is_no_reply_when_the_exit_code_is_not_zero() {
    for cli in CLIS {
        for code in [1, 2, 42, 53, 130, 137, 143, 255] {
            let run = recording(cli, &format!("answer-{cli}")).exits(code);
            assert!(run.stdout.contains("<review>PASS</review>"), "{cli}");
            assert!(run.result().is_err(), "{cli} {code}");
        }
        // The words of an answer are no reason, and none to ask again.
        let run = recording(cli, &format!("answer-{cli}"));
        let stdout = run.stdout.replace("Hello", "rate limit overloaded ECONNREFUSED");
        let error = Recording { stdout, ..run }.exits(1).result().expect_err(cli);
        assert_eq!(reason(&error), "Failed", "{cli}: {error}");
    }
}

#[test]
fn an_answer_that_is_cut_off_anywhere_is_no_reply() {
    for cli in CLIS {
        let run = recording(cli, &format!("answer-{cli}"));
        let whole = run.stdout.trim_end();
        for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            // Looking at every byte of the long lines at the start would take long and show nothing.
            if whole.len() - end > 2_000 && end % 97 != 0 {
                continue;
            }
            let cut = Recording { stdout: whole[..end].to_owned(), ..run.clone() };
            let error = cut.result().expect_err("cut off");
            assert_eq!(reason(&error), "NoFinalRecord", "{cli} {end}: {error}");
        }
        assert!(run.result().is_ok(), "{cli}");
    }
}

#[test]
fn the_final_record_counts_and_not_what_it_calls_itself() {
    let answer = |cli: &'static str, from: &str, to: &str| {
        let run = recording(cli, &format!("answer-{cli}"));
        let stdout = run.stdout.replace(from, to);
        assert_ne!(stdout, run.stdout, "{cli} {from}");
        Recording { stdout, ..run }
    };
    let claude = |from, to| answer("claude", from, to);
    assert_fails("is_error", &claude("\"is_error\":false", "\"is_error\":true"), "Failed", "");
    assert_fails("no is_error", &claude("\"is_error\":false,", ""), "Failed", "");
    assert_fails("no turns", &claude("\"num_turns\":1", "\"num_turns\":0"), "NoFinalRecord", "");
    let turns = claude("\"subtype\":\"success\"", "\"subtype\":\"error_max_turns\"");
    assert_fails("turns", &turns, "Failed", "");
    let gemini = answer("gemini", "\"status\":\"success\"", "\"status\":\"error\"");
    assert_fails("gemini", &gemini, "Failed", "");
    let codex = answer("codex", "turn.completed", "turn.stopped");
    assert_fails("codex", &codex, "NoFinalRecord", "");
    let copilot = answer("copilot", "\"exitCode\":0", "\"exitCode\":1");
    assert_fails("copilot", &copilot, "Failed", "");
    let copilot = answer("copilot", "\"exitCode\":0", "\"exitCode\":null");
    assert_fails("copilot", &copilot, "NoFinalRecord", "");
}

#[test]
fn a_run_that_says_nothing_is_empty() {
    for (cli, from, to) in [
        (
            "claude",
            "\"result\":\"<thought>x</thought>Hello <review>PASS</review>\"",
            "\"result\":\" \"",
        ),
        ("gemini", "<thought>x</thought>Hello <review>PASS</review>", "\\n"),
        ("codex", "agent_message", "reasoning"),
        (
            "copilot",
            "\"content\":\"<thought>x</thought>Hello <review>PASS</review>\"",
            "\"content\":\"\"",
        ),
    ] {
        let run = recording(cli, &format!("answer-{cli}"));
        let changed = Recording { stdout: run.stdout.replace(from, to), ..run.clone() };
        assert_ne!(changed.stdout, run.stdout, "{cli}");
        assert_fails(cli, &changed, "EmptyAnswer", "empty");
    }
    // What was said before the last tool is no answer either.
    let run = recording("gemini", "made-gemini-denied");
    let stdout: Vec<_> = run.stdout.lines().filter(|line| !line.contains("Hello")).collect();
    let stdout = stdout.join("\n");
    assert_fails("gemini", &Recording { stdout, ..run }, "EmptyAnswer", "empty");
}

#[test]
fn an_item_that_is_called_an_error_is_a_warning_of_codex() {
    let run = recording("codex", "answer-codex");
    assert!(run.stdout.contains(r#""type":"error","message":"Model metadata"#));
    assert!(run.result().is_ok());
    let failed = recording("codex", "error-codex-429");
    let both = format!("{}{}", run.stdout, failed.stdout);
    assert_fails("both", &printed("codex", &both).exits(1), "RateLimited", "429");
}

#[test]
fn a_turn_of_codex_that_failed_says_why_even_in_words_of_its_own() {
    let failed = |message: &str| {
        let event = serde_json::json!({ "type": "turn.failed", "error": { "message": message } });
        printed("codex", &event.to_string()).exits(1)
    };
    for (message, expected) in [
        ("You've hit your usage limit. Try again at 5 PM.", "RateLimited"),
        ("unexpected status 403 Forbidden: no", "NotLoggedIn"),
        ("unexpected status 503 Service Unavailable: busy", "Overloaded"),
        ("unexpected status 413 Payload Too Large: no", "PromptTooLarge"),
        ("unexpected status 404 Not Found: no such model", "Refused"),
        ("stream disconnected before completion: error sending request for url (x)", "Unreachable"),
        ("{\"detail\":\"The model is not supported\"}", "Refused"),
        ("Missing environment variable: `OPENAI_API_KEY`.", "NotLoggedIn"),
        ("something new", "Failed"),
    ] {
        let says = message.rsplit(": ").next().unwrap_or_default();
        let says = says.trim_start_matches("{\"detail\":\"").trim_end_matches("\"}");
        assert_fails(message, &failed(message), expected, says);
    }
}

#[test]
fn a_cli_that_cannot_start_says_why_on_either_stream() {
    for cli in CLIS {
        let help = printed(cli, "").exits(1).stderr("error: unknown option '--no-ask-user'\n");
        assert_fails(cli, &help, "Failed", "unknown option '--no-ask-user'");
    }
    let claude = printed("claude", "Invalid API key · Please run /login\n").exits(1);
    assert_fails("claude", &claude, "NotLoggedIn", "Please run /login");
    let gemini =
        "Warning: 256-color support not detected.\nPlease set an Auth method in your settings\n";
    for (code, expected) in [(41, "NotLoggedIn"), (55, "PermissionRefused")] {
        let run = printed("gemini", "").exits(code).stderr(gemini);
        assert_fails("gemini", &run, expected, "Please set an Auth method");
    }
    let copilot =
        printed("copilot", "").exits(1).stderr("Error: No authentication information found.\n");
    assert_fails("copilot", &copilot, "NotLoggedIn", "No authentication information");
}

#[test]
fn what_a_cli_says_of_its_failure_is_kept_to_a_length() {
    for cli in CLIS {
        let error = printed(cli, "").exits(1).stderr(&"é".repeat(100_000)).result();
        let message = error.expect_err("it failed").to_string();
        assert!(message.chars().count() < 700, "{cli}: {}", message.chars().count());
        assert!(message.ends_with('…'), "{cli}");
    }
}
