//! Text of a submission stays text: it begins no heading of the file it is written into, and leaves nothing open that
//! would swallow one.

use super::shape::{LARGEST_TEXT, LONGEST_LINE};
use crate::models::plan::OwnedPattern;
use crate::template::LineIndex;
use crate::text::excerpt::excerpt;
use crate::text::outline::outline_once;

/// A heading put behind a text. It must be found as the only one that is as high as our own.
const SENTINEL: &str = "\n\n## agentd-sentinel\n";

/// The level of the lowest headings of our own.
const OURS: u8 = 2;

/// Checks text of one line, which stands in an item of a list.
pub(super) fn check_line(text: &str, faults: &mut Vec<String>) {
    if text.len() > LONGEST_LINE {
        return faults.push(too_long(text, LONGEST_LINE));
    }
    if text.contains(['\n', '\r']) {
        return faults.push("has several lines, but must have one".into());
    }
    if is_text(text, faults) {
        check_frame(&format!("- {}", text.trim()), faults);
    }
}

/// Checks Markdown that stands below a heading of level 2.
pub(super) fn check_markdown(text: &str, faults: &mut Vec<String>) {
    if text.len() > LARGEST_TEXT {
        return faults.push(too_long(text, LARGEST_TEXT));
    }
    if is_text(text, faults) {
        check_frame(text.trim(), faults);
    }
}

/// Checks Markdown that is a file of its own.
pub(super) fn check_document(text: &str, faults: &mut Vec<String>) {
    if text.len() > LARGEST_TEXT {
        return faults.push(too_long(text, LARGEST_TEXT));
    }
    is_text(text, faults);
}

/// Checks a path or glob below the project's root, which stands between back-ticks.
pub(super) fn check_path(text: &str, faults: &mut Vec<String>) {
    if text.contains('`') {
        return faults.push("contains a back-tick".into());
    }
    if text.trim() != text {
        return faults.push("starts or ends with blanks".into());
    }
    if let Err(fault) = text.parse::<OwnedPattern>() {
        faults.push(format!("`{}` {fault}: {}", excerpt(text), fault.help()));
    }
}

/// Returns the fault of a text with more bytes than it may have.
pub(super) fn too_long(text: &str, most: usize) -> String {
    format!("has {} bytes, and the limit is {most}", text.len())
}

/// Demands words, and no control characters.
fn is_text(text: &str, faults: &mut Vec<String>) -> bool {
    if text.trim().is_empty() {
        faults.push("is empty".into());
        return false;
    }
    // `\r` counts as one unless it ends a line together with `\n`.
    let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.replace("\r\n", "\n").chars().find(|c| is_control(*c)) {
        Some(c) => {
            faults.push(format!("contains the control character U+{:04X}", u32::from(c)));
            false
        }
        None => true,
    }
}

/// Demands that a text has no headings as high as ours, and that a heading behind it still is one.
fn check_frame(text: &str, faults: &mut Vec<String>) {
    let framed = format!("{text}{SENTINEL}");
    let outline = outline_once(&framed);
    let sentinel = text.len();
    let lines = LineIndex::new(&framed);
    let high = outline.headings.iter().filter(|heading| heading.level <= OURS);
    let mut is_closed = false;
    for heading in high {
        if heading.span.start >= sentinel {
            is_closed = true;
            continue;
        }
        let line = lines.position(heading.span.start).line;
        let title = excerpt(heading.title.trim());
        let message = format!(
            "line {line}: the heading `{title}` has level {}, which is reserved for the headings of the file; \
             use level 3 or below",
            heading.level
        );
        faults.push(message);
    }
    if !is_closed {
        let message =
            "leaves a code block, a comment or HTML open, which would swallow the following text";
        faults.push(message.into());
    }
}

/// Writes text as inline code, whatever back-ticks it holds.
pub(super) fn inline_code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(check: impl Fn(&str, &mut Vec<String>), text: &str) -> Vec<String> {
        let mut faults = Vec::new();
        check(text, &mut faults);
        faults
    }

    #[test]
    fn no_text_begins_a_heading_of_ours_or_swallows_one() {
        for forged in [
            "x\n\n## Owned files/modules\n",
            "# Title",
            "Title\n=====",
            "Title\n---",
            "> ## Scope",
            "- # Scope",
            "```\nopen",
            "~~~\n```\n",
            "<!-- open",
            "<pre>\nopen",
            "<script>",
            "<![CDATA[",
            "   ## Scope",
            "    ## Scope",
        ] {
            assert!(!faults(check_markdown, forged).is_empty(), "{forged:?}");
        }
        for plain in [
            "text",
            "### Sub\n\n#### Sub",
            "```\n## in code\n```",
            "`## x`",
            "a # b",
            "<!-- x -->",
            "\\# no heading",
            "| a | b |\n|---|---|\n| 1 | 2 |",
        ] {
            assert_eq!(faults(check_markdown, plain), [""; 0], "{plain:?}");
        }
    }

    #[test]
    fn a_line_is_one_line_and_no_heading_in_its_item() {
        for forged in ["a\nb", "## Scope", "# x", " ", "a\0b", "\u{1b}[1m", "1. ## x", "> # x"] {
            assert!(!faults(check_line, forged).is_empty(), "{forged:?}");
        }
        for plain in ["Add login", "use `x` for #1", "<b>", "- nested", "```"] {
            assert_eq!(faults(check_line, plain), [""; 0], "{plain:?}");
        }
    }

    #[test]
    fn a_path_stays_below_the_root_and_in_its_back_ticks() {
        for wrong in [
            "",
            "/etc",
            "a/../b",
            "..",
            "./a",
            "a//b",
            "a`b",
            "a\nb",
            " a",
            "~/x",
            "a\\b",
            "a**/b",
            "{a,b}",
            ".git/hooks",
            "vendor/.git/config",
        ] {
            assert!(!faults(check_path, wrong).is_empty(), "{wrong:?}");
        }
        for right in ["src/login.rs", "src/**", "src/", "app/[id]/page.tsx", "*.md"] {
            assert_eq!(faults(check_path, right), [""; 0], "{right:?}");
        }
    }

    #[test]
    fn inline_code_holds_back_ticks() {
        assert_eq!(inline_code("cargo test"), "`cargo test`");
        assert_eq!(inline_code("echo `id`"), "`` echo `id` ``");
    }
}
