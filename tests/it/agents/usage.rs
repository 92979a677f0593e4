//! What runs cost: the numbers of every CLI mean the same.

use agentd::orchestrator::UsageMetrics;

use super::recording::{Recording, recording};

/// What the recorded server counts for a number of requests, where the vendor's API tells all of it.
fn requests(number: u64) -> UsageMetrics {
    UsageMetrics {
        input: 1001 * number,
        cache_read: 303 * number,
        cache_write: 0,
        output: 44 * number,
        reasoning: 7 * number,
        ..UsageMetrics::default()
    }
}

#[test]
fn tokens_read_from_a_cache_are_not_read_anew_and_reasoning_is_written() {
    let claude = |number, cost| UsageMetrics {
        cache_write: 202 * number,
        // It does not tell reasoning apart.
        reasoning: 0,
        cost_usd: Some(cost),
        ..requests(number)
    };
    let gemini = |number| UsageMetrics {
        // It does not tell apart what is written to a cache, and its 44 are without the 7.
        input: (1001 + 202) * number,
        output: (44 + 7) * number,
        ..requests(number)
    };
    for (cli, name, expected) in [
        ("claude", "answer-claude", claude(1, 0.007_519)),
        ("claude", "tool-claude-acceptEdits", claude(2, 0.009_022_8)),
        ("claude", "mcp-claude-bare", claude(2, 0.009_022_8)),
        ("claude", "error-claude-500once", claude(1, 0.004_511_4)),
        ("gemini", "answer-gemini", gemini(1)),
        ("gemini", "tool-gemini-yolo", gemini(2)),
        ("codex", "answer-codex", requests(1)),
        ("codex", "tool-codex-exec", requests(2)),
        ("codex", "tool-codex-apply_patch", requests(2)),
        ("codex", "mcp-codex", requests(3)),
        ("copilot", "answer-copilot", requests(1)),
    ] {
        assert_eq!(recording(cli, name).reply().usage, expected, "{name}");
    }
}

#[test]
fn the_same_request_has_the_same_total_wherever_a_cli_tells_all_of_it() {
    let total = |cli, name| recording(cli, name).reply().usage.total();
    assert_eq!(total("claude", "answer-claude"), 1001 + 202 + 303 + 44);
    assert_eq!(total("gemini", "answer-gemini"), 1001 + 202 + 303 + 44 + 7);
    assert_eq!(total("codex", "answer-codex"), 1001 + 303 + 44);
    assert_eq!(total("copilot", "answer-copilot"), 1001 + 303 + 44);
}

#[test]
fn several_models_of_copilot_are_added_up() {
    let mut run = recording("copilot", "answer-copilot");
    let model = |read, cached, written| {
        format!(
            r#"{{"usage":{{"inputTokens":{read},"outputTokens":{written},"cacheReadTokens":{cached},"cacheWriteTokens":10,"reasoningTokens":1}}}}"#
        )
    };
    let report =
        format!(r#"{{"modelMetrics":{{"a":{},"b":{}}}}}"#, model(100, 20, 5), model(1000, 300, 50));
    run.report = Some(report);
    let expected = UsageMetrics {
        input: 70 + 690,
        cache_read: 320,
        cache_write: 20,
        output: 55,
        reasoning: 2,
        ..UsageMetrics::default()
    };
    assert_eq!(run.reply().usage, expected);
}

#[test]
fn numbers_that_are_missing_or_make_no_sense_are_none_and_the_answer_stands() {
    let copilot = recording("copilot", "answer-copilot");
    for report in [None, Some(""), Some("{"), Some("[]"), Some(r#"{"modelMetrics":7}"#)] {
        let run = Recording { report: report.map(str::to_owned), ..copilot.clone() };
        assert_eq!(run.reply().usage, UsageMetrics::default(), "{report:?}");
    }
    for (cli, from) in [("claude", "1001"), ("gemini", "1506"), ("codex", "1304")] {
        let run = recording(cli, &format!("answer-{cli}"));
        for to in ["-1", "1e300", "\"many\"", "null", "18446744073709551615", "0", "0.5"] {
            let changed = Recording { stdout: run.stdout.replace(from, to), ..run.clone() };
            assert_ne!(changed.stdout, run.stdout);
            let reply = changed.reply();
            assert_eq!(reply.text, run.reply().text);
            assert!(reply.usage.total() < 10_000, "{cli} {to}: {:?}", reply.usage);
        }
    }
}
