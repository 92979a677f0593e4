//! The markers of an answer: what counts is what a slow and simple reader finds, however the stream is cut; and what
//! stands in code, a thought or a comment never does.

mod slow;

use agentd::models::marker::{Marker, MarkerError, Reason};
use agentd::orchestrator::markers::{Answer, Pieces};
use agentd::orchestrator::{ReviewResult, parse_review_marker};

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
    agrees_with_the_slow_reader(&text, &whole);
    places_are_right(&text, &whole);
    a_pass_was_written(&text, &whole);
    what_is_hidden_does_not_count(&text);
    what_stands_free_counts(&text);
}

fn place(marker: &Marker) -> usize {
    match marker {
        Marker::Review { at, .. }
        | Marker::UnknownReview { at, .. }
        | Marker::Task { at, .. }
        | Marker::UnknownTask { at, .. }
        | Marker::Thought { at, .. } => *at,
    }
}

fn agrees_with_the_slow_reader(text: &str, answer: &Answer<'_>) {
    let slow = slow::read(text);
    let mut without_thoughts = String::new();
    let mut at = 0;
    for thought in &slow.thoughts {
        without_thoughts.push_str(&text[at..thought.start]);
        at = thought.end;
    }
    without_thoughts.push_str(&text[at..]);
    assert_eq!(answer.without_thoughts(), without_thoughts, "{text:?}");
    assert_eq!(answer.markers.iter().map(place).collect::<Vec<_>>(), slow.counting, "{text:?}");
    let reasons: Vec<Reason> = answer.ignored().iter().map(|ignored| ignored.reason).collect();
    assert_eq!(reasons, slow.ignored, "{text:?}");
}

fn places_are_right(text: &str, answer: &Answer<'_>) {
    for marker in &answer.markers {
        let at = place(marker);
        assert!(text[at..].starts_with('<'), "{marker:?} in {text:?}");
        assert_eq!(answer.line(at), text[..at].matches('\n').count() + 1);
    }
    assert!(answer.markers.iter().map(place).is_sorted(), "{text:?}");
    let lines = text.matches('\n').count() + 1;
    assert!(answer.ignored().iter().all(|ignored| (1..=lines).contains(&ignored.line)), "{text:?}");
}

/// No other words than the very ones make a pass, and none beside worse ones.
fn a_pass_was_written(text: &str, answer: &Answer<'_>) {
    if answer.verdict(None) != Ok(ReviewResult::Pass) {
        return;
    }
    let verdicts = answer.markers.iter().filter_map(|marker| match marker {
        Marker::Review { at, .. } => Some(*at),
        Marker::UnknownReview { .. } => panic!("a pass beside no verdict: {text:?}"),
        Marker::Task { .. } | Marker::UnknownTask { .. } | Marker::Thought { .. } => None,
    });
    for at in verdicts {
        let inner =
            text[at..].strip_prefix("<review>").and_then(|rest| rest.split_once("</review>"));
        assert_eq!(inner.map(|(word, _)| word.trim()), Some("PASS"), "{text:?}");
    }
}

/// Hides all of the text and a verdict in every way there is.
fn what_is_hidden_does_not_count(text: &str) {
    let ticks = "`".repeat(text.len() + 3);
    let tildes = "~".repeat(text.len() + 3);
    let no_tick = text.replace(['`', '\n'], " ");
    let thought = text.replace("</thought>", "|");
    let comment = text.replace("-->", "|");
    for hidden in [
        format!("{ticks}\n{text}\n{PASS}\n{ticks}\n"),
        format!("{tildes} x\n{text}\n{PASS}"),
        format!("> {ticks}\n> {no_tick}\n> {PASS}\n> {ticks}\n"),
        format!("a `{no_tick}{PASS}` b"),
        format!("<thought>{thought}{PASS}</thought>"),
        format!("<thought>{thought}{PASS}"),
        // With a blank, since `<!-->` is a whole comment.
        format!("<!-- {comment}{PASS}-->"),
        format!("<!-- {comment}{PASS}"),
    ] {
        let verdict = parse_review_marker(&hidden);
        assert!(matches!(verdict, Err(MarkerError::MissingReviewMarker { .. })), "{hidden:?}");
    }
}

/// Puts a verdict behind a text that can hide nothing.
fn what_stands_free_counts(text: &str) {
    let harmless = text.replace(['<', '`', '~'], " ");
    let verdict = parse_review_marker(&format!("{harmless}\n\n{PASS}"));
    assert_eq!(verdict, Ok(ReviewResult::Pass), "{harmless:?}");
}
