//! Decides how text is written. Three things must hold: a reader gets the same text back, a model never
//! sees a tag that we did not write, and code stays readable.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::{memchr2, memmem};

use crate::catalog::CATALOG;
use crate::template::{Ending, Tags};

/// Which of our own tags stay as they are in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Markers {
    /// None: all of them are taken apart, the frames of templates too.
    Guarded,
    /// The response markers and the frames, which a system prompt is made of. What was filled in between them is
    /// guarded already.
    Plain,
}

impl Markers {
    /// Returns the tags that are taken apart.
    fn apart(self) -> &'static Tags<'static> {
        static STRUCTURE: Tags<'static> = Tags::STRUCTURE;
        match self {
            Self::Guarded => CATALOG.tags,
            Self::Plain => &STRUCTURE,
        }
    }
}

const CDATA_OPEN: &str = "<![CDATA[";
const CDATA_CLOSE: &str = "]]>";
static CLOSER: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new(CDATA_CLOSE));
/// Stands for a `<` that would begin a tag: out of the CDATA section, the character, and in again.
const GAP: &str = "]]>&lt;<![CDATA[";

/// What follows the `<` of a comment, a section or an instruction to a processor.
const DECLARATIONS: &[u8] = b"!?";

/// Sends `text` in the pieces in which it is written between two tags.
pub(super) fn guarded<E>(
    text: &str,
    markers: Markers,
    mut send: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut closers = CLOSER.find_iter(text.as_bytes()).peekable();
    if closers.peek().is_none() && memchr2(b'<', b'&', text.as_bytes()).is_none() {
        return send(text);
    }
    send(CDATA_OPEN)?;
    let mut sent = 0;
    for closer in closers {
        without_tags(&text[sent..closer + 2], markers, &mut send)?;
        send(CDATA_CLOSE)?;
        send(CDATA_OPEN)?;
        sent = closer + 2;
    }
    without_tags(&text[sent..], markers, &mut send)?;
    send(CDATA_CLOSE)
}

/// Sends the inside of a CDATA section with a gap in place of every `<` that would begin a tag.
fn without_tags<E>(
    text: &str,
    markers: Markers,
    send: &mut impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut sent = 0;
    for at in markers.apart().openers(text, 0, (DECLARATIONS, Ending::Closed)) {
        send(&text[sent..at])?;
        send(GAP)?;
        sent = at + 1;
    }
    send(&text[sent..])
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
pub(crate) fn sanitized(text: &str) -> (Cow<'_, str>, usize) {
    if !has_forbidden(text.as_bytes()) {
        return (Cow::Borrowed(text), 0);
    }
    let replaced = text.chars().filter(|c| is_forbidden(*c)).count();
    let clean = text.chars().map(|c| if is_forbidden(c) { '\u{fffd}' } else { c }).collect();
    (Cow::Owned(clean), replaced)
}

const fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Tab and `\n` are 9 and 10: what is left of the control characters are the bytes under 9, and those that are at most
/// this far from 11.
const LAST_FROM_ELEVEN: u8 = 0x1f - 11;

/// Looks for a character that XML forbids. The loops over a block have no branches, so that they are vectorized; the
/// first takes three steps a byte and settles all text whose only control characters are tabs and `\n`.
pub(crate) fn has_forbidden(bytes: &[u8]) -> bool {
    const BLOCK: usize = 1 << 14;
    let mut highest = 0;
    let mut has_control = false;
    for block in bytes.chunks(BLOCK) {
        let mut lowest = 0xff;
        let mut from_eleven = 0xff;
        for byte in block {
            lowest = u8::min(lowest, *byte);
            from_eleven = u8::min(from_eleven, byte.wrapping_sub(11));
            highest = u8::max(highest, *byte);
        }
        has_control |=
            lowest < 9 || (from_eleven <= LAST_FROM_ELEVEN && has_more_than_returns(block));
    }
    // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
    let is_noncharacter = |at: usize| bytes.get(at + 2) >= Some(&0xbe);
    has_control || (highest >= 0xef && memmem::find_iter(bytes, b"\xef\xbf").any(is_noncharacter))
}

/// Returns whether a block without bytes under 9 has a control character beside tabs, `\n` and `\r`.
fn has_more_than_returns(block: &[u8]) -> bool {
    let is_control =
        |byte: u8| u8::from(byte.wrapping_sub(11) <= LAST_FROM_ELEVEN) & u8::from(byte != b'\r');
    block.iter().fold(0, |any, byte| any | is_control(*byte)) != 0
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
            "</open_tasks>",
            "< Requirements_MD",
        ] {
            let expected = format!("<![CDATA[x{GAP}{}]]>", &forged[1..]);
            assert_eq!(written(&format!("x{forged}"), Markers::Guarded), expected, "{forged}");
        }
    }

    #[test]
    fn response_markers_stay_readable_in_a_system_prompt() {
        let text = "<review>PASS</review> <thought> <open_tasks> <file>";
        let expected =
            format!("<![CDATA[<review>PASS</review> <thought> <open_tasks> {GAP}file>]]>");
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

    #[test]
    fn every_character_that_xml_forbids_is_found_alone_and_no_other_costs_a_copy() {
        for c in (0..=0x1_ffff).filter_map(char::from_u32) {
            let is_allowed = matches!(
                c,
                '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..
            );
            let text = format!("ab{c}\tc\r\n");
            let (clean, replaced) = sanitized(&text);
            assert_eq!(replaced, usize::from(!is_allowed), "{c:?}");
            assert_eq!(matches!(clean, Cow::Borrowed(_)), is_allowed, "{c:?}");
        }
    }

    #[test]
    fn a_forbidden_character_is_found_wherever_it_stands_and_however_many_there_are() {
        for forbidden in ['\u{1}', '\u{1f}', '\u{ffff}'] {
            for at in [0, 1, (1 << 14) - 1, 1 << 14, 3 << 14] {
                let text = format!("{}{forbidden}{}", "x".repeat(at), "y".repeat(1 << 14));
                assert_eq!(sanitized(&text).1, 1, "{forbidden:?} at {at}");
                assert_eq!(sanitized(&text.repeat(2)).1, 2, "{forbidden:?} at {at}, twice");
            }
            let text = forbidden.to_string().repeat(2);
            assert_eq!(sanitized(&text), (Cow::Borrowed("\u{fffd}\u{fffd}"), 2), "{forbidden:?}");
        }
    }

    #[test]
    fn no_character_of_a_name_ends_its_quotes_or_is_changed_by_a_reader() {
        let mut out = String::new();
        let result: Result<(), Infallible> = attribute("a<b>c&d'e\"f\tg\nh\ri", |piece| {
            out.push_str(piece);
            Ok(())
        });
        assert!(result.is_ok());
        assert_eq!(out, "a&lt;b&gt;c&amp;d&apos;e&quot;f&#9;g&#10;h&#13;i");
    }
}
