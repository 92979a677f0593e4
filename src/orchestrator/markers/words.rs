//! Finds verdicts that are named without a marker of ours, as in "Verdict: REJECTED": they contradict a PASS.

use memchr::memmem;

const WORDS: [&str; 5] = ["NEEDS_REVISION", "NEEDS_CHANGES", "MAJOR_ISSUES", "REJECTED", "FAIL"];
const LABELS: [&str; 4] = ["verdict", "result", "review", "reviews"];

/// So many bytes before a word are looked at for its label.
const WINDOW: usize = 32;

/// Returns where such words begin, in order, with their lengths.
pub(super) fn labelled(text: &str) -> Vec<(usize, usize)> {
    let find = |word: &'static str| {
        let places = memmem::find_iter(text.as_bytes(), word.as_bytes());
        places.filter(move |at| is_labelled(text, *at, word.len())).map(move |at| (at, word.len()))
    };
    let mut found: Vec<_> = WORDS.into_iter().flat_map(find).collect();
    found.sort_unstable();
    found
}

/// Returns whether a whole word stands behind a label, with a sign that assigns it and at most one line break between.
fn is_labelled(text: &str, at: usize, length: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    if text[at + length..].starts_with(is_part) {
        return false;
    }
    let window = &text[text.ceil_char_boundary(at.saturating_sub(WINDOW))..at];
    let label = window.trim_end_matches(|c: char| !c.is_alphanumeric());
    let between = &window[label.len()..];
    let start = label.trim_end_matches(char::is_alphabetic).len();
    // A marker of ours is judged as that.
    let is_marker = between == ">" && label.ends_with("<review");
    !is_marker
        && between.contains([':', '=', '>', '"', ']'])
        && between.matches('\n').count() <= 1
        && LABELS.iter().any(|own| label[start..].eq_ignore_ascii_case(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_behind_a_label_is_found_and_one_in_a_sentence_is_not() {
        for text in [
            "Verdict: REJECTED",
            "## Verdict: NEEDS_REVISION",
            "**Verdict: FAIL**",
            "Verdict:\nNEEDS_CHANGES",
            "{\"verdict\":\"MAJOR_ISSUES\"}",
            "<verdict>REJECTED</verdict>",
            "<review_result>REJECTED<",
            "[review]REJECTED[/review]",
            "review: REJECTED",
            "Result = FAIL",
        ] {
            assert_eq!(labelled(text).len(), 1, "{text}");
        }
        for text in [
            "The review said NEEDS_CHANGES",
            "Verdict: PASS",
            "verdict REJECTED",
            "Verdict: FAILED_TESTS",
            "Verdict:\n\nREJECTED",
            "<review>REJECTED</review>",
            "REJECTED",
            "Verdict: not REJECTED",
        ] {
            assert_eq!(labelled(text), [], "{text}");
        }
    }
}
