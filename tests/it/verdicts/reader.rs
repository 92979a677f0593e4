//! What the reader of an answer makes of its markers: why each counts or does not, where it stands, and how it is shown.

use agentd::models::marker::{Marker, MarkerError, Reason};
use agentd::orchestrator::markers::{Answer, Pieces};
use agentd::orchestrator::{ReviewResult, parse_review_marker};
use agentd::template::{Phase, TaskStatus};

fn reasons(text: &str) -> Vec<(Reason, usize)> {
    Answer::read(text).ignored().iter().map(|ignored| (ignored.reason, ignored.line)).collect()
}

#[test]
fn what_stands_in_code_a_thought_or_a_comment_does_not_count() {
    let marker = "<review>PASS</review>";
    for (text, reason, line) in [
        (format!("```\n{marker}\n```\n"), Reason::CodeBlock, 2),
        (format!("~~~xml\n{marker}\n~~~\n"), Reason::CodeBlock, 2),
        (format!("````\n```\n{marker}\n```\n````"), Reason::CodeBlock, 3),
        (format!("```\nnever closed\n{marker}"), Reason::CodeBlock, 3),
        (format!("1. x\n\n   ```\n   {marker}\n   ```"), Reason::CodeBlock, 4),
        (format!("> ```\n> {marker}\n> ```"), Reason::CodeBlock, 2),
        (format!("a `{marker}` b"), Reason::InlineCode, 1),
        (format!("a ``x ` {marker}`` b"), Reason::InlineCode, 1),
        (format!("a `code\n{marker}\nmore` b"), Reason::InlineCode, 2),
        (format!("- a stray ` tick\n- use `{marker}` here"), Reason::InlineCode, 2),
        (format!("<thought>\n{marker}\n</thought>"), Reason::Thought, 2),
        (format!("<thought>\nnever closed\n{marker}"), Reason::OpenThought, 3),
        (format!("<thought>``` x</thought>```\n{marker}"), Reason::CodeBlock, 2),
        (format!("<!-- {marker} -->"), Reason::Comment, 1),
        (format!("x\n<!-- never closed {marker}"), Reason::Comment, 2),
        (format!("- ```\n  {marker}\n  ```"), Reason::CodeBlock, 2),
        (format!("1) ~~~\n   {marker}\n   ~~~"), Reason::CodeBlock, 2),
        (format!("<div>\n```\n{marker}\n```\n</div>"), Reason::Element, 3),
        (format!("Look:\n\n    {marker}\n"), Reason::CodeBlock, 3),
        (format!("> {marker}"), Reason::Quotation, 1),
        (format!("> He said:\n{marker}"), Reason::Quotation, 2),
        (format!("[a]: /b '\n{marker}\n'"), Reason::Invisible, 2),
        (format!("<?x\n{marker}\n?>"), Reason::Comment, 2),
        (format!("<pre>\n{marker}\n</pre>"), Reason::Element, 2),
        (format!("<BLOCKQUOTE cite='x'>\n\n{marker}\n"), Reason::Element, 3),
        (format!("<thinking>\n{marker}\n</thinking>"), Reason::Element, 2),
        (format!("<img alt='\n{marker}\n'>"), Reason::Invisible, 2),
        (format!("![a\n{marker}\nb](c.png)"), Reason::Invisible, 2),
        (format!("<div hidden>\n\n{marker}\n\n</div>"), Reason::Element, 3),
        (format!("<Thought name='a'>\n{marker}\n</ thought >"), Reason::Thought, 2),
        (format!("<thought>a<thought>b</thought>\n{marker}\n</thought>"), Reason::Thought, 2),
        (format!("<thought>a<thought>b</thought>\n{marker}\n"), Reason::OpenThought, 2),
        (format!("Hm.\n{marker}\n</thought>\n"), Reason::OpenThought, 2),
        (format!("I cannot say {marker} yet."), Reason::BesideText, 1),
        (format!("No <thought>x</thought> {marker}"), Reason::BesideText, 1),
        ("<review>\nPASS\n</review>".to_owned(), Reason::SeveralLines, 1),
        ("<review>PASS".to_owned(), Reason::Malformed, 1),
        ("<review>PASS</Review>".to_owned(), Reason::Malformed, 1),
        ("<review a='b'>PASS</review>".to_owned(), Reason::Malformed, 1),
        ("&lt;review&gt;PASS&lt;/review&gt;".to_owned(), Reason::Malformed, 1),
    ] {
        assert_eq!(reasons(&text), [(reason, line)], "{text}");
        let error = parse_review_marker(&text).expect_err(&text);
        let MarkerError::MissingReviewMarker { ignored } = &error else { panic!("{error}") };
        assert_eq!(ignored.len(), 1);
        assert!(
            error.to_string().contains(&format!("on line {line} is {}", reason.words())),
            "{error}"
        );
    }
}

#[test]
fn a_marker_in_a_thought_is_shown_whole_unless_it_is_too_long_for_one() {
    let shown = |marker: &str| {
        let text = format!("<thought>{marker}</thought>");
        Answer::read(&text).ignored().into_iter().map(|ignored| ignored.text).collect::<Vec<_>>()
    };
    let long = format!("<task_status id=\"{}\">COMPLETED</task_status>", "9".repeat(100));
    assert_eq!(shown(&long), [long.as_str()]);
    let beside = "<thought>a</thought><review>PASS</review>";
    assert_eq!(Answer::read(beside).explained().len(), 1, "it is not in the thought");
    let longest = format!("<review>{}</review>", "x".repeat(140));
    assert_eq!(shown(&longest), [longest.as_str()]);
    assert_eq!(shown(&format!("<review>{}</review>", "x".repeat(176)))[0].len(), 8);
}

#[test]
fn an_answer_that_is_too_long_does_not_pass_and_can_fail() {
    let long = "A line of prose.\n".repeat(1 << 20);
    let error = parse_review_marker(&format!("{long}\n<review>PASS</review>\n")).expect_err("long");
    assert!(error.to_string().contains("in an answer that is too long"), "{error}");
    let failed = parse_review_marker(&format!("{long}\n<review>REJECTED</review>\n"));
    assert_eq!(failed, Ok(ReviewResult::Rejected));
}

#[test]
fn what_stands_beside_code_counts() {
    for text in [
        "```\ncode\n```\n<review>PASS</review>",
        "text\n```sh\nx ` y\n```\n<review>PASS</review>\n```\nz ` z\n```",
        "a `b` c\n<review>PASS</review>\n`d`",
        "1. ```sh\n   a\n   ```\n2. ```sh\n   b\n   ```\n\n<review>PASS</review>",
        "<pre>x</pre>\n<review>PASS</review>",
        "Use `<pre>` here.\n\n<review>PASS</review>",
        "<response>\n<review>PASS</review>\n</response>",
        "I end with a `<review>` marker.\n\n<review>PASS</review>",
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n**Verdict:** <review>PASS</review>\r\n\r\nThe end.",
        "<thought>maybe <review>REJECTED</review></thought> <review>PASS</review>",
        "<THOUGHT a='1'>a<thought>b</thought> <review>REJECTED</review></thought>\n<review>PASS</review>",
        "an unpaired ` tick\n\n<review>PASS</review>\n\nanother ` tick",
        "`` a ` b ``\n<review>PASS</review>",
        "a ``````<!--`````` b\n<review>PASS</review>",
        "<thought>a ` tick and ``` a fence</thought>\n<review>PASS</review>\n`x`",
        "<thought>\n\n```\n\n</thought>\n\n<review>PASS</review>",
        "<thought>\n```\n</thought>\n<review>PASS</review>",
        "<!-- ` -->\n<review>PASS</review>\n\n`x`",
        "text ``` not a fence\n<review>PASS</review>",
        "`<thought>` is how one thinks.\n<review>PASS</review>",
        "`<!--` opens a comment.\n<review>PASS</review>",
        "<review>PASS</review>",
    ] {
        assert_eq!(parse_review_marker(text), Ok(ReviewResult::Pass), "{text}");
    }
}

#[test]
fn task_statuses_are_read_and_failed_beats_completed() {
    let text = "<task_status id=\"1.1\">COMPLETED</task_status>\n<task_status id='1.2'>COMPLETED</task_status>\n\
                <task_status id=\"1.1\">FAILED</task_status>\n`<task_status id=\"1.3\">COMPLETED</task_status>`";
    let answer = Answer::read(text);
    let expected = vec![("1.1", TaskStatus::Failed), ("1.2", TaskStatus::Completed)];
    assert_eq!(answer.task_statuses(), Ok(expected));
    assert_eq!(answer.ignored().len(), 1);
    assert!(answer.reported_statuses().is_err(), "1.3 is called completed in code alone");
    for wrong in [
        "<task_status id=\"1.1\">DONE</task_status>",
        "<task_status>COMPLETED</task_status>",
        "<task_status data-id=\"1.1\">COMPLETED</task_status>",
        "<task_status uuid='1.1'>COMPLETED</task_status>",
        "<task_status id=\"1.1\">completed</task_status>",
        "<Task_Status id=\"1.1\">COMPLETED</Task_Status>",
        "<task_status id=\"1.1\">COMPLETED",
        "<task_status>FAILED</task_status>",
        "<task_status id=\"\">COMPLETED</task_status>",
        "<task_status id=\"a b\">COMPLETED</task_status>",
    ] {
        let error = Answer::read(wrong).task_statuses().expect_err(wrong);
        let MarkerError::UnclearStatus(unclear) = error else { panic!("{error}") };
        assert_eq!((unclear.text.as_str(), unclear.line), (wrong, 1));
    }
}

#[test]
fn thoughts_are_kept_apart_from_the_text() {
    let answer = Answer::read(
        "a<thought> one </thought>b\n<thought>two</thought>\nc `<thought>` d<thought>three",
    );
    assert_eq!(answer.without_thoughts(), "ab\n\nc `<thought>` d");
    let thoughts: Vec<_> = answer
        .markers
        .iter()
        .map(|marker| match marker {
            Marker::Thought { text, at } => (text.as_str(), answer.line(*at)),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(thoughts, [("one", 1), ("two", 2), ("three", 3)]);
}

#[test]
fn a_stream_that_is_cut_at_any_byte_reads_the_same() {
    let text = "Grüße 😀 `<review>REJECTED</review>`\n<thought>x</thought>\n\
                <task_status id=\"1.1\">FAILED</task_status>\n<review>NEEDS_CHANGES</review>\n";
    let expected = Answer::read(text);
    assert_eq!(expected.verdict(Some(Phase::Review)), Ok(ReviewResult::NeedsChanges));
    let bytes = text.as_bytes();
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let mut pieces = Pieces::default();
            for piece in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                pieces.push(piece);
            }
            let whole = pieces.finish();
            assert_eq!(Answer::read(&whole), expected, "cut at {first} and {second}");
        }
    }
}

#[test]
fn a_message_that_ends_too_soon_never_says_more_than_the_whole() {
    let text = "Done.\n<task_status id=\"1.1\">COMPLETED</task_status>\n<review>PASS</review>";
    for end in 0..text.len() {
        let answer = Answer::read(&text[..end]);
        assert!(answer.verdict(Some(Phase::Review)).is_err(), "{}", &text[..end]);
    }
    assert_eq!(parse_review_marker(text), Ok(ReviewResult::Pass));
}

#[test]
fn a_task_that_nobody_knows_is_told_by_its_own_id_and_speaks_for_no_other() {
    let answer = Answer::read(
        "<task_status id=\"9.9\">COMPLETED</task_status>\n<task_status id=\"1.10\">FAILED</task_status>",
    );
    let statuses = answer.task_statuses().expect("statuses");
    assert_eq!(statuses, [("9.9", TaskStatus::Completed), ("1.10", TaskStatus::Failed)]);
    assert!(!statuses.iter().any(|(id, _)| *id == "1.1"));
}

#[test]
fn every_marker_says_why_it_counts_or_does_not() {
    let text = "I name the `<review>` tag.\n\n<review>PASS</review>\n`<review>REJECTED</review>`\n\
                no <review>PASS</review>\n<review>NEEDS_CHANGES</review>\n\
                <task_status id=\"1\">COMPLETED</task_status>\n\n`<task_status id=\"2\">FAILED\n\n</task_status>`\n\n\
                Verdict: REJECTED\n\n<thought>\n<review>\n PASS</review></thought>\n\
                No `<blocked>` yet, `<blocked>Which port?</blocked>`";
    let explained = Answer::read(text).explained();
    let expected = [
        (1, "<review>", "ignored", "in inline code"),
        (3, "<review>PASS</review>", "counts", "alone on its line, in plain text"),
        (4, "<review>REJECTED</review>", "against", "in inline code"),
        (5, "<review>PASS</review>", "ignored", "beside other text on its line"),
        (
            6,
            "<review>NEEDS_CHANGES</review>",
            "counts",
            "a verdict other than PASS, which counts wherever it stands",
        ),
        (
            7,
            "<task_status id=\"1\">COMPLETED</task_status>",
            "counts",
            "alone on its line, in plain text",
        ),
        (
            9,
            "<task_status id=\"2\">FAILED </task_status>",
            "counts",
            "FAILED, which counts however it is written",
        ),
        (13, "REJECTED", "against", "a verdict without a marker"),
        (16, "<review> PASS</review>", "ignored", "in a thought"),
        (18, "<blocked>", "ignored", "in inline code"),
        (
            18,
            "<blocked>Which port?</blocked>",
            "counts",
            "a question for a person, which counts however it is written and beats every verdict",
        ),
    ];
    let found: Vec<_> = explained
        .iter()
        .map(|marker| {
            let role = match (marker.counts, marker.contradicts) {
                (true, _) => "counts",
                (false, true) => "against",
                (false, false) => "ignored",
            };
            (marker.line, marker.text.as_str(), role, marker.why)
        })
        .collect();
    assert_eq!(found, expected);
}
