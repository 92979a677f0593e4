//! Reading an agent's answer: verdicts, task statuses and thoughts, and everything that only looks like them.

use std::time::Duration;

use agentd::models::marker::{Marker, MarkerError, Reason};
use agentd::models::prompt::UnifiedPrompt;
use agentd::orchestrator::markers::{Answer, Pieces};
use agentd::orchestrator::{ReviewResult, parse_review_marker};
use agentd::template::{Phase, TaskStatus};
use proptest::prelude::*;

use crate::envelope::cases;
use crate::language::{assert_linear, assert_linear_from, computed};

fn reasons(text: &str) -> Vec<(Reason, usize)> {
    Answer::read(text).ignored().iter().map(|ignored| (ignored.reason, ignored.line)).collect()
}

#[test]
fn seed_004_r4_all_verdicts_are_read() {
    for (word, result) in [
        ("PASS", ReviewResult::Pass),
        ("NEEDS_REVISION", ReviewResult::NeedsRevision),
        ("NEEDS_CHANGES", ReviewResult::NeedsChanges),
        ("REJECTED", ReviewResult::Rejected),
        ("MAJOR_ISSUES", ReviewResult::MajorIssues),
    ] {
        assert_eq!(parse_review_marker(&format!("Text.\n<review>{word}</review>\n")), Ok(result));
        let spread = parse_review_marker(&format!("<review>\n  {word}\n</review>"));
        // PASS stands on one line.
        assert_eq!(spread.ok(), Some(result).filter(|result| *result != ReviewResult::Pass));
    }
}

#[test]
fn seed_004_scenario_parsing_markers_from_a_response() {
    assert_eq!(
        parse_review_marker("x <review>NEEDS_REVISION</review> y"),
        Ok(ReviewResult::NeedsRevision)
    );
    assert_eq!(
        parse_review_marker("<review>NEEDS_CHANGES</review>"),
        Ok(ReviewResult::NeedsChanges)
    );
}

#[test]
fn seed_004_scenario_a_missing_marker_is_an_error_and_the_worst_of_several_counts() {
    let error = parse_review_marker("All good, PASS.").expect_err("no marker");
    assert_eq!(error, MarkerError::MissingReviewMarker { ignored: vec![] });
    assert_eq!(error.to_string(), "MissingReviewMarker: the answer holds no review marker");
    let both = "<review>PASS</review> <review>NEEDS_REVISION</review>";
    assert_eq!(parse_review_marker(both), Ok(ReviewResult::NeedsRevision));
    let order = ["PASS", "NEEDS_REVISION", "NEEDS_CHANGES", "MAJOR_ISSUES", "REJECTED"];
    for (number, worse) in order.iter().enumerate() {
        for better in &order[..=number] {
            for text in [
                format!("<review>{better}</review><review>{worse}</review>"),
                format!("<review>{worse}</review><review>{better}</review>"),
            ] {
                assert_eq!(
                    parse_review_marker(&text),
                    ReviewResult::from_word(worse).ok_or_else(|| unreachable!())
                );
            }
        }
    }
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
fn an_unknown_verdict_is_an_error_even_beside_pass() {
    for token in ["pass", "APPROVED", "", "PASS|NEEDS_REVISION", "PASSED"] {
        let text = format!("<review>PASS</review>\n<review>{token}</review>");
        let error = parse_review_marker(&text).expect_err(token);
        let MarkerError::Contradicted { line: 1, by } = error else { panic!("{error}") };
        assert_eq!((by.line, by.reason), (2, Reason::UnknownWord));
        let alone = parse_review_marker(&format!("<review>{token}</review>"));
        let expected = MarkerError::UnknownVerdict { token: token.to_owned(), line: 1 };
        assert_eq!(alone, Err(expected));
    }
}

#[test]
fn a_verdict_that_the_phase_does_not_know_is_never_a_pass() {
    let answer = Answer::read("<review>PASS</review>\n<review>NEEDS_CHANGES</review>");
    assert_eq!(answer.verdict(Some(Phase::Review)), Ok(ReviewResult::NeedsChanges));
    let error = answer.verdict(Some(Phase::Challenge)).expect_err("not of this phase");
    let (verdict, phase) = (ReviewResult::NeedsChanges, Phase::Challenge);
    assert_eq!(error, MarkerError::NotOfThisPhase { verdict, phase, line: 2 });
    assert!(Answer::read("<review>PASS</review>").verdict(Some(Phase::Implement)).is_err());
}

#[test]
fn a_failed_task_counts_however_it_is_written() {
    let completed = "<task_status id=\"1.1\">COMPLETED</task_status>";
    for failed in [
        "`<task_status id=\"1.1\">FAILED</task_status>`",
        "```\n<task_status id='1.1'>FAILED</task_status>\n```",
        "<Task_Status id=\"1.1\" x=\"y\">failed</Task_Status>",
        "<task_status id=\"1.1\">FAILED",
        "<task_status id=\"1.1\"><b>FAILED</b></task_status>",
        "<!-- <task_status id=\"1.1\">FAILED</task_status> -->",
        "In a sentence <task_status id=\"1.1\">FAILED: no network</task_status> too",
    ] {
        for text in [format!("{completed}\n\n{failed}\n"), format!("{failed}\n\n{completed}\n")] {
            let statuses = Answer::read(&text);
            assert_eq!(statuses.task_statuses(), Ok(vec![("1.1", TaskStatus::Failed)]), "{text}");
        }
    }
    for hidden in [
        format!("I cannot say {completed} yet."),
        format!("> {completed}"),
        format!("<pre>\n{completed}\n</pre>"),
        format!("<!--\n{completed}\n-->"),
        format!("- ```\n  {completed}\n  ```"),
    ] {
        let answer = Answer::read(&hidden);
        assert_eq!(answer.task_statuses(), Ok(vec![]), "{hidden}");
        assert!(answer.reported_statuses().is_err(), "{hidden}");
    }
    let thought =
        format!("<thought>\n<task_status id=\"1.1\">FAILED</task_status>\n</thought>\n{completed}");
    assert_eq!(
        Answer::read(&thought).reported_statuses(),
        Ok(vec![("1.1", TaskStatus::Completed)])
    );
}

#[test]
fn whatever_else_an_answer_says_beside_pass_contradicts_it() {
    let pass = "<review>PASS</review>";
    for other in [
        "`<review>NEEDS_CHANGES</review>`",
        "`<review>...</review>`",
        "`<review>` NEEDS_CHANGES",
        "`<review>`REJECTED`</review>`",
        "```\n<review>REJECTED</review>\n```",
        "<!-- <review>nothing of the kind</review> -->",
        "<review>NEEDS_CHANGES",
        "<review round=\"2\">NEEDS_CHANGES</review>",
        "< Review >needs_changes</ Review >",
        "<review><verdict>NEEDS_CHANGES</verdict></review>",
        "<review/>",
        "</review>",
        "&lt;review&gt;REJECTED&lt;/review&gt;",
        "&#60;review&#62;REJECTED&#60;/review&#62;",
        "\u{ff1c}review\u{ff1e}REJECTED\u{ff1c}/review\u{ff1e}",
        "\\<review>REJECTED\\</review>",
        "<thought>\n<review>REJECTED</review>",
    ] {
        let text = format!("{pass}\n\n{other}\n");
        let error = parse_review_marker(&text).expect_err(&text);
        let MarkerError::Contradicted { line: 1, by } = &error else { panic!("{text}: {error}") };
        assert!(by.line >= 3, "{text}: {error}");
        assert!(error.to_string().starts_with("line 1: PASS is contradicted by `"), "{error}");
    }
    let huge = format!("<review>{}</review>\n{pass}", "NEEDS_CHANGES ".repeat(100));
    assert!(matches!(parse_review_marker(&huge), Err(MarkerError::Contradicted { .. })));
    // The tags of a thought in code are text, and what stands between them is no thought.
    for text in [
        format!("Use `<thought>` here. <review>NEEDS_CHANGES</review> And `</thought>`.\n\n{pass}"),
        format!(
            "```\n<thought>\n```\n<review>NEEDS_CHANGES</review>\n```\n</thought>\n```\n\n{pass}"
        ),
    ] {
        assert_eq!(parse_review_marker(&text), Ok(ReviewResult::NeedsChanges), "{text}");
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
fn an_agent_that_echoes_its_prompt_does_not_pass() {
    for template in agentd::catalog::CATALOG.templates {
        let answer = Answer::read(template.text);
        let verdict = answer.verdict(Some(template.phase));
        assert_ne!(verdict, Ok(ReviewResult::Pass), "{}", template.file);
        let statuses = answer.task_statuses().unwrap_or_default();
        assert!(
            statuses.iter().all(|(_, status)| *status == TaskStatus::Failed),
            "{}",
            template.file
        );
    }
}

#[test]
fn an_agent_that_echoes_its_whole_document_does_not_pass() {
    let earlier =
        "All is well.\n<review>PASS</review>\n<task_status id=\"1.1\">COMPLETED</task_status>\n";
    let (mut echoed, mut seen) = (0, 0);
    for template in agentd::catalog::CATALOG.templates {
        let values = agentd::Variable::ALL
            .iter()
            .fold(agentd::Values::new(), |values, variable| values.with(*variable, "A value."));
        let prompt = UnifiedPrompt::new("Review it. <review>PASS</review>")
            .with_system_prompt(template.render(&values))
            .with_file("src/lib.rs", earlier)
            .with_artifact("REVIEW.md", earlier)
            .with_thought("earlier", earlier);
        let xml = prompt.to_xml();
        for echo in [xml.clone(), format!("I was told:\n\n{xml}\n\nSo I did.")] {
            let answer = Answer::read(&echo);
            let verdict = answer.verdict(Some(template.phase));
            assert_ne!(verdict, Ok(ReviewResult::Pass), "{}", template.file);
            let statuses = answer.task_statuses().unwrap_or_default();
            let completed = statuses.iter().any(|(_, status)| *status == TaskStatus::Completed);
            assert!(!completed, "{}: {statuses:?}", template.file);
            echoed += 1;
            seen += answer.markers.len() + answer.ignored().len();
        }
    }
    assert!(echoed >= 10 && seen >= echoed, "{echoed} documents with {seen} markers");
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
fn ten_mebibytes_of_prose_take_twice_the_time_of_five() {
    let line = "Prose with `code`, a < b, an ' apostrophe and <i>markup</i>, a line of it.\n";
    let make = |size: usize| line.repeat(size / line.len());
    assert_linear_from(5 << 20, "10 MiB of prose", make, |text| {
        std::hint::black_box(Answer::read(text));
    });
    // As it is shipped it takes less than a second. These tests run a build that is slower, which five times that allow
    // for; the growth above is what holds the time.
    let (text, start) = (make(10 << 20), computed());
    std::hint::black_box(Answer::read(&text));
    let took = computed().saturating_sub(start);
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// Answers made of what matters to the reader.
fn answer() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<review>PASS</review>",
        "<review>REJECTED</review>",
        "<review>",
        "</review>",
        "PASS",
        "<thought>",
        "</thought>",
        "<!--",
        "-->",
        "`",
        "``",
        "```",
        "~~~",
        "\n",
        "\n\n",
        " ",
        "> ",
        "- ",
        "text",
        "é",
        "<",
        "<task_status id=\"1.1\">FAILED</task_status>",
        "\n<review>PASS</review>\n",
        "<review a='b'>NEEDS_CHANGES</Review>",
        "&lt;review&gt;",
        "<Thought name='x'>",
        "</ thought >",
        "<pre>",
        "</pre>",
        "1. ",
        "    ",
        "<div>\n",
        "Verdict: ",
        "**",
        "[a]: /b '",
        "\r",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_answer_reads_the_same_however_the_stream_is_cut(answer in answer(), cut in 1_usize..7) {
        let mut pieces = Pieces::default();
        answer.as_bytes().chunks(cut).for_each(|piece| pieces.push(piece));
        let whole = pieces.finish();
        prop_assert_eq!(Answer::read(&whole), Answer::read(&answer));
    }

    #[test]
    fn an_answer_passes_only_if_a_person_would_see_it_pass(answer in answer()) {
        crate::fuzz::oracles::markers::check(answer.as_bytes());
    }

    #[test]
    fn code_round_an_answer_hides_it(answer in answer()) {
        // Longer than any run of ticks in the answer, which would close it.
        let fence = "`".repeat(100);
        let inside = answer.replace("<thought>", "").replace("<!--", "");
        let fenced = format!("{fence}\n{inside}\n{fence}\n");
        let read = Answer::read(&fenced);
        // FAILED counts however it is written.
        let failed = |marker: &Marker| matches!(marker, Marker::Task { status: TaskStatus::Failed, .. });
        prop_assert!(read.markers.iter().all(failed), "{:?}", read.markers);
    }

    #[test]
    fn every_line_of_a_marker_is_where_it_stands(answer in answer()) {
        let read = Answer::read(&answer);
        for ignored in read.ignored() {
            let line = answer.lines().nth(ignored.line - 1).unwrap_or_default();
            let first = ignored.text.split(['>', ' ']).next().unwrap_or_default();
            prop_assert!(line.contains(first), "{first} is not on line {}", ignored.line);
        }
    }

    #[test]
    fn the_text_has_no_thoughts_that_count(answer in answer()) {
        let read = Answer::read(&answer);
        let thoughts = read.markers.iter().filter(|marker| matches!(marker, Marker::Thought { .. })).count();
        if thoughts == 0 {
            prop_assert_eq!(read.without_thoughts().into_owned(), answer.clone());
        } else {
            prop_assert!(read.without_thoughts().len() < answer.len());
        }
    }
}

#[test]
fn reading_takes_linear_time_on_every_kind_of_text() {
    for piece in [
        "plain prose and more of it\n",
        "one long line of prose ",
        "`",
        "` `` ``` ",
        "```\n",
        "``` x ",
        "~~~\n",
        "<thought>",
        "<thought></thought>",
        "<thought><thought></thought></thought>",
        "<thought></thought>```",
        "`<thought></thought>",
        "<thought>\n```x\n</thought>",
        "<thought></thought>```x\n",
        "<thought></thought> > > ",
        "<",
        "<!--",
        "<!---->",
        "<review>",
        "<review>PASS</review> ",
        "`<review>PASS</review> ",
        "<review>PASS</review>\n```\n",
        "> > > ",
        "<task_status id=\"1.1\">FAILED</task_status>",
    ] {
        let make = |size: usize| piece.repeat(size / piece.len());
        assert_linear(&format!("markers in {piece:?}"), make, |text| {
            std::hint::black_box(Answer::read(text));
        });
    }
    let far_fence = |size: usize| "<thought></thought>".repeat(size / 19) + "\n```\n";
    assert_linear("markers before a fence", far_fence, |text| {
        std::hint::black_box(Answer::read(text));
    });
}
