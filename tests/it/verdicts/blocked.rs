//! The questions for a person, clause by clause: `<blocked>` counts however it is written, and changes no verdict.

use agentd::models::marker::Reason;
use agentd::orchestrator::markers::Answer;

use super::read;

/// Reads the question for a person, or nothing.
fn blocked(text: &str) -> Option<String> {
    Answer::read(text).blocked()
}

fn all_ask(texts: &[&str], reason: &str) {
    for text in texts {
        assert_eq!(blocked(text).as_deref(), Some(reason), "{text:?}");
    }
}

#[test]
fn a_question_for_a_person_counts_wherever_it_stands() {
    all_ask(
        &[
            "<blocked>Which port?</blocked>",
            "So <blocked>Which port?</blocked> is open.",
            "- <blocked>Which port?</blocked>",
            "> <blocked>Which port?</blocked>",
            "`<blocked>Which port?</blocked>`",
            "```\n<blocked>Which port?</blocked>\n```",
            "Look:\n\n    <blocked>Which port?</blocked>",
            "<!-- <blocked>Which port?</blocked> -->",
            "<!-- never closed <blocked>Which port?</blocked>",
            "<pre><blocked>Which port?</blocked></pre>",
            "<div hidden>\n\n<blocked>Which port?</blocked>",
            "<thinking><blocked>Which port?</blocked></thinking>",
            "<thought>never closed\n<blocked>Which port?</blocked>",
            "never opened\n<blocked>Which port?</blocked></thought>",
            "`<thought>` <blocked>Which port?</blocked> `</thought>`",
        ],
        "Which port?",
    );
}

#[test]
fn a_question_for_a_person_counts_however_it_is_spelled() {
    all_ask(
        &[
            "<Blocked>Which port?</BLOCKED>",
            "<blocked id=\"1\" kind='x'>Which port?</blocked>",
            "< blocked >Which port?</ blocked >",
            "<bl\u{200b}ocked>Which port?</blocked>",
            "&lt;blocked&gt;Which port?&lt;/blocked&gt;",
            "\u{ff1c}blocked\u{ff1e}Which port?\u{ff1c}/blocked\u{ff1e}",
            "<blocked>\n  Which\n\tport?\n</blocked>",
            "<blocked>Which <thought>8080?</thought> port?</blocked>",
            "Which port?</blocked>",
            "<blocked\nWhich port?>",
            "<blocked Which port?",
            "<blocked/>Which port?",
        ],
        "Which port?",
    );
    assert_eq!(blocked("<blocked reason='port'/>").as_deref(), Some("reason='port'"));
}

#[test]
fn a_question_that_is_not_closed_goes_to_the_end_of_its_line() {
    all_ask(
        &[
            "<blocked>Which port?",
            "<blocked>Which port?\nThe rest is done.",
            "<blocked>Which port?\r\nThe rest is done.",
            "<blocked>Which port?\rThe rest is done.",
            "**<blocked>Which port?**\n",
            "`<blocked>Which port?`",
            "<!-- <blocked>Which port? -->",
            "<blocked>Which port? <review>PASS</review>",
            "<blocked>\nWhich port?\n\nThe rest is done.",
        ],
        "Which port?",
    );
}

#[test]
fn a_question_in_a_closed_thought_is_none() {
    for text in [
        "<thought><blocked>Which port?</blocked></thought>",
        "<Thought a='b'>\n<blocked>Which port?\n</ thought >",
        "<thought>a<thought>b</thought><blocked>c</blocked></thought>\n<review>PASS</review>",
    ] {
        let answer = Answer::read(text);
        assert_eq!(answer.blocked(), None, "{text:?}");
        assert!(answer.ignored().iter().any(|seen| seen.reason == Reason::Thought), "{text:?}");
    }
}

#[test]
fn a_bare_tag_in_inline_code_is_spoken_of_and_asks_nothing() {
    for text in [
        "No `<blocked>` was needed.",
        "I did not use `<blocked>`.",
        "It stands between `<blocked>` and `</blocked>`, say the rules.",
    ] {
        assert_eq!(blocked(text), None, "{text:?}");
        assert!(Answer::read(text).ignored().iter().all(|seen| !seen.contradicts), "{text:?}");
    }
    for text in
        ["`<blocked>`: which port?", "`<blocked>` Which port?", "` <blocked> ` x", "<blocked>"]
    {
        assert!(blocked(text).is_some(), "{text:?}");
    }
}

#[test]
fn other_words_are_no_question_for_a_person() {
    for text in
        ["blocked", "<blocked-by>x</blocked-by>", "<unblocked>", "Blocked: the port", "[blocked]"]
    {
        assert_eq!(blocked(text), None, "{text:?}");
    }
}

#[test]
fn several_questions_are_one_and_a_reason_is_short_and_on_one_line() {
    let two = "<blocked>Which port?</blocked>\n<blocked>Which\nhost?</blocked>";
    assert_eq!(blocked(two).as_deref(), Some("Which port? Which host?"));
    let same = "<blocked>Which port?</blocked>\n\n<blocked>Which port?</blocked>";
    assert_eq!(blocked(same).as_deref(), Some("Which port?"));
    for silent in ["<blocked></blocked>", "<blocked>", "<blocked/>", "<blocked> \n </blocked>"] {
        assert_eq!(blocked(silent).as_deref(), Some("no reason given"), "{silent:?}");
    }
    for sign in ["x", "\u{e4}", "ab "] {
        let long = blocked(&format!("<blocked>{}</blocked>", sign.repeat(3_000))).unwrap();
        assert!((1_999..=2_000).contains(&long.chars().count()), "{sign}");
    }
    let many = blocked(&"<blocked>a b</blocked> <blocked>c</blocked>\n".repeat(3_000)).unwrap();
    assert!(many.chars().count() <= 2_000 && many.starts_with("a b c a b c"));
}

#[test]
fn a_question_for_a_person_leaves_verdicts_and_statuses_as_they_are() {
    let status = "<task_status id=\"1.1\">COMPLETED</task_status>";
    for question in ["<blocked>Which port?</blocked>", "<blocked>Which port?", "<blocked>"] {
        for verdict in ["<review>PASS</review>", "<review>REJECTED</review>", "No verdict."] {
            for text in [
                format!("{question}\n\n{verdict}\n\n{status}\n"),
                format!("{verdict}\n\n{status}\n\n{question}\n"),
                format!("<blocked>\n\n{verdict}\n\n{status}\n\n</blocked>"),
            ] {
                assert!(blocked(&text).is_some(), "{text:?}");
                assert_eq!(read(&text), read(verdict), "{text:?}");
                let statuses = Answer::read(&text).task_statuses().map(|all| all.len());
                assert_eq!(statuses, Ok(1), "{text:?}");
            }
        }
    }
    // Within a marker it is a word that no verdict is.
    assert_eq!(read("<review>PASS<blocked></review>"), "ERR");
    assert_eq!(read("<review>REJECTED<blocked>x</blocked></review>"), "ERR");
}

#[test]
fn questions_are_read_in_linear_time() {
    let repeated = |part: &str, times: usize| {
        let text = part.repeat(times);
        let start = std::time::Instant::now();
        let answer = Answer::read(&text);
        assert!(answer.blocked().is_some());
        assert!(answer.explained().len() <= times * 2);
        start.elapsed()
    };
    for part in [
        "<blocked>",
        "<blocked>x</blocked>",
        "</blocked>",
        "<blocked ",
        "`<blocked>` X ",
        "<blocked>\n",
    ] {
        let few = repeated(part, 2_000).max(std::time::Duration::from_millis(20));
        let many = repeated(part, 16_000);
        assert!(many < few * 40, "{part:?}: {few:?} and {many:?}");
    }
}
