//! The rule for verdicts, clause by clause: each test is named after what it holds, and goes red without it.

use agentd::models::marker::{MarkerError, Reason};
use agentd::orchestrator::markers::Answer;
use agentd::orchestrator::parse_review_marker;
use agentd::template::{Phase, TaskStatus};

use super::read;
use crate::language::assert_linear;

const PASS: &str = "<review>PASS</review>";

/// Puts PASS in the place of `V` in each text, and reads it.
fn all_read(texts: &[&str], expected: &str) {
    for text in texts {
        let text = text.replace('V', PASS).replace(&format!("{PASS}erdict"), "Verdict");
        assert_eq!(read(&text), expected, "{text:?}");
    }
}

fn all_pass(texts: &[&str]) {
    all_read(texts, "PASS");
}

fn none_passes(texts: &[&str]) {
    all_read(texts, "ERR");
}

#[test]
fn a_pass_stands_alone_on_its_line() {
    all_pass(&["V", "Good.\nV\nThe end.", "  V  \t", "V\r\n", "\u{feff}V", "V V"]);
    none_passes(&["I say V", "V if the tests are green", "V?", "V.", "(V)", "\u{201c}V\u{201d}"]);
    none_passes(&["| V |", "- [ ] V", "~~V~~", "<p>V</p>", "V <!-- not yet -->"]);
    none_passes(&["V # V", "V ## ##", "V\u{feff}V", "-\u{feff}V"]);
}

#[test]
fn a_lone_carriage_return_ends_a_line() {
    all_pass(&["Good.\rV\rThe end.", "I cannot say\rV"]);
    none_passes(&["```\rV\r```", "Look:\r\r    V"]);
    // With a line feed behind it, it ends one line, not two.
    none_passes(&["`code\r\nV\r\nmore`", "> He said:\r\nV"]);
    // These end no line.
    none_passes(&["I cannot say\u{b}V", "I cannot say\u{c}V", "I cannot say\u{2028}V"]);
}

#[test]
fn emphasis_may_stand_round_a_pass() {
    all_pass(&["*V*", "_V_", "**V**", "__V__", "***V***", "** V **"]);
    none_passes(&["**V** x", "**not** V", "~~**V**~~"]);
}

#[test]
fn the_sign_of_a_list_may_stand_before_a_pass() {
    all_pass(&["- V", "* V", "+ V", "- Good.\n  - V", "- **V**"]);
    none_passes(&["-V", "-- V", "\u{2022} V"]);
}

#[test]
fn the_number_of_a_list_may_stand_before_a_pass() {
    all_pass(&["1. V", "12) V", "3. Good.\n4. V"]);
    none_passes(&["1.V", "1: V", "1234567890. V", "a. V"]);
}

#[test]
fn the_sign_of_a_heading_may_stand_round_a_pass() {
    all_pass(&["# V", "###### V", "## V ##", "## V ## \r\n", "V\n===="]);
    none_passes(&["####### V", "#V", "# V#", "# V # x"]);
}

#[test]
fn one_label_of_the_list_may_stand_before_a_pass() {
    for label in ["Verdict", "Final verdict", "Review", "Result"] {
        for text in [
            format!("{label}: {PASS}"),
            format!("{label} {PASS}"),
            format!("**{label}:** {PASS}"),
            format!("- **{label}** \u{2014} {PASS}"),
            format!("## {}: {PASS}", label.to_uppercase()),
        ] {
            assert_eq!(read(&text), "PASS", "{text:?}");
        }
    }
}

#[test]
fn no_other_label_and_no_second_one_stands_before_a_pass() {
    none_passes(&["My verdict: V", "Status: V", "Decision: V", "Reviewed: V", "Results: V"]);
    none_passes(&["Verdict: Result: V", "Verdict: not V", "Verdict:: V", "V Verdict"]);
}

#[test]
fn a_tag_that_is_disguised_within_another_does_not_close_it() {
    none_passes(&[
        "<review &lt;/review&gt;>PASS",
        "<review &lt;/review&gt;>\nV",
        "<review &#60;/review>V",
    ]);
    let text = "<task_status id=\"1\" &lt;/task_status&gt;>FAILED";
    assert!(Answer::read(text).task_statuses().is_err());
}

#[test]
fn a_pass_over_several_lines_does_not_count() {
    none_passes(&[
        "<review>\nPASS\n</review>",
        "<review>PASS\n</review>",
        "<review\n>PASS</review>",
    ]);
}

#[test]
fn a_pass_in_a_quotation_does_not_count() {
    none_passes(&["> V", "> He said:\nV", "- > V", ">> Verdict: V", "> - V"]);
    all_pass(&["> He said no.\n\nV"]);
}

#[test]
fn a_pass_in_fenced_code_does_not_count() {
    none_passes(&["```\nV\n```", "~~~text\nV\n~~~", "```\nV", "- ```\n  V\n  ```", "> ```\n> V"]);
    none_passes(&["````\n```\nV\n```\n````", "```\n~~~\nV\n", "```\n``` x\nV\n```"]);
    all_pass(&["```\nlog\n```\nV", "- ```\n  log\n\nV", "text ``` no fence\n\nV"]);
}

#[test]
fn a_pass_in_indented_code_does_not_count() {
    none_passes(&["Look:\n\n    V", "Look:\n\n\tV", "- a\n\n      V"]);
    all_pass(&["A paragraph that goes on\n    V", "- a\n\n  V"]);
}

#[test]
fn a_pass_in_inline_code_does_not_count() {
    none_passes(&["`V`", "``a ` V``", "`code\nV\nmore`"]);
    all_pass(&["`code`\n\nV", "a ` tick\n\nV\n\nanother ` tick"]);
}

#[test]
fn a_pass_in_a_comment_does_not_count() {
    none_passes(&["<!--\nV\n-->", "Text <!--\nV\n--> text", "<!-- never closed\n\nV"]);
    none_passes(&["<!x <!-- >\nV", "<!x <!-- >\nV\n-->", "<!x <!-- --> <!-- >\nV"]);
    none_passes(&["<?x\nV\n?>", "<![CDATA[\nV\n]]>", "<!DOCTYPE x [\nV\n]>"]);
    all_pass(&[
        "<!-- closed -->\n\nV",
        "Text.\n\n<!-- closed -->\n\nV",
        "<!-->\n\nV",
        "<!-- <!-- -->\n\nV",
        "<!x <!-- --> >\n\nV",
        "`<!--` opens one.\n\nV",
    ]);
}

#[test]
fn a_pass_where_markdown_shows_no_text_does_not_count() {
    none_passes(&["[a]: /b '\nV\n'", "[a](b \"\nV\n\")", "![a\nV\n](b.png)", "<img alt='\nV\n'>"]);
    none_passes(&["<div hidden>\n\nV\n\n</div>", "<div style=\"display:none\">\n\nV\n\n</div>"]);
}

#[test]
fn a_pass_in_the_value_of_an_attribute_does_not_count() {
    for open in
        ["<div a=\"", "<div a='", "<div a = \"", "<div a=\n'", "<p>\n</b a='", "<p>\n<b\na='"]
    {
        none_passes(&[&format!("{open}\nV\n")]);
    }
    none_passes(&["<div a='\n\nV\n"]);
    // These open no value.
    for open in
        ["<b it's>", "<b a=\"c\" 'd>", "a <='b", "a='b", "<b a=c'd>", "<b a=\"'\">", "<b>='"]
    {
        all_pass(&[&format!("<p>\n{open}\nV\n</p>")]);
    }
}

#[test]
fn a_pass_in_a_fence_in_raw_html_does_not_count() {
    for fenced in ["```\nV\n```", "```\n~~~\nV", "````\n```\nV", "```\n``` x\nV", "  ~~~ x\nV\n~~~"]
    {
        none_passes(&[&format!("<div>\n{fenced}\n</div>")]);
    }
    none_passes(&["<div>\n```\n</div>\n\n<div>\nV\n</div>"]);
    for closed in ["```\nlog\n```\nV", "~~~\n```\n~~~\nV", "```\n````\nV", "``\nV", "--- ```\nV"] {
        all_pass(&[&format!("<div>\n{closed}\n</div>")]);
    }
}

#[test]
fn a_pass_in_a_thought_does_not_count() {
    none_passes(&["<thought>\nV\n</thought>", "<thought>a</thought> so <thought>\nV\n</thought>"]);
}

#[test]
fn a_thought_may_have_attributes() {
    none_passes(&["<thought id=\"1\">\nV\n</thought>", "<thought a='\nV\n'>x</thought>"]);
    all_pass(&["<thought kind='deep'><review>REJECTED</review></thought>\nV"]);
}

#[test]
fn the_name_of_a_thought_is_written_as_it_is_seen() {
    for name in ["tho\u{200b}ught", "tho\\ught"] {
        none_passes(&[&format!("<{name}>\nV"), &format!("V\n</{name}>")]);
        none_passes(&[&format!("<thought>a<{name}>b</thought>\nV\n</thought>")]);
        let rejected = "<review>REJECTED</review>";
        let text = format!("<thought>a<{name}>b</thought> {rejected}</thought>\n{PASS}");
        assert_eq!(read(&text), "REJECTED", "{text:?}");
    }
}

#[test]
fn a_sign_that_is_escaped_begins_no_tag_unless_it_is_raw_html() {
    all_pass(&["a \\<pre>\n\nV", "a \\<thought>\n\nV", "a &lt;pre>\n\nV", "a &lt;thought>\n\nV"]);
    none_passes(&["a \\\\<pre>\n\nV", "<div>\n\\<pre>\n</div>\n\nV"]);
    none_passes(&["a \\\\<thought>\n\nV", "<div>\n\\<thought>\n</div>\n\nV"]);
}

#[test]
fn a_thought_may_be_in_any_case() {
    none_passes(&["<THOUGHT>\nV\n</Thought>"]);
    all_pass(&["<Thought><review>REJECTED</review></THOUGHT>\nV"]);
}

#[test]
fn thoughts_nest() {
    none_passes(&["<thought>a<thought>b</thought>\nV\n</thought>"]);
    all_pass(&["<thought>a<thought>b</thought><review>REJECTED</review></thought>\nV"]);
}

#[test]
fn a_thought_that_is_not_closed_hides_what_follows() {
    none_passes(&["<thought>\nV", "<thought>a<thought>b</thought>\nV", "<thought\nV"]);
    none_passes(&["<thought/>\nV", "<thought>I end with `</thought>`.\n\nV"]);
}

#[test]
fn a_thought_that_was_not_opened_hides_what_stands_before() {
    none_passes(&["So:\nV\n</thought>"]);
    all_pass(&["So.\n</thought>\nV"]);
}

#[test]
fn a_closed_thought_may_say_what_it_likes() {
    all_pass(&["<thought>no: <review>REJECTED</review> or <review>what</thought>\nV"]);
    all_pass(&["<thought>\n```\n</thought>\nV", "<thought>a ` tick</thought>\nV\n`x`"]);
    all_pass(&["<thought><!-- </thought>\nV", "<thought><pre></thought>\nV"]);
    all_pass(&["<thought>The `<thought>` tag <review>REJECTED</review></thought>\nV"]);
}

#[test]
fn a_marker_in_a_thought_whose_end_is_open_to_doubt_is_not_excused() {
    none_passes(&[
        "<thought>a ` b`</thought>` c <review>REJECTED</review></thought>\n\nV",
        "<thought>a\n\n    `</thought>`\n\n<review>REJECTED</review></thought>\n\nV",
        "<thought><review>REJECTED</review> a ` b`<thought>`</thought>\n\nV",
    ]);
    all_pass(&[
        "<thought>a ` b`</thought>` c</thought>\n\nV",
        "<thought>a `</thought>` b <review>REJECTED</review></thought>\n\nV",
        "<thought>\na `</thought>` b\n\n<review>REJECTED</review>\n</thought>\n\nV",
        "<thought><review>REJECTED</review> a ``<thought>``</thought>\n\nV",
        "<thought>`<thought>`, `</thought>`: <review>REJECTED</review></thought>\n\nV",
    ]);
}

#[test]
fn the_tags_of_a_thought_in_code_are_text() {
    all_pass(&["`<thought>` is how one thinks.\n\nV", "```\n<thought>\na\n</thought>\n```\n\nV"]);
    all_pass(&["```\n<thought>a<thought>b</thought>c</thought>\n```\n\nV"]);
    for (open, close) in [
        ("`<thought>`", "`</thought>`"),
        ("`<thought>`", "</thought>"),
        ("`a <thought> b`", "</thought>"),
        ("`a\n<thought> b`", "</thought>"),
        ("# `a <thought> b`", "</thought>"),
        ("- `a <thought> b`", "- </thought>"),
        ("```\n<thought>\n```", "```\n</thought>\n```"),
        ("```\n<thought>\n```", "</thought>"),
        ("    <thought>", "    </thought>"),
        ("\\<thought>", "\\</thought>"),
        ("&lt;thought>", "&lt;/thought>"),
    ] {
        let text = format!("{open}\n\n<review>REJECTED</review>\n\n{close}\n\n{PASS}");
        assert_ne!(read(&text), "PASS", "{text:?}");
    }
    // The first parse puts the first back, and the second finds the other in code: nothing passes then.
    let text = "```\n<thought>\n```\n~~~\n</thought>\n```\n<thought>\n<review>REJECTED</review></thought>\n~~~\n\n";
    assert_eq!(read(&format!("{text}{PASS}")), "ERR");
    // What follows one that was put back is no part of it.
    none_passes(&["`a <thought> b` </thought><thought> <review>REJECTED</review>"]);
    // A tick in another block makes no code, nor does one behind the thought.
    all_pass(&["Good. <thought>`x`</thought> a ` b\n\nV"]);
    all_pass(&[
        "a ` tick\n\n<thought>`b`</thought>\n\nV",
        "- a ` b\n- <thought>`c`</thought>\n\nV",
    ]);
}

#[test]
fn the_tags_of_a_thought_where_nothing_is_shown_are_text() {
    for (open, close) in [
        ("<!-- <thought> -->", "<!-- </thought> -->"),
        ("<?a <thought> ?>", "<?a </thought> ?>"),
        ("<a title=\"<thought>\">x</a>", "<a title=\"</thought>\">x</a>"),
        ("[a](b \"<thought>\")", "[a](b \"</thought>\")"),
        ("[a]: /b '<thought>'", "[c]: /b '</thought>'"),
        ("![<thought>](b)", "![</thought>](b)"),
    ] {
        let text = format!("{open}\n\n<review>REJECTED</review>\n\n{close}\n\n{PASS}");
        assert_eq!(read(&text), "REJECTED", "{text:?}");
    }
}

#[test]
fn a_thought_ends_in_the_element_in_which_it_began() {
    for (open, close) in [
        ("<code><thought></code>", "<code></thought></code>"),
        ("<code><thought></code>", "</thought>"),
        ("<code><thought></code>", "</thought></code>"),
        ("<pre>\n<thought>\n</pre>", "<pre>\n</thought>\n</pre>"),
    ] {
        let text = format!("{open}\n\n<review>REJECTED</review>\n\n{close}\n\n{PASS}");
        assert_ne!(read(&text), "PASS", "{text:?}");
    }
    all_pass(&["<thinking><thought><review>REJECTED</review>?</thought></thinking>\n\nV"]);
    all_pass(&["<thinking>\n<thought>a <code>b</code></thought>\n</thinking>\n\nV"]);
    all_pass(&["<code>a</code>\n<code><thought>b</thought></code>\n\nV"]);
}

#[test]
fn a_pass_in_an_open_element_that_quotes_does_not_count() {
    for name in ["pre", "code", "blockquote", "example", "thinking"] {
        let open = format!("<{}>", name.to_uppercase());
        for text in [
            format!("<{name}>\n{PASS}\n</{name}>"),
            format!("<{name} a=\"b\">\n\n{PASS}\n"),
            format!("Text {open}\n\n- {PASS}\n"),
            format!("<{name}>\n<{name}>\n</{name}>\n\n{PASS}\n"),
            format!("<{name}/>\n\n{PASS}\n"),
            format!("<{name}>\n<!-- </{name}> -->\n\n{PASS}\n"),
        ] {
            assert_eq!(read(&text), "ERR", "{text:?}");
        }
        for text in [format!("<{name}>\nx\n</{name}>\n\n{PASS}"), format!("`<{name}>`\n\n{PASS}")] {
            assert_eq!(read(&text), "PASS", "{text:?}");
        }
    }
}

#[test]
fn what_markdown_does_not_read_as_a_comment_hides_no_element_that_opens_in_it() {
    none_passes(&[
        "a <!< <pre>\n\nV",
        "a \\<!-- <pre> -->\n\nV",
        "a <!-- b\n\n<pre>\n\n-->\n\nV",
        "<div a='<!--'>\n\n<pre>\n\n-->\n\nV",
        "<?a <pre> ?>\n\nV",
    ]);
    all_pass(&["a <!-- <pre> -->\n\nV", "<!-- <pre>\n\n<code> -->\n\nV"]);
    all_pass(&["<div>\n<!-- <pre> -->\n</div>\n\nV", "a <! <code>b</code>\n\nV"]);
}

#[test]
fn only_a_tag_of_html_that_is_shown_closes_an_element() {
    for close in [
        "</pre",
        "</ pre>",
        "< /pre>",
        "<//pre>",
        "</pre a='b'>",
        "</pr\u{200b}e>",
        "<a title='b </pre>'>c</a>",
        "a <! </pre> b",
        "[a]: b '</pre>'",
    ] {
        none_passes(&[&format!("<pre>\n</pre>\n\na <pre>\n\n{close}\n\nV")]);
    }
    for close in ["</pre>", "</PRE>", "</pre >", "a</pre\n>"] {
        all_pass(&[&format!("a <pre> b\n\n{close}\n\nV")]);
    }
}

#[test]
fn other_tags_on_other_lines_do_not_matter() {
    all_pass(&["<response>\nV\n</response>", "<response a='b'>\n\nV\n", "<p>\nV\n</p>"]);
    all_pass(&["<div>\n\nV\n\n</div>", "</section>\nV\n<b>", "Vec<u8> and Box<T>.\nV"]);
}

/// Puts another verdict before and behind a PASS, and returns what contradicts it.
fn contradiction(other: &str) -> (Reason, String) {
    let mut found = None;
    for text in [format!("{PASS}\n\n{other}\n"), format!("{other}\n\n{PASS}\n")] {
        let error = parse_review_marker(&text).expect_err(&text);
        let MarkerError::Contradicted { by, .. } = error else { panic!("{text:?}: {error}") };
        found = Some((by.reason, by.text));
    }
    found.expect("two answers")
}

#[test]
fn a_verdict_in_other_letters_contradicts_a_pass() {
    for other in ["<Review>REJECTED</Review>", "<REVIEW>NEEDS_CHANGES</REVIEW>"] {
        assert_eq!(contradiction(other), (Reason::Malformed, other.to_owned()));
    }
    assert_eq!(contradiction("<review>rejected</review>").0, Reason::UnknownWord);
}

#[test]
fn a_verdict_with_attributes_contradicts_a_pass() {
    let other = "<review round=\"2\">REJECTED</review>";
    assert_eq!(contradiction(other), (Reason::Malformed, other.to_owned()));
}

#[test]
fn a_verdict_that_is_not_closed_contradicts_a_pass() {
    let open = "<review>REJECTED";
    assert_eq!(contradiction(&format!("Not: {open}")), (Reason::Malformed, open.to_owned()));
    assert_eq!(contradiction("<review/>").0, Reason::Malformed);
    assert_eq!(contradiction("</review>").0, Reason::Malformed);
}

#[test]
fn a_verdict_in_code_contradicts_a_pass() {
    assert_eq!(contradiction("`<review>REJECTED</review>`").0, Reason::InlineCode);
    assert_eq!(contradiction("```\n<review>NEEDS_CHANGES</review>\n```").0, Reason::CodeBlock);
    for other in [
        "`<review>...</review>`",
        "`<review>` NEEDS_CHANGES",
        "`<review>`REJECTED`</review>`",
        "`<review>` rejected",
        "`<review>` OK",
        "`a <review>`",
        "`<review> a`",
    ] {
        contradiction(other);
    }
    // To name the tag is to say nothing.
    all_pass(&["I end with a `<review>` marker.\n\nV"]);
}

#[test]
fn a_verdict_in_a_comment_contradicts_a_pass() {
    assert_eq!(contradiction("<!-- <review>nothing</review> -->").0, Reason::UnknownWord);
    for text in ["<!-- <review>REJECTED</review> -->\n\nV", "V\n<!-- <review>REJECTED</review> -->"]
    {
        all_read(&[text], "REJECTED");
    }
}

#[test]
fn a_verdict_of_any_length_contradicts_a_pass() {
    let long = format!("<review>{}</review>", "REJECTED ".repeat(10_000));
    assert_eq!(contradiction(&long).0, Reason::UnknownWord);
    let open = format!("<review {}>REJECTED</review>", "x".repeat(100_000));
    assert_eq!(contradiction(&open).0, Reason::Malformed);
}

#[test]
fn a_verdict_in_disguise_contradicts_a_pass() {
    for other in [
        "&lt;review&gt;REJECTED&lt;/review&gt;",
        "\u{ff1c}review\u{ff1e}REJECTED\u{ff1c}/review\u{ff1e}",
        "<re\u{200d}view>REJECTED</review>",
        "\\<review>REJECTED\\</review>",
        "< review >REJECTED</ review >",
        "&#60;review&#62;REJECTED&#60;/review&#62;",
        "<review><b>REJECTED</b></review>",
    ] {
        contradiction(other);
    }
    assert_eq!(contradiction("**Verdict: REJECTED**").0, Reason::BesideMarker);
    all_pass(&["`Verdict: REJECTED` is how a fail looks.\n\nV"]);
}

#[test]
fn a_second_pass_in_any_form_contradicts_nothing() {
    all_pass(&["V\n\n`V`", "V\n\n<Review>pass</Review>", "V\n\n> V", "V\n\nV", "V\n\nI say V."]);
}

#[test]
fn an_unknown_word_is_no_verdict_and_contradicts_a_pass() {
    for word in ["MAYBE", "PASSED", "FAIL", "PASS REJECTED", "NOT PASS", "pass", "P\u{410}SS", ""] {
        let text = format!("<review>{word}</review>");
        let unknown = MarkerError::UnknownVerdict { token: word.to_owned(), line: 1 };
        assert_eq!(parse_review_marker(&text), Err(unknown));
        assert_eq!(contradiction(&text).0, Reason::UnknownWord, "{word}");
    }
}

#[test]
fn a_verdict_other_than_pass_counts_wherever_it_stands_outside_code_and_thoughts() {
    for place in [
        "R",
        "I said R at first.",
        "> R",
        "<blockquote>\nR\n</blockquote>",
        "<!-- R -->",
        "| R |",
        "[a](b \"R\")",
        "- [ ] R",
        "<div hidden>\n\nR\n\n</div>",
    ] {
        for word in ["NEEDS_REVISION", "NEEDS_CHANGES", "MAJOR_ISSUES", "REJECTED"] {
            let text = place.replace('R', &format!("<review>{word}</review>"));
            assert_eq!(read(&text), word, "{text:?}");
            assert_eq!(read(&format!("{PASS}\n\n{text}")), word, "{text:?}");
            let spread = place.replace('R', &format!("<review> {word} </review>"));
            assert_eq!(read(&spread), word, "{spread:?}");
        }
    }
    all_read(&["<review>\nREJECTED\n</review>"], "REJECTED");
    none_passes(&["`<review>REJECTED</review>`", "```\n<review>REJECTED</review>\n```"]);
    none_passes(&["<thought><review>REJECTED</review></thought>"]);
    none_passes(&["<thought>\n<review>REJECTED</review>"]);
}

#[test]
fn of_several_verdicts_the_worst_counts() {
    let order = ["PASS", "NEEDS_REVISION", "NEEDS_CHANGES", "MAJOR_ISSUES", "REJECTED"];
    for first in 0..order.len() {
        for second in 0..order.len() {
            let text = [first, second].map(|of| format!("<review>{}</review>\n", order[of]));
            assert_eq!(read(&text.concat()), order[first.max(second)], "{text:?}");
        }
    }
}

#[test]
fn a_verdict_of_another_phase_is_an_error() {
    for phase in Phase::ALL {
        for verdict in agentd::Verdict::ALL {
            let text = format!("<review>{}</review>", verdict.word());
            let found = Answer::read(&text).verdict(Some(*phase));
            if phase.verdicts().contains(verdict) {
                assert_eq!(found, Ok(*verdict));
            } else {
                let (verdict, phase) = (*verdict, *phase);
                assert_eq!(
                    found,
                    Err(MarkerError::NotOfThisStep {
                        verdict,
                        step: phase.word().to_owned(),
                        line: 1
                    })
                );
            }
        }
    }
}

#[test]
fn an_error_says_what_was_seen_and_where() {
    let error = parse_review_marker("Good.\n\n> <review>PASS</review>").expect_err("quoted");
    let seen = "`<review>PASS</review>` on line 3 is in a quotation";
    assert!(error.to_string().ends_with(seen), "{error}");
    let error = parse_review_marker("No marker.").expect_err("none");
    assert_eq!(error, MarkerError::MissingReviewMarker { ignored: Vec::new() });
}

/// Reads the status of task 1.1: none where nothing is said of it, an error where that is unclear.
fn status(text: &str) -> Result<Option<TaskStatus>, ()> {
    let answer = Answer::read(text);
    let statuses = answer.task_statuses().map_err(drop)?;
    Ok(statuses.iter().find(|(id, _)| *id == "1.1").map(|(_, status)| *status))
}

#[test]
fn the_id_of_a_task_is_an_attribute_of_its_own() {
    let done = Ok(Some(TaskStatus::Completed));
    for tag in ["<task_status id=\"1.1\">", "<task_status id='1.1'>"] {
        assert_eq!(status(&format!("{tag}COMPLETED</task_status>")), done, "{tag}");
    }
    for tag in [
        "<task_status data-id=\"1.1\">",
        "<task_status uuid=\"1.1\">",
        "<task_status note=\"id='1.1'\">",
        "<task_status id=1.1>",
        "<task_status id=\"1.1\" id=\"1.2\">",
        "<task_status>",
    ] {
        for word in ["COMPLETED", "FAILED"] {
            assert_eq!(status(&format!("{tag}{word}</task_status>")), Err(()), "{tag}{word}");
        }
    }
    // Another id speaks for no other task.
    assert_eq!(status("<task_status id=\"11.1\">COMPLETED</task_status>"), Ok(None));
}

#[test]
fn completed_counts_only_where_a_pass_would() {
    let completed = "<task_status id=\"1.1\">COMPLETED</task_status>";
    for line in ["C", "- C", "**C**", "Task 1.1: C", "- 1.1: C"] {
        let text = line.replace('C', completed).replace(&format!("{completed}OMPLETED"), "C");
        assert_eq!(status(&text), Ok(Some(TaskStatus::Completed)), "{text}");
    }
    for place in ["`C`", "> C", "```\nC\n```", "not C", "Task 1.2: C", "<!--\nC\n-->", "<pre>\nC"] {
        let text = place.replace('C', completed);
        assert_eq!(status(&text), Ok(None), "{text}");
        let answer = Answer::read(&text);
        assert!(answer.reported_statuses().is_err(), "{text}");
        let twice = format!("{completed}\n\n{text}");
        assert_eq!(Answer::read(&twice).reported_statuses().map(|all| all.len()), Ok(1), "{twice}");
    }
    let thought = "<thought><task_status id=\"1.2\">COMPLETED</task_status></thought>";
    let text = format!("{thought}\n{completed}");
    assert_eq!(Answer::read(&text).reported_statuses().map(|all| all.len()), Ok(1));
    for other in ["completed", "DONE", "COMPLETED?", ""] {
        let text = format!("<task_status id=\"1.1\">{other}</task_status>");
        assert_eq!(status(&text), Err(()), "{text}");
    }
    assert_eq!(status("<task_status id=\"1.1\">COMPLETED"), Err(()));
}

#[test]
fn an_unclear_status_says_what_is_wrong_with_it() {
    for (text, reason) in [
        ("<task_status id=\"1.1\">DONE</task_status>", Reason::UnknownWord),
        ("<task_status id='1.1'>DONE</task_status>", Reason::UnknownWord),
        ("<task_status id=\"1.1\" a=\"b\">DONE</task_status>", Reason::Malformed),
        ("<task_status id=\"1.1\">DONE", Reason::Malformed),
        ("<task_status>DONE</task_status>", Reason::Malformed),
        ("<task_status>FAILED</task_status>", Reason::Malformed),
    ] {
        let more = format!("{text}\nmore");
        let answer = Answer::read(&more);
        let Err(MarkerError::UnclearStatus(unclear)) = answer.task_statuses() else {
            panic!("{text}")
        };
        assert_eq!((unclear.reason, unclear.text.as_str()), (reason, text));
        let completed = "<task_status id=\"1.1\">COMPLETED</task_status>";
        assert_eq!(status(&format!("{completed}\n\n{text}")), Err(()), "{text}");
    }
}

#[test]
fn failed_counts_in_any_form_and_beats_completed() {
    let completed = "<task_status id=\"1.1\">COMPLETED</task_status>";
    for failed in [
        "<task_status id=\"1.1\">FAILED</task_status>",
        "<Task_Status id=\"1.1\">failed</Task_Status>",
        "<task_status id='1.1' why='x'>FAILED: no network</task_status>",
        "<task_status id=\"1.1\">FAILED",
        "<task_status id=\"1.1\"><b>FAILED</b></task_status>",
        "`<task_status id=\"1.1\">FAILED</task_status>`",
        "<!-- <task_status id=\"1.1\">FAILED</task_status> -->",
        "> I say <task_status id=\"1.1\">FAILED</task_status> here.",
    ] {
        for text in [format!("{failed}\n\n{completed}"), format!("{completed}\n\n{failed}")] {
            assert_eq!(status(&text), Ok(Some(TaskStatus::Failed)), "{text}");
        }
    }
    let unclear = "<task_status id=\"1.1\">DONE</task_status>";
    let text = format!("<task_status id=\"1.1\">FAILED</task_status>\n\n{unclear}");
    assert_eq!(status(&text), Ok(Some(TaskStatus::Failed)), "{text}");
    let thought = "<thought><task_status id=\"1.1\">FAILED</task_status></thought>";
    assert_eq!(status(&format!("{thought}\n{completed}")), Ok(Some(TaskStatus::Completed)));
}

#[test]
fn an_answer_is_read_in_linear_time() {
    for piece in [
        "a <!-- ",
        "a <!x <!-- <? <![ ",
        "a <!-- <pre> --> </pre>\n\n",
        "<div>\n<!-- <pre>\n\n",
        "a \\<pre> \\\\<pre> ",
        "<thought>",
        "<thought>a `</thought>` <review>REJECTED</review> </thought>",
        "<thought>a ` b`</thought>` <review>REJECTED</review> `<thought>`</thought>\n",
        "`<thought>` <review>PASS</review> `</thought>`",
        "**<review>PASS</review>** ",
    ] {
        let make = |size: usize| format!("<thought>{}\n\n{PASS}", piece.repeat(size / piece.len()));
        assert_linear(piece, make, |text| drop(Answer::read(text)));
        let make = |size: usize| format!("{}\n\n{PASS}", piece.repeat(size / piece.len()));
        assert_linear(piece, make, |text| drop(Answer::read(text)));
    }
}
