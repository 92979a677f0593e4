//! Makes control characters visible, so that text from an agent cannot command a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes what a terminal would interpret: control characters except tab and line break, and marks that reorder text.
/// Nothing is lost; each becomes its escape, such as `\u{1b}`.
pub(crate) fn escape_control(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_hidden(c) {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Escapes in JSON what a terminal would interpret, so that it stays the same JSON: such characters occur only in
/// strings.
pub(crate) fn escape_json(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) {
            // All of them are in the Basic Multilingual Plane, so one escape is enough.
            let _ = write!(text, "\\u{:04x}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text
}

/// Returns whether a terminal would interpret a character rather than show it.
pub(super) fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{61c}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_and_nothing_after_it_is_lost() {
        assert_eq!(escape_control("plain\ttext\né"), Cow::Borrowed("plain\ttext\né"));
        assert_eq!(escape_control("\u{1b}]52;c;x\u{7}after"), "\\u{1b}]52;c;x\\u{7}after");
        assert_eq!(escape_control("\u{1b}]0;never ended"), "\\u{1b}]0;never ended");
        assert_eq!(escape_control("a\rb\u{9b}c\u{202e}d\0"), "a\\u{d}b\\u{9b}c\\u{202e}d\\u{0}");
    }
}
