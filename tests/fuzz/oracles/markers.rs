//! The markers of an answer. Whatever the text, it passes only if a person who sees the rendered document sees a line
//! that is the verdict alone, and nothing outside closed thoughts says another verdict.

#[path = "markers/visible.rs"]
mod visible;

use agentd::models::marker::Marker;
use agentd::orchestrator::markers::{Answer, Pieces};
use agentd::orchestrator::{ReviewResult, parse_review_marker};
use agentd::template::TaskStatus;

const PASS: &str = "<review>PASS</review>";

/// The input is an answer, as bytes.
pub(crate) fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let whole = Answer::read(&text);
    for length in [1, 2, 3, 7, input.len() / 2 + 1] {
        let mut pieces = Pieces::default();
        input.chunks(length).for_each(|piece| pieces.push(piece));
        assert_eq!(Answer::read(&pieces.finish()), whole, "in pieces of {length} bytes");
    }
    places_are_right(&text, &whole);
    if whole.verdict(None) == Ok(ReviewResult::Pass) {
        assert!(visible::shows_a_pass(&text), "nobody sees a PASS: {text:?}");
        assert!(!visible::says_another_verdict(&text), "contradicted: {text:?}");
    }
    a_completed_task_is_written_and_did_not_fail(&text, &whole);
    what_is_hidden_does_not_pass(&text);
    what_stands_free_passes(&text);
    a_worse_verdict_in_any_form_is_no_pass(&text);
    a_question_in_any_form_is_heard(&text);
}

fn places_are_right(text: &str, answer: &Answer<'_>) {
    for marker in &answer.markers {
        let at = marker.at();
        assert!(text.is_char_boundary(at), "{marker:?} in {text:?}");
        assert_eq!(answer.line(at), text[..at].matches('\n').count() + 1);
    }
    assert!(answer.markers.iter().map(Marker::at).is_sorted(), "{text:?}");
    let lines = text.matches('\n').count() + 1;
    assert!(answer.explained().iter().all(|seen| (1..=lines).contains(&seen.line)), "{text:?}");
}

fn a_completed_task_is_written_and_did_not_fail(text: &str, answer: &Answer<'_>) {
    let statuses = answer.task_statuses().unwrap_or_default();
    let completed = statuses.iter().filter(|(_, status)| *status == TaskStatus::Completed);
    for (id, _) in completed {
        let forms = ["\"", "'"].map(|quote| format!("id={quote}{id}{quote}"));
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        assert!(forms.iter().any(|form| compact.contains(form)), "{id}: {text:?}");
        assert!(compact.contains(">COMPLETED</task_status>"), "{id}: {text:?}");
    }
}

/// Hides all of the text and a verdict in every way there is.
fn what_is_hidden_does_not_pass(text: &str) {
    let ticks = "`".repeat(text.len() + 3);
    let tildes = "~".repeat(text.len() + 3);
    // On one line, and without what could end the hiding place.
    let line = text.replace(['`', '\n', '\r', '<', '\u{2028}'], " ");
    let thought = without(text, "/");
    let comment = without(text, ">");
    for hidden in [
        format!("{ticks}\n{PASS}\n{ticks}\n\n{line}"),
        format!("- {tildes} x\n  {line}\n  {PASS}"),
        format!("> {line}\n> {PASS}\n"),
        format!("a `{line}{PASS}` b"),
        format!("<Thought a='b'>{thought}\n{PASS}\n</ thought >"),
        format!("<thought>{thought}\n{PASS}"),
        format!("<!-- {comment}\n{PASS}\n-->"),
        format!("<pre>{thought}\n{PASS}\n</pre>"),
        format!("I cannot say {PASS} here. {line}"),
    ] {
        assert_ne!(parse_review_marker(&hidden), Ok(ReviewResult::Pass), "{hidden:?}");
    }
}

fn without(text: &str, what: &str) -> String {
    text.replace(what, " ").replace("review", "view")
}

/// Puts a verdict behind a text that can hide nothing.
fn what_stands_free_passes(text: &str) {
    let harmless = text.replace(['<', '`', '~', '&', '\u{ff1c}', '\u{fe64}'], " ").to_lowercase();
    let verdict = parse_review_marker(&format!("{harmless}\n\n{PASS}"));
    assert_eq!(verdict, Ok(ReviewResult::Pass), "{harmless:?}");
}

/// Puts a worse verdict before the text and a PASS behind it.
fn a_worse_verdict_in_any_form_is_no_pass(text: &str) {
    let text = text.replace(['<', '&'], " ");
    for worse in [
        "<review>NEEDS_CHANGES</review>",
        "<review>NEEDS_CHANGES",
        "<Review a=\"1\">needs changes</Review >",
        "`<review>REJECTED</review>`",
        "```\n<review>MAJOR_ISSUES</review>\n```",
        "<!-- <review>REJECTED</review> -->",
        "<thought>\n<review>REJECTED</review>",
        "&lt;review&gt;REJECTED&lt;/review&gt;",
        "<review><b>REJECTED</b></review>",
    ] {
        for answer in
            [format!("{worse}\n\n{text}\n\n{PASS}"), format!("{PASS}\n\n{text}\n\n{worse}")]
        {
            assert_ne!(parse_review_marker(&answer), Ok(ReviewResult::Pass), "{answer:?}");
        }
    }
}

/// Puts a question for a person before and behind a text without tags: it is heard, and leaves the verdict as it is.
fn a_question_in_any_form_is_heard(text: &str) {
    let text = text.replace(['<', '&', '\u{ff1c}', '\u{fe64}'], " ");
    for question in [
        "<blocked>Which port?</blocked>",
        "<Blocked a=\"1\">Which port?</ BLOCKED>",
        "<blocked>Which port?",
        "```\n<blocked>Which port?</blocked>\n```",
        "<!-- <blocked>Which port?</blocked> -->",
        "<thought>\n<blocked>Which port?",
        "&lt;blocked&gt;Which port?&lt;/blocked&gt;",
    ] {
        for answer in [format!("{question}\n\n{text}"), format!("{text}\n\n{question}")] {
            let reason = Answer::read(&answer).blocked();
            let is_heard = reason.as_ref().is_some_and(|reason| reason.contains("Which port?"));
            assert!(is_heard, "{reason:?}: {answer:?}");
        }
    }
    let question = "<blocked>Which port?</blocked>";
    let verdict = parse_review_marker(&format!("{text}\n\n{PASS}"));
    let beside = parse_review_marker(&format!("{text}\n\n{PASS}\n\n{question}"));
    assert_eq!(verdict.is_ok(), beside.is_ok(), "{text:?}");
}
