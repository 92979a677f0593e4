//! Answers, and what a careful reader may make of each: `ERR` stands for an error, about which the agent is asked once.

mod blocked;
mod clauses;
mod habits;
mod reader;

use agentd::orchestrator::parse_review_marker;
use serde_json::Value;

/// Reads an answer as the cases write what comes of it.
fn read(text: &str) -> &'static str {
    parse_review_marker(text).map_or("ERR", agentd::Verdict::word)
}

fn check(cases: &str) -> usize {
    let cases: Vec<Value> = serde_json::from_str(cases).expect("cases");
    let mut wrong = Vec::new();
    for case in &cases {
        let text = case["text"].as_str().expect("a text");
        let accepted = case["accept"].as_array().expect("what is accepted");
        let found = read(text);
        if !accepted.iter().any(|word| word == found) {
            wrong.push(format!("{}: {found}, not {accepted:?}: {text:?}", case["name"]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    cases.len()
}

#[test]
fn every_answer_that_was_judged_by_hand_reads_so() {
    assert_eq!(check(include_str!("verdicts/cases.json")), 60);
    assert!(check(include_str!("verdicts/more.json")) >= 240);
}
