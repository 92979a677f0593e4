//! What an answer becomes: its text, the verdict, and what it used.

use serde_json::{Value, json};

use crate::cli::Cli;
use crate::model::behaviour::Turn;
use crate::model::tokens;
use crate::scene::Scene;
use crate::suite::Suite;

const ANSWER: &str = "<thought>Is it?</thought>\n\nIt is fine.\n\n<review>PASS</review>";
/// What is shown of it: thoughts stay in the run's folder.
const SHOWN: &str = "It is fine.\n\n<review>PASS</review>";

/// An answer comes through as it is, with what it used and nothing else sent.
pub(super) fn plain(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "answer", |_| vec![Turn::Say(ANSWER.to_owned())]);
    let outcome = scene.call("review", "Review it.");
    outcome.exits(0).denied(&[]);
    assert_eq!(outcome.report["text"], SHOWN);
    assert_eq!(outcome.report["verdict"], "PASS");
    check_usage(cli, &outcome.report["usage"], 1);
    assert_eq!(scene.server.asked().len(), 1, "one answer needs one request");
}

/// What is said after a tool was used is the answer, and what both requests used is added up.
pub(super) fn after_a_tool(suite: &Suite, cli: Cli) {
    let scene = Scene::new(suite, cli, "answer-after-a-tool", |root| {
        let path = root.join("changes/demo/new.txt");
        vec![Turn::Use(cli.write(&path, "new")), Turn::Say(ANSWER.to_owned())]
    });
    let outcome = scene.call("plan", "Plan it.");
    outcome.exits(0).denied(&[]);
    assert_eq!(outcome.report["text"], SHOWN);
    check_usage(cli, &outcome.report["usage"], 2);
}

fn check_usage(cli: Cli, usage: &Value, requests: u64) {
    let cache_write = if cli == Cli::Claude { tokens::CACHE_WRITE } else { 0 };
    // Anthropic's API does not tell reasoning apart.
    let reasoning = if cli == Cli::Claude { 0 } else { tokens::REASONING };
    for (key, tokens) in [
        ("input", tokens::FRESH),
        ("cache_read", tokens::CACHE_READ),
        ("cache_write", cache_write),
        ("output", tokens::ANSWER + tokens::REASONING),
        ("reasoning", reasoning),
    ] {
        assert_eq!(usage[key], json!(tokens * requests), "{key} in {usage:#}");
    }
    match cli {
        Cli::Claude => {
            // US dollars for a million tokens of Sonnet: read, written to the cache, read from it, written.
            let millionths = 1001.0 * 2.0 + 202.0 * 2.5 + 303.0 * 0.1 + 51.0 * 10.0;
            let cost = usage["cost_usd"].as_f64().expect("a cost");
            let requests = f64::from(u32::try_from(requests).expect("a few requests"));
            assert!((cost - millionths * requests / 1e6).abs() < 1e-9, "{usage:#}");
        }
        // By the prices that ship with agentd. Nobody knows the price of the model that Copilot names here.
        Cli::Gemini | Cli::Codex => {
            assert!(usage["cost_usd"].as_f64().is_some_and(|cost| cost > 0.0), "{usage:#}");
        }
        Cli::Copilot => assert_eq!(usage["cost_usd"], Value::Null),
    }
}
