//! The name of a tag as a lenient eye reads it: past blanks, slashes and characters that nobody sees.

use std::ops::Range;

/// Returns whether what a lenient eye passes over may begin with a byte.
pub(super) const fn is_filler_byte(byte: usize) -> bool {
    byte <= b' ' as usize || byte == b'/' as usize || byte >= 0x7f
}

/// Finds the name after a `<`, which is empty where there is none.
#[inline]
pub(super) fn name_after(text: &str, after: usize) -> Range<usize> {
    let rest = &text[after..];
    let rest = match rest.as_bytes().first() {
        Some(first) if is_filler_byte(usize::from(*first)) => skip_filler(rest),
        _ => rest,
    };
    let start = text.len() - rest.len();
    start..start + rest.bytes().take_while(|byte| is_name_byte(*byte)).count()
}

/// Returns the name that an eye sees which passes over what is invisible in it, and where it ends; none where it is the
/// name itself.
pub(super) fn seen_further(text: &str, place: Range<usize>) -> Option<(String, usize)> {
    let rest = &text[place.end..];
    // The look at a byte is all that most names cost.
    if rest.as_bytes().first()?.is_ascii() || !rest.starts_with(is_invisible) {
        return None;
    }
    let is_part = |c: char| c.is_ascii() && is_name_byte(c as u8) || is_invisible(c);
    let end = rest.find(|c| !is_part(c)).map_or(text.len(), |end| place.end + end);
    let name = text[place.start..end].chars().filter(|c| !is_invisible(*c)).collect();
    Some((name, end))
}

/// Skips what a lenient eye passes over between `<` and a tag's name.
fn skip_filler(text: &str) -> &str {
    text.trim_start_matches(|c: char| {
        c == '/' || c.is_whitespace() || c.is_control() || is_invisible(c)
    })
}

/// Returns whether a character takes no room of its own, so that nobody sees it between others.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
    )
}

const fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b':')
}
