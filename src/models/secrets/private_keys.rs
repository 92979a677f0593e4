//! Finds private keys in text, for `redact` to hide: whole ones, and single lines of them.

use std::ops::Range;

use memchr::memmem;

use super::text::skip_escape;

/// Finds private keys as PEM writes them, from their first line to their last, and single lines of such keys: what is
/// printed line by line is hidden line by line.
pub(super) fn private_keys(text: &[u8]) -> Vec<Range<usize>> {
    const LONGEST_LABEL: usize = 32;
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = memmem::find(&text[at..], b"-----BEGIN ").map(|found| at + found) {
        at = start + 1;
        let label = &text[start..text.len().min(start + LONGEST_LABEL + 32)];
        if memmem::find(label, b"PRIVATE KEY-----").is_none() {
            continue;
        }
        let end = memmem::find(&text[start..], b"-----END ").map_or(text.len(), |end| {
            let rest = start + end + b"-----END ".len();
            memmem::find(&text[rest..], b"-----").map_or(text.len(), |dashes| rest + dashes + 5)
        });
        found.push(start..end);
        at = end;
    }
    found.extend(key_lines(text));
    found
}

/// Finds what can only be a line of a key in base64: of just the length that such lines have, with letters of both cases
/// and digits. A hash in hexadecimal has one case, and a path other characters.
fn key_lines(text: &[u8]) -> Vec<Range<usize>> {
    const LENGTHS: [usize; 3] = [64, 70, 76];
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].iter().take_while(|byte| is_base64(**byte)).count();
        let start = skip_escape(text, at);
        let line = &text[start..(at + length).max(start)];
        let has = |wanted: fn(&u8) -> bool| line.iter().any(wanted);
        if LENGTHS.contains(&line.len())
            && line[0] != b'/'
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && has(u8::is_ascii_digit)
        {
            found.push(start..start + line.len());
        }
        at += length.max(1);
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::models::secrets::redact::{HIDDEN, redact};
    use crate::models::secrets::values::Values;

    #[test]
    fn private_keys_are_hidden_whole_and_line_by_line() {
        let line = |letter: &str| format!("{letter}{}", "aB3+/xYz9".repeat(7));
        let (first, second) = (line("M"), line("q"));
        let kind = "RSA PRIVATE KEY";
        let key = format!("-----BEGIN {kind}-----\n{first}\n{second}\nab0=\n-----END {kind}-----");
        assert_eq!(
            redact(&format!("it is\n{key}\nthere"), &Values::default()),
            "it is\n***\nthere"
        );
        let quoted = key.replace('\n', "\\n");
        assert_eq!(redact(&format!("\"{quoted}\""), &Values::default()), "\"***\"");
        assert_eq!(redact(&key[..120], &Values::default()), HIDDEN, "one that is cut off");
        assert_eq!(redact(&first, &Values::default()), HIDDEN);
        assert_eq!(redact(&format!("\\n{second}\\n"), &Values::default()), "\\n***\\n");
        let public = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----";
        assert_eq!(redact(public, &Values::default()), public);
    }
}
