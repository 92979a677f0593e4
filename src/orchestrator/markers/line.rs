//! Returns whether a line holds markers and nothing else that speaks.

use super::tags;

/// What may stand before a verdict.
const LABELS: [&str; 4] = ["final verdict", "verdict", "review", "result"];

/// Returns whether a line is `<review>PASS</review>` alone, but for the signs of a list, a heading or emphasis and for a label.
pub(super) fn is_pass_alone(line: &str) -> bool {
    let Some((before, behind)) = without_passes(line) else { return false };
    let before = unadorned(before);
    let label = LABELS.iter().find(|label| starts_with(before, label));
    let is_own = match label {
        Some(label) => is_end_of_label(&before[label.len()..]),
        None => before.is_empty(),
    };
    is_own && is_sign_only(behind)
}

/// Returns whether a line is COMPLETED of tasks alone, with the same signs; a label may name the first task.
pub(super) fn is_completed_alone(line: &str) -> bool {
    let Some((before, id, behind)) = without_completed(line) else { return false };
    let before = unadorned(before);
    let named = if starts_with(before, "task ") { before[5..].trim_start() } else { before };
    let is_own = match named.strip_prefix(id) {
        Some(rest) => is_end_of_label(rest),
        None => before.is_empty(),
    };
    is_own && is_sign_only(behind)
}

/// Takes the markers out of a line: returns what stands before the first and what stands behind the last. None where a
/// tag is something else, or something stands between two that is no sign of emphasis.
fn without_passes(line: &str) -> Option<(&str, &str)> {
    let (before, mut rest) = line.split_once("<review>")?;
    loop {
        let (word, after) = rest.split_once("</review>")?;
        if word.trim_matches(is_blank) != "PASS" {
            return None;
        }
        let Some((between, next)) = after.split_once("<review>") else {
            return Some((before, after));
        };
        if !between.chars().all(is_emphasis) {
            return None;
        }
        rest = next;
    }
}

/// Takes the markers out in the same way, and returns the id of the first too.
fn without_completed(line: &str) -> Option<(&str, &str, &str)> {
    const OPEN: &str = "<task_status";
    let (before, mut rest) = line.split_at(line.find(OPEN)?);
    let mut first = None;
    loop {
        let end = rest.find('>')? + 1;
        let id = tags::id(&rest[..end])?;
        let (word, after) = rest[end..].split_once("</task_status>")?;
        if word.trim_matches(is_blank) != "COMPLETED" {
            return None;
        }
        let first = *first.get_or_insert(id);
        let Some(next) = after.find(OPEN) else {
            return Some((before, first, after));
        };
        if !after[..next].chars().all(is_emphasis) {
            return None;
        }
        rest = &after[next..];
    }
}

/// Removes the signs of lists, a heading and emphasis from the beginning of a line.
fn unadorned(line: &str) -> &str {
    // A byte order mark is not seen.
    let mut rest = line.trim_start_matches(|c| is_blank(c) || c == '\u{feff}');
    while let Some(item) = without_list_sign(rest) {
        rest = item.trim_start();
    }
    let heading = rest.trim_start_matches('#');
    if rest.len() - heading.len() <= 6 && heading.starts_with(is_blank) {
        rest = heading.trim_start();
    }
    rest.trim_start_matches(['*', '_']).trim_start_matches(is_blank)
}

/// Removes `-`, `*`, `+`, `1.` or `1)` and the blank behind it.
fn without_list_sign(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match digits {
        0 => line.strip_prefix(['-', '*', '+'])?,
        1..=9 => line[digits..].strip_prefix(['.', ')'])?,
        _ => return None,
    };
    rest.starts_with(is_blank).then_some(rest)
}

/// Returns whether nothing is left but emphasis, blanks and one colon or dash.
fn is_end_of_label(rest: &str) -> bool {
    let is_divider = |c: char| matches!(c, ':' | '-' | '\u{2013}' | '\u{2014}');
    rest.matches(is_divider).count() <= 1
        && rest.chars().all(|c| matches!(c, '*' | '_') || is_divider(c) || is_blank(c))
}

/// Returns whether nothing is left but blanks, emphasis and the end of a heading, before which a blank stands.
fn is_sign_only(rest: &str) -> bool {
    let rest = rest.trim_end_matches(|c| c == '\r' || is_blank(c));
    let behind = rest.trim_start_matches(is_emphasis);
    let is_apart = behind.is_empty() || rest[..rest.len() - behind.len()].ends_with(is_blank);
    is_apart && behind.chars().all(|c| c == '#')
}

const fn is_emphasis(c: char) -> bool {
    matches!(c, '*' | '_') || is_blank(c)
}

const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\u{a0}')
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_one_label_may_stand_beside_a_pass_and_nothing_else() {
        for line in [
            "V",
            "  V ",
            "**V**",
            "_V_",
            "***V***",
            "- V",
            "* V",
            "+ V",
            "1. V",
            "12) V",
            "- 1. V",
            "## V",
            "## V ##",
            "# **V** #",
            "Verdict: V",
            "**Verdict:** V",
            "**Verdict: V**",
            "verdict V",
            "### Final verdict: V",
            "- **Result:** **V**",
            "Review: V",
            "V V",
            "**V** _V_",
            "V\r",
            "\u{feff}# V",
        ] {
            let line = line.replace('V', "<review>PASS</review>");
            let line = line.replace("<review>PASS</review>erdict", "Verdict");
            assert!(is_pass_alone(&line), "{line}");
        }
        assert!(is_pass_alone("<review> PASS\t</review>"));
        for line in [
            "> V",
            "x V",
            "V x",
            "V.",
            "V?",
            "| V |",
            "\"V\"",
            "(V)",
            "~~V~~",
            "\\V",
            "not V",
            "Verdict: not V",
            "My verdict: V",
            "Reviewed: V",
            "Verdict:: V",
            "####### V",
            "[x] V",
            "- [ ] V",
            "V <b>",
            "V 1. ",
            "#V",
            "V#",
            "V # x",
            "V # #",
            "V # V",
            "-\u{feff}V",
            "V\u{feff}",
            "V -",
            "V:",
            "V Verdict",
            "<p>V</p>",
            "1234567890. V",
            "-V",
            "1.V",
            "\u{200f}V",
            "V <!-- x -->",
        ] {
            let line = line.replace('V', "<review>PASS</review>");
            let line = line.replace("<review>PASS</review>erdict", "Verdict");
            assert!(!is_pass_alone(&line), "{line}");
        }
        assert!(!is_pass_alone("<review>PASS</review> <review>pass</review>"));
    }

    #[test]
    fn the_task_may_be_named_beside_its_status() {
        let completed = |id: &str| format!("<task_status id=\"{id}\">COMPLETED</task_status>");
        let (one, two) = (completed("1.1"), completed("1.2"));
        for line in [
            one.clone(),
            format!("- {one}"),
            format!("**{one}**"),
            format!("{one} {two}"),
            format!("- 1.1: {one}"),
            format!("Task 1.1: {one}"),
            format!("- **Task 1.1** {one}"),
        ] {
            assert!(is_completed_alone(&line), "{line}");
        }
        for line in [
            format!("I cannot say {one}"),
            format!("{one} is wrong"),
            format!("1.2: {one}"),
            format!("{one}<task_status id=\"1.2\">FAILED</task_status>"),
        ] {
            assert!(!is_completed_alone(&line), "{line}");
        }
    }
}
