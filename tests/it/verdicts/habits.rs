//! How models write a verdict when they mean it: each passes at once, without a second call.

use super::read;

const PASS: &str = "<review>PASS</review>";

fn passes(text: &str) {
    let text = text.replace("{PASS}", PASS);
    assert_eq!(read(&text), "PASS", "{text:?}");
    assert_eq!(read(&text.replace('\n', "\r\n")), "PASS", "with CRLF: {text:?}");
}

#[test]
fn a_verdict_in_bold_passes() {
    passes("All good.\n\n**{PASS}**\n");
    passes("All good.\n\n__{PASS}__\n");
}

#[test]
fn a_verdict_as_a_list_item_passes() {
    passes("- Tests are green.\n- {PASS}\n");
    passes("1. Tests are green.\n2. {PASS}\n");
    passes("* Verdict\n  * {PASS}\n");
}

#[test]
fn a_verdict_after_a_fenced_log_passes() {
    passes(
        "I ran the tests:\n\n```console\n$ cargo test\nVec<u8> <T> </x> <!-- `\n```\n\n{PASS}\n",
    );
    passes("```\nok\n```\n{PASS}");
    passes("1. Log:\n   ```\n   ok\n   ```\n\n{PASS}");
}

#[test]
fn a_verdict_after_a_table_passes() {
    passes("| file | state |\n|---|---|\n| `a.rs` | good |\n\n{PASS}\n");
    passes("| file | state |\n|---|---|\n| `a.rs` | good |\n{PASS}\n");
}

#[test]
fn a_verdict_with_a_summary_behind_it_passes() {
    passes("{PASS}\n\n## Summary\n\nI read all files and ran `cargo test`.\n");
}

#[test]
fn a_verdict_with_a_last_sentence_on_another_line_passes() {
    passes("{PASS}\nNothing else to say.");
    passes("No FAIL in the logs; nothing was REJECTED.\n{PASS}\nThe tests PASS.\n");
}

#[test]
fn a_verdict_in_a_response_element_passes() {
    passes("<response>\n{PASS}\n</response>");
    passes("<response kind=\"final\">\n\nGood.\n\n{PASS}\n\n</response>\n");
    passes("<answer>\n<final>\n{PASS}\n</final>\n</answer>");
}

#[test]
fn a_verdict_behind_a_bold_label_passes() {
    passes("**Verdict:** {PASS}");
    passes("**Final Verdict**: {PASS}");
    passes("*Result:* {PASS}");
    passes("**Review \u{2014} {PASS}**");
}

#[test]
fn a_verdict_in_a_heading_passes() {
    passes("### {PASS}");
    passes("## Verdict: {PASS}\n\nGood.");
    passes("## Verdict\n\n{PASS}\n");
}

#[test]
fn a_verdict_with_blanks_behind_it_passes() {
    passes("Good.\n\n{PASS}   \n");
    passes("Good.  \n{PASS}\t");
    passes("Verdict:\n{PASS}\n\n\n");
}

#[test]
fn a_verdict_between_rules_passes() {
    passes("Good.\n\n---\n\n{PASS}\n\n---\n");
}

#[test]
fn a_verdict_after_a_thought_passes() {
    passes("<thought>\nCould `x` fail? <review>NEEDS_CHANGES</review>?\nNo.\n</thought>\n\n{PASS}");
}

#[test]
fn a_verdict_after_folded_details_passes() {
    passes("<details>\n<summary>Log</summary>\n\n```\nok\n```\n\n</details>\n\n{PASS}");
}

#[test]
fn a_verdict_after_a_mention_of_the_tags_passes() {
    passes("As asked I end with a `<review>` marker, after a `<thought>`.\n\n{PASS}");
}
