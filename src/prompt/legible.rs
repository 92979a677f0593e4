//! Makes text of the bytes of any file, so that a prompt holds what can be read and says what cannot.

use std::borrow::Cow;

use log::warn;

use super::confined::{Appended, ConfinedFolder};
use crate::models::envelope::{has_forbidden, sanitized};
use crate::template::IncludeFault;

/// A file with a NUL among so many first bytes is binary.
const HEAD: usize = 8 << 10;

/// What a file is to a reader of text.
#[derive(Debug, PartialEq, Eq)]
enum Legible<'b> {
    /// Text, in which so many wrong bytes or characters were replaced by U+FFFD.
    Text(Cow<'b, str>, usize),
    /// No text at all.
    Binary,
}

/// Adds the text of a file of at most `limit` bytes to the end of `out`, and says whether there is such a file.
///
/// Bytes that are not UTF-8 and characters that no document may hold become U+FFFD, which is said; a binary file is
/// left out, and a note stands in its place. People know the file as `shown`.
pub(super) fn append(
    folder: &ConfinedFolder,
    path: &str,
    shown: &str,
    limit: u64,
    out: &mut String,
) -> Result<bool, IncludeFault> {
    let start = out.len();
    match folder.append_text(path, limit, out)? {
        Appended::Absent => return Ok(false),
        Appended::Text if !has_forbidden(&out.as_bytes()[start..]) => {}
        Appended::Text => {
            let text = out.split_off(start);
            append_bytes(shown, text.as_bytes(), out);
        }
        Appended::Bytes(bytes) => append_bytes(shown, &bytes, out),
    }
    Ok(true)
}

fn append_bytes(shown: &str, bytes: &[u8], out: &mut String) {
    match legible(bytes) {
        Legible::Text(text, replaced) => {
            out.push_str(&text);
            if replaced > 0 {
                warn!(
                    "{replaced} characters of `{shown}` cannot be read: they are replaced by U+FFFD"
                );
            }
        }
        Legible::Binary => {
            out.push_str(&format!("(binary file `{shown}` of {} bytes, left out)", bytes.len()));
            warn!("`{shown}` is a binary file: its content is left out");
        }
    }
}

fn legible(bytes: &[u8]) -> Legible<'_> {
    if memchr::memchr(0, &bytes[..bytes.len().min(HEAD)]).is_some() {
        return Legible::Binary;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let (text, replaced) = sanitized(text);
        return Legible::Text(text, replaced);
    }
    let wrong =
        || bytes.utf8_chunks().map(|chunk| chunk.invalid()).filter(|wrong| !wrong.is_empty());
    // Text with the odd wrong byte stays text. In what is no text, about every other byte is wrong.
    if wrong().map(<[u8]>::len).sum::<usize>() > bytes.len() / 3 {
        return Legible::Binary;
    }
    let lossy = String::from_utf8_lossy(bytes);
    let (text, replaced) = sanitized(&lossy);
    Legible::Text(Cow::Owned(text.into_owned()), replaced + wrong().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> (String, usize) {
        match legible(bytes) {
            Legible::Text(text, replaced) => (text.into_owned(), replaced),
            Legible::Binary => panic!("{bytes:?} is text"),
        }
    }

    #[test]
    fn what_cannot_be_read_is_replaced_and_counted() {
        assert!(matches!(legible(b"plan"), Legible::Text(Cow::Borrowed("plan"), 0)));
        assert_eq!(
            text(b"caf\xe9 \xff\xfe au lait"),
            ("caf\u{fffd} \u{fffd}\u{fffd} au lait".into(), 3)
        );
        assert_eq!(text("a\u{fffe}b\u{1b}[31m".as_bytes()), ("a\u{fffd}b\u{fffd}[31m".into(), 2));
        assert_eq!(text("an \u{fffd} of its own".as_bytes()).1, 0);
        let late = [vec![b'x'; HEAD], vec![0]].concat();
        assert_eq!(text(&late).1, 1, "a NUL after the head is one wrong character");
    }

    #[test]
    fn binary_files_are_told_from_text() {
        for binary in [&b"\x7fELF\x02\x00\x00"[..], b"\0", b"\x89\xfe\xff\xa0PNG", b"a\xff\xffb"] {
            assert_eq!(legible(binary), Legible::Binary, "{binary:?}");
        }
        let russian = "\u{43f}\u{43b}\u{430}\u{43d}";
        assert_eq!(text(russian.as_bytes()), (russian.to_owned(), 0));
    }
}
