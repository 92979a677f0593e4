//! Decides how text is written. Three things must hold: a reader gets the same text back, a model never
//! sees a tag that we did not write, and code stays readable.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memmem};

/// Which of our own tags stay as they are in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markers {
    /// None: all of them are taken apart.
    Guarded,
    /// The response markers, which the agent must be able to read in its system prompt.
    Plain,
}

/// Tags that no text may show.
const STRUCTURE: [&[u8]; 6] =
    [b"prompt", b"system_prompt", b"context", b"file", b"artifact", b"instructions"];
/// Tags that only a system prompt may show.
const MARKERS: [&[u8]; 3] = [b"thought", b"review", b"task_status"];

const CDATA_OPEN: &str = "<![CDATA[";
const CDATA_CLOSE: &str = "]]>";
/// Stands for a `<` that would begin a tag: out of the CDATA section, the character, and in again.
const GAP: &str = "]]>&lt;<![CDATA[";

/// Sends `text` in the pieces in which it is written between two tags.
pub(super) fn guarded<E>(
    text: &str,
    markers: Markers,
    mut send: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let closer = memmem::find(text.as_bytes(), CDATA_CLOSE.as_bytes());
    if closer.is_none() && memchr2(b'<', b'&', text.as_bytes()).is_none() {
        return send(text);
    }
    send(CDATA_OPEN)?;
    let mut rest = text;
    let mut closer = closer;
    while let Some(at) = closer {
        let (chunk, after) = rest.split_at(at + 2);
        without_tags(chunk, markers, &mut send)?;
        send(CDATA_CLOSE)?;
        send(CDATA_OPEN)?;
        rest = after;
        closer = memmem::find(rest.as_bytes(), CDATA_CLOSE.as_bytes());
    }
    without_tags(rest, markers, &mut send)?;
    send(CDATA_CLOSE)
}

/// Sends the inside of a CDATA section with a gap in place of every `<` that would begin a tag.
fn without_tags<E>(
    text: &str,
    markers: Markers,
    send: &mut impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut sent = 0;
    for at in memchr_iter(b'<', text.as_bytes()) {
        if begins_tag(&text[at + 1..], markers) {
            send(&text[sent..at])?;
            send(GAP)?;
            sent = at + 1;
        }
    }
    send(&text[sent..])
}

/// Says whether the text after a `<` makes it the beginning of a declaration or of one of our tags.
fn begins_tag(after: &str, markers: Markers) -> bool {
    let Some(&first) = after.as_bytes().first() else {
        return false;
    };
    match first {
        b'!' | b'?' => true,
        b'a'..=b'z' | b'A'..=b'Z' => begins_with_tag_name(after, markers),
        b'/' => begins_with_tag_name(skip_filler(after), markers),
        _ if first.is_ascii_whitespace() || !first.is_ascii() => {
            begins_with_tag_name(skip_filler(after), markers)
        }
        _ => false,
    }
}

/// Skips what a lenient eye passes over between `<` and a tag's name.
fn skip_filler(text: &str) -> &str {
    let is_invisible = |c: char| matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    text.trim_start_matches(|c: char| c == '/' || c.is_whitespace() || is_invisible(c))
}

fn begins_with_tag_name(text: &str, markers: Markers) -> bool {
    let bytes = text.as_bytes();
    let named = |tag: &&[u8]| {
        bytes.len() >= tag.len()
            && bytes[..tag.len()].eq_ignore_ascii_case(tag)
            && !bytes.get(tag.len()).is_some_and(|byte| is_name_byte(*byte))
    };
    STRUCTURE.iter().any(named) || (markers == Markers::Guarded && MARKERS.iter().any(named))
}

const fn is_name_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b':')
}

/// Sends a name in the pieces in which it is written between single quotes.
pub(super) fn attribute<E>(
    text: &str,
    mut send: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut sent = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            b'\'' => "&apos;",
            b'"' => "&quot;",
            b'\t' => "&#9;",
            b'\n' => "&#10;",
            b'\r' => "&#13;",
            _ => continue,
        };
        send(&text[sent..at])?;
        send(entity)?;
        sent = at + 1;
    }
    send(&text[sent..])
}

/// Replaces the characters that XML forbids, and counts them.
pub(in super::super) fn sanitized(text: &str) -> (Cow<'_, str>, usize) {
    if !may_hold_forbidden(text.as_bytes()) {
        return (Cow::Borrowed(text), 0);
    }
    let replaced = text.chars().filter(|c| is_forbidden(*c)).count();
    if replaced == 0 {
        return (Cow::Borrowed(text), 0);
    }
    let clean = text.chars().map(|c| if is_forbidden(c) { '\u{fffd}' } else { c }).collect();
    (Cow::Owned(clean), replaced)
}

const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Looks quickly for any byte of a forbidden character: no branch in the loop, so that it is vectorized.
fn may_hold_forbidden(bytes: &[u8]) -> bool {
    const BLOCK: usize = 4096;
    let is_control = |byte: u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r');
    let has_control = |block: &[u8]| block.iter().fold(false, |any, byte| any | is_control(*byte));
    bytes.chunks(BLOCK).any(has_control) || memchr(0xef, bytes).is_some()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn written(text: &str, markers: Markers) -> String {
        let mut out = String::new();
        let result: Result<(), Infallible> = guarded(text, markers, |piece| {
            out.push_str(piece);
            Ok(())
        });
        assert!(result.is_ok());
        out
    }

    #[test]
    fn plain_text_and_code_stay_as_they_are() {
        assert_eq!(written("Add login > now", Markers::Guarded), "Add login > now");
        assert_eq!(written("a < b && c", Markers::Guarded), "<![CDATA[a < b && c]]>");
        assert_eq!(written("Vec<Files>", Markers::Guarded), "<![CDATA[Vec<Files>]]>");
    }

    #[test]
    fn what_would_begin_a_tag_is_taken_apart() {
        for forged in [
            "<file>",
            "</FILE>",
            "< / File >",
            "<\n\tcontext a='",
            "<!--",
            "<?xml",
            "<review>",
            "<\u{200b}prompt",
        ] {
            let expected = format!("<![CDATA[x{GAP}{}]]>", &forged[1..]);
            assert_eq!(written(&format!("x{forged}"), Markers::Guarded), expected, "{forged}");
        }
    }

    #[test]
    fn response_markers_stay_readable_in_a_system_prompt() {
        let text = "<review>PASS</review> <thought> <file>";
        let expected = format!("<![CDATA[<review>PASS</review> <thought> {GAP}file>]]>");
        assert_eq!(written(text, Markers::Plain), expected);
    }

    #[test]
    fn the_end_of_a_section_is_split() {
        assert_eq!(written("a]]>b", Markers::Guarded), "<![CDATA[a]]]]><![CDATA[>b]]>");
        assert_eq!(
            written("]]]>]]>", Markers::Guarded),
            "<![CDATA[]]]]]><![CDATA[>]]]]><![CDATA[>]]>"
        );
    }

    #[test]
    fn forbidden_characters_are_replaced_and_counted() {
        assert_eq!(sanitized("a\tb\r\n"), (Cow::Borrowed("a\tb\r\n"), 0));
        let (clean, replaced) = sanitized("\0\u{b}\u{fffe}\u{feff}é\u{ffff}\u{1f}");
        assert_eq!(
            (clean.as_ref(), replaced),
            ("\u{fffd}\u{fffd}\u{fffd}\u{feff}é\u{fffd}\u{fffd}", 5)
        );
        let (_, replaced) = sanitized(&format!("{}\u{1}", "x".repeat(5000)));
        assert_eq!(replaced, 1);
    }
}
