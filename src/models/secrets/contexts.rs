//! Secrets that can be told by what stands before them: the name of a field, a scheme of HTTP, a user in an address.

use std::ops::Range;

use memchr::memmem;

use super::names::is_a_secret_field;
use super::text::{is_word, skip_escape, word_end};
use super::values::SHORTEST_VALUE;

/// Finds them, in linear time.
pub(super) fn contexts(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = passwords(text);
    let mut at = 0;
    while at < text.len() {
        if !is_word(text[at]) {
            at += 1;
            continue;
        }
        let name = skip_escape(text, at)..word_end(text, at);
        at = name.end;
        let range = scheme(text, name.clone()).or_else(|| field(text, name));
        if let Some(range) = range {
            at = at.max(range.end);
            found.push(range);
        }
    }
    found
}

/// Finds what follows the word `Bearer`, and `Basic` as well where it is the value of a header.
fn scheme(text: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    const LEAST: usize = 16;
    let name = text.get(word.clone())?;
    let start = blank(text, word.end);
    let token = |least: usize| Some(start..token_end(text, start)).filter(|it| it.len() >= least);
    if start == word.end {
        None
    } else if name.eq_ignore_ascii_case(b"bearer") {
        token(LEAST).filter(|token| text[token.clone()].iter().any(u8::is_ascii_digit))
    } else if name.eq_ignore_ascii_case(b"basic") && is_value_of_header(text, word.start) {
        token(1)
    } else {
        None
    }
}

/// Returns whether what begins here is the value of `Authorization` or `Proxy-Authorization`.
fn is_value_of_header(text: &[u8], start: usize) -> bool {
    let name = text[..start].trim_ascii_end();
    let name = name.strip_suffix(b"\"").unwrap_or(name).trim_ascii_end();
    let Some(name) = name.strip_suffix(b":").or_else(|| name.strip_suffix(b"=")) else {
        return false;
    };
    let name = name.trim_ascii_end();
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    let start = name.len().checked_sub(b"authorization".len());
    start.is_some_and(|start| name[start..].eq_ignore_ascii_case(b"authorization"))
}

/// Finds the value of a field whose name is a secret's, as settings, headers and JSON write it. It must look like a key, or
/// stand right after `=` in capitals, as a variable does: in `token = next_token` there is none.
fn field(text: &[u8], name: Range<usize>) -> Option<Range<usize>> {
    const LEAST: usize = 12;
    /// So much of a value is looked at: names may follow each other in one long word.
    const LOOKED_AT: usize = 256;
    let sign = blank(text, quote(text, name.end));
    let sign = sign..sign + usize::from(matches!(text.get(sign), Some(b'=' | b':')));
    if sign.is_empty() {
        return None;
    }
    let is_written_as_variable = sign.start == name.end && text[sign.start] == b'=';
    let name = std::str::from_utf8(text.get(name)?).ok().filter(|name| is_a_secret_field(name))?;
    let start = quote(text, blank(text, sign.end));
    let value = &text[start..text.len().min(start + LOOKED_AT)];
    let value = &value[..token_end(value, 0)];
    let has = |wanted: fn(&u8) -> bool| value.iter().any(wanted);
    let is_key = value.len() >= LEAST && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    let is_of_variable = is_written_as_variable
        && value.len() >= SHORTEST_VALUE
        && !name.bytes().any(|byte| byte.is_ascii_lowercase());
    (is_key || is_of_variable).then(|| start..token_end(text, start))
}

/// Finds the password in `scheme://user:password@host`.
fn passwords(text: &[u8]) -> Vec<Range<usize>> {
    let of = |start: usize| {
        let is_part = |byte: &u8| !byte.is_ascii_whitespace() && !b"/?#\"'<>`\\".contains(byte);
        let length = text[start..].iter().take_while(|byte| is_part(byte)).count();
        let authority = &text[start..start + length];
        let end = memchr::memrchr(b'@', authority)?;
        let colon = memchr::memchr(b':', &authority[..end])?;
        (colon + 1 < end).then(|| start + colon + 1..start + end)
    };
    memmem::find_iter(text, b"://").filter_map(|sign| of(sign + 3)).collect()
}

/// Returns where a token ends that begins here.
fn token_end(text: &[u8], start: usize) -> usize {
    let is_token = |byte: &u8| is_word(*byte) || b"._~+/=%!@#^&*".contains(byte);
    start + text[start..].iter().take_while(|byte| is_token(byte)).count()
}

fn blank(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Goes past a quotation mark, also one that is quoted itself.
fn quote(text: &[u8], start: usize) -> usize {
    let slash = start + usize::from(text.get(start) == Some(&b'\\'));
    if matches!(text.get(slash), Some(b'"' | b'\'')) { slash + 1 } else { start }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::redact::redact;
    use super::super::values::Values;

    #[test]
    fn what_a_header_a_setting_or_an_address_gives_away_is_hidden() {
        for (text, hidden) in [
            (
                "Authorization: Bearer abc.DEF-0123456789/+=\nnext",
                "Authorization: Bearer ***\nnext",
            ),
            ("bearer 0123456789abcdef", "bearer ***"),
            ("Bearer\t0123456789abcdef", "Bearer\t***"),
            ("Authorization: Basic dXNlcjpwdw==", "Authorization: Basic ***"),
            ("{\"authorization\": \"basic dXNlcjpwdw==\"}", "{\"authorization\": \"basic ***\"}"),
            ("x-api-key: 0123456789abcdef", "x-api-key: ***"),
            ("OPENAI_API_KEY=abcdefghijk end", "OPENAI_API_KEY=*** end"),
            ("export PGPASSWORD='hunter2!'", "export PGPASSWORD='***'"),
            ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPx", "aws_secret_access_key = ***"),
            ("{\"access_token\":\"0a1b2c3d4e5f\",\"x\":1}", "{\"access_token\":\"***\",\"x\":1}"),
            ("{\\\"password\\\": \\\"0a1b2c3d4e5f\\\"}", "{\\\"password\\\": \\\"***\\\"}"),
            ("//npm.example/:_authToken=0a1b2c3d4e5f", "//npm.example/:_authToken=***"),
            ("postgres://bob:s3cret@db/x", "postgres://bob:***@db/x"),
            ("https://bob:s:3@cret@host:80", "https://bob:***@host:80"),
        ] {
            assert_eq!(redact(text, &Values::default()), hidden);
        }
    }

    #[test]
    fn code_and_reports_are_left_alone() {
        for text in [
            "the bearer of this letter, Bearer authentication-is-required-here",
            "a Basic programme, Basic dXNlcjpwdw==",
            "let token = lexer.next_token();",
            "token: expected `;`",
            "error: password = required",
            "password: ${PASSWORD}",
            "pass: 12345678901234567890 tests",
            "key = 0123456789abcdef",
            "api_key=",
            "http://localhost:8080/@scope/package",
            "ssh://git@example.org/a:b@c",
            "https://example.org:80/x@y",
            "://@ ://: ://:@",
        ] {
            assert!(
                matches!(redact(text, &Values::default()), Cow::Borrowed(_)),
                "{text}: {}",
                redact(text, &Values::default())
            );
        }
    }
}
