//! A change's entry in the changelog: under `## Unreleased`, at the top, and nothing else moves.

use crate::models::change::ChangeId;
use crate::text::outline::{Heading, outline_once, same_title};

/// Puts a change's entry into a changelog, which is made where there is none. What is there stays byte for byte, and
/// an entry that is there already is not added again.
///
/// ```
/// use agentd::engine::archive::merge;
///
/// let id = "add-login".parse().unwrap();
/// let changelog = merge(None, &id, "Sign in", "### Added\n\n- Signing in\n");
/// assert_eq!(
///     changelog,
///     "# Changelog\n\n## Unreleased\n\n### Sign in (`add-login`)\n\n#### Added\n\n- Signing in\n"
/// );
/// assert_eq!(merge(Some(&changelog), &id, "Sign in", "### Added\n\n- Signing in\n"), changelog);
/// ```
pub fn merge(changelog: Option<&str>, change: &ChangeId, title: &str, entry: &str) -> String {
    let old = match changelog {
        Some(text) if !text.trim().is_empty() => text,
        Some(_) | None => "# Changelog\n",
    };
    let entry = with_heading(change, title, entry);
    let outline = outline_once(old);
    // Only a heading at the beginning of a line begins a section; one in a list or a quotation does not.
    let at_line =
        |heading: &&Heading| heading.span.start == 0 || old[..heading.span.start].ends_with('\n');
    let mut headings = outline.headings.iter().filter(at_line);
    let first = headings.clone().find(|heading| heading.level == 2);
    let Some(unreleased) = headings.find(|heading| is_unreleased(heading)) else {
        let has_title = outline.headings.iter().any(|heading| heading.level == 1);
        let end = if has_title { old.len() } else { 0 };
        let at = first.map_or(end, |heading| heading.span.start);
        return insert(old, at, &format!("## Unreleased\n\n{entry}"));
    };
    let end = outline
        .headings
        .iter()
        .filter(at_line)
        .find(|heading| heading.level <= 2 && heading.span.start > unreleased.span.start);
    let end = end.map_or(old.len(), |heading| heading.span.start);
    let section = old[unreleased.span.end..end].replace("\r\n", "\n");
    if format!("{section}\n").contains(&format!("\n{entry}\n")) {
        return old.to_owned();
    }
    let after =
        old[unreleased.span.end..].find('\n').map_or(old.len(), |at| unreleased.span.end + at + 1);
    insert(old, after, &entry)
}

/// Takes the entry of a change out of a changelog; none where it does not stand there once, as it was put in.
pub(super) fn without(
    changelog: &str,
    change: &ChangeId,
    title: &str,
    entry: &str,
) -> Option<String> {
    let end = if changelog.contains("\r\n") { "\r\n" } else { "\n" };
    let entry = with_heading(change, title, entry).replace('\n', end);
    let is_whole = |(at, _): &(usize, &str)| {
        let (before, rest) = (&changelog[..*at], &changelog[at + entry.len()..]);
        (before.is_empty() || before.ends_with('\n')) && (rest.is_empty() || rest.starts_with(end))
    };
    let mut found = changelog.match_indices(&entry).filter(is_whole);
    let ((at, _), None) = (found.next()?, found.next()) else { return None };
    let (before, rest) = (&changelog[..at], &changelog[at + entry.len()..]);
    let rest = rest.strip_prefix(end).unwrap_or(rest);
    let before = if rest.is_empty() { before.strip_suffix(end).unwrap_or(before) } else { before };
    Some([before, rest].concat())
}

fn is_unreleased(heading: &Heading) -> bool {
    let title = heading.title.trim().trim_start_matches('[').trim_end_matches(']');
    heading.level == 2 && same_title(title, "Unreleased")
}

/// Returns the entry a heading, and puts its groups one level below it.
fn with_heading(change: &ChangeId, title: &str, entry: &str) -> String {
    let entry = entry.replace("\r\n", "\n");
    let mut lowered = String::new();
    let mut copied = 0;
    for heading in outline_once(&entry).headings {
        if entry[heading.span.start..].starts_with('#') && heading.level < 6 {
            lowered.push_str(&entry[copied..heading.span.start]);
            lowered.push('#');
            copied = heading.span.start;
        }
    }
    lowered.push_str(&entry[copied..]);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("### {title} (`{change}`)\n\n{}\n", lowered.trim())
}

/// Puts a piece in at the beginning of a line, an empty line before and after it, with the ends of lines that the
/// text has.
fn insert(old: &str, at: usize, piece: &str) -> String {
    let (before, after) = old.split_at(at);
    let mut new = String::new();
    let ends: usize = before
        .bytes()
        .rev()
        .filter(|byte| *byte != b'\r')
        .take_while(|byte| *byte == b'\n')
        .count();
    if !before.is_empty() {
        new.push_str(&"\n".repeat(2_usize.saturating_sub(ends)));
    }
    new.push_str(piece);
    if !after.is_empty() && !after.starts_with(['\n', '\r']) {
        new.push('\n');
    }
    let new = if old.contains("\r\n") { new.replace('\n', "\r\n") } else { new };
    [before, &new, after].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRY: &str = "### Added\n\n- Signing in\n\n### Fixed\n\n- It\n";
    const SHOWN: &str =
        "### Sign in (`login`)\n\n#### Added\n\n- Signing in\n\n#### Fixed\n\n- It\n";

    fn merged(old: &str) -> String {
        let id = "login".parse().unwrap();
        let new = merge(Some(old), &id, " Sign\nin ", ENTRY);
        assert_eq!(merge(Some(&new), &id, "Sign in", ENTRY), new, "twice is once");
        assert_eq!(merge(Some(&new), &id, "Sign in", &ENTRY.replace('\n', "\r\n")), new);
        new
    }

    #[test]
    fn an_entry_goes_to_the_top_of_what_is_unreleased() {
        for (old, expected) in [
            ("", format!("# Changelog\n\n## Unreleased\n\n{SHOWN}")),
            ("# Log\n\n## Unreleased\n", format!("# Log\n\n## Unreleased\n\n{SHOWN}")),
            ("# Log\n\n## Unreleased", format!("# Log\n\n## Unreleased\n\n{SHOWN}")),
            (
                "## [unreleased]\n\n- x\n\n## 1.0\n",
                format!("## [unreleased]\n\n{SHOWN}\n- x\n\n## 1.0\n"),
            ),
            (
                "# Log\n\nIntro.\n\n## 1.0\n\n- x",
                format!("# Log\n\nIntro.\n\n## Unreleased\n\n{SHOWN}\n## 1.0\n\n- x"),
            ),
            ("# Log\n\nIntro.", format!("# Log\n\nIntro.\n\n## Unreleased\n\n{SHOWN}")),
            ("old notes\n", format!("## Unreleased\n\n{SHOWN}\nold notes\n")),
            (
                "```\n## Unreleased\n```\n\n## 1.0\n",
                format!("```\n## Unreleased\n```\n\n## Unreleased\n\n{SHOWN}\n## 1.0\n"),
            ),
        ] {
            assert_eq!(merged(old), expected, "{old:?}");
        }
        let windows = merged("# Log\r\n\r\n## Unreleased\r\n\r\n- x\r\n");
        assert_eq!(
            windows,
            format!("# Log\n\n## Unreleased\n\n{SHOWN}\n- x\n").replace('\n', "\r\n")
        );
    }

    #[test]
    fn another_entry_of_the_same_name_is_added_and_a_released_one_does_not_count() {
        let id = "login".parse().unwrap();
        let one = merged("");
        let two = merge(Some(&one), &id, "Sign in", "### Fixed\n\n- More\n");
        assert_eq!(two.matches("(`login`)").count(), 2);
        assert_eq!(merge(Some(&two), &id, "Sign in", ENTRY), two, "also below another");
        let released = one.replace("## Unreleased", "## 1.0");
        assert_eq!(merged(&released).matches("(`login`)").count(), 2);
    }

    #[test]
    fn an_entry_is_taken_out_again_and_nothing_else_moves() {
        let id = "login".parse().unwrap();
        let take = |text: &str| without(text, &id, "Sign in", ENTRY);
        for old in [
            "# Log\n\n## Unreleased\n",
            "## [unreleased]\n\n- x\n\n## 1.0\n",
            "# Log\r\n\r\n## Unreleased\r\n\r\n- x\r\n",
        ] {
            assert_eq!(take(&merged(old)).as_deref(), Some(old));
        }
        let two = merge(Some(&merged("## Unreleased\n")), &id, "Other", "### Fixed\n\n- More\n");
        let rest = take(&two).unwrap();
        assert!(rest.contains("- More") && !rest.contains("Signing in"), "{rest}");
        // One that somebody went on with, or that is there twice, is left alone.
        assert_eq!(take(&merged("").replace("- It\n", "- It\n- And that\n")), None);
        let once = merged("");
        assert_eq!(take(&format!("{once}\n{once}")), None);
        assert_eq!(take("# Log\n"), None);
    }
}
