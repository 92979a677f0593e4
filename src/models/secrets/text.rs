//! Words and escapes in text that may hold secrets.

/// What stands where a text was cut.
pub(super) const CUT: &str = "…";

pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

pub(super) fn word_end(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|byte| is_word(**byte)).count()
}

/// Returns where a word really begins that begins here by its characters: after the rest of an escape (`\n`, `\u0022`, `%22`)
/// or of what sets a colour.
pub(super) fn skip_escape(text: &[u8], at: usize) -> usize {
    let before = |back: usize| at.checked_sub(back).map(|place| text[place]);
    let hex = |from: usize, count: usize| {
        let digits = text.get(from..from + count);
        digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit)).map(|_| from + count)
    };
    let skipped = match (before(1), text[at]) {
        (Some(b'\\'), b'u') => hex(at + 1, 4),
        (Some(b'\\'), b'x') => hex(at + 1, 2),
        (Some(b'\\'), b'n' | b'r' | b't' | b'b' | b'f' | b'v') => Some(at + 1),
        (Some(b'%'), _) => hex(at, 2),
        // The set of characters that a terminal is put back to.
        (Some(b'('), b'B') if before(2) == Some(0x1b) => Some(at + 1),
        (Some(b'[' | b';'), _) => {
            let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            (text.get(at + digits) == Some(&b'm')).then_some(at + digits + 1)
        }
        _ => None,
    };
    skipped.unwrap_or(at)
}
