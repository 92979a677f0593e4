//! Keys and tokens that can be told by how they begin.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use super::text::{CUT, is_word, skip_escape, word_end};

struct Family {
    prefix: &'static str,
    /// How many characters follow at least.
    least: usize,
    follows: Follows,
    stands: Stands,
}

/// What follows the beginning of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Word,
    WordWithDigit,
    Capitals,
}

/// Where a key may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    Anywhere,
    Alone,
}

static FAMILIES: LazyLock<Vec<Family>> =
    LazyLock::new(|| rows().filter_map(|row| Family::read(&row)).collect());

/// Lists the rows of the file.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = include_str!("families.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_whitespace().collect())
}

/// Finds them, in linear time.
pub(super) fn families(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for family in FAMILIES.iter().filter(|family| family.stands == Stands::Anywhere) {
        let mut end = 0;
        for start in memmem::find_iter(text, family.prefix) {
            // What lies in a key that was found is not looked at again.
            if start >= end
                && let Some(key) = family.key(text, start)
            {
                end = key.end;
                found.push(key);
            }
        }
    }
    found.extend(words(text));
    found
}

/// Finds those that begin where a word does.
fn words(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if !is_word(text[at]) {
            at += 1;
            continue;
        }
        let alone = |start: usize| {
            let mut families = FAMILIES.iter().filter(|family| family.stands == Stands::Alone);
            families.find_map(|family| family.key(text, start)).or_else(|| dotted(text, start))
        };
        let range = [at, skip_escape(text, at)].into_iter().find_map(alone);
        at = word_end(text, at).max(range.as_ref().map_or(0, |range| range.end));
        found.extend(range);
    }
    found
}

impl Family {
    fn read(row: &[&'static str]) -> Option<Self> {
        let [prefix, least, follows, stands] = row else { return None };
        let follows = match *follows {
            "word" => Follows::Word,
            "digit" => Follows::WordWithDigit,
            "capitals" => Follows::Capitals,
            _ => return None,
        };
        let stands = match *stands {
            "anywhere" => Stands::Anywhere,
            "alone" => Stands::Alone,
            _ => return None,
        };
        Some(Self { prefix, least: least.parse().ok()?, follows, stands })
    }

    /// Returns the key of this family that begins just here.
    fn key(&self, text: &[u8], start: usize) -> Option<Range<usize>> {
        let rest = text[start..].strip_prefix(self.prefix.as_bytes())?;
        let length = word_end(rest, 0);
        let key = &rest[..length];
        let is_one = match self.follows {
            Follows::Word => true,
            Follows::WordWithDigit => key.iter().any(u8::is_ascii_digit),
            Follows::Capitals => {
                key.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
            }
        };
        let end = start + self.prefix.len() + length;
        let is_whole = length >= self.least && is_one;
        let is_cut = length > 0 && text[end..].starts_with(CUT.as_bytes());
        (is_whole || is_cut).then_some(start..end)
    }
}

/// Finds words with dots between them: the tokens of JSON, of which two begin as JSON in base64 does, and those of `SendGrid`.
fn dotted(text: &[u8], start: usize) -> Option<Range<usize>> {
    let part = |start: usize, least: usize| {
        let end = word_end(text, start);
        (end - start >= least).then_some(end)
    };
    let json = |start: usize| text[start..].starts_with(b"eyJ").then(|| part(start, 10))?;
    let after_dot = |end: usize| (text.get(end) == Some(&b'.')).then_some(end + 1);
    if text[start..].starts_with(b"SG.") {
        return Some(start..part(after_dot(part(start + 3, 16)?)?, 16)?);
    }
    let payload = after_dot(json(start)?)?;
    let signature = after_dot(json(payload)?)?;
    Some(start..part(signature, 10)?)
}

#[cfg(test)]
mod tests {
    use super::super::redact::{HIDDEN, redact};
    use super::super::values::Values;

    /// Keys as their makers write them. Their beginnings stand apart, so that nobody takes this file for a leak.
    fn keys() -> Vec<String> {
        let word = "abcDEF0123456789abcDEF0123456789abcdef01";
        let begins = [
            "sk-ant|-api03-",
            "sk-proj|-",
            "sk|-",
            "AI|za",
            "ya|29.",
            "gh|p_",
            "gh|o_",
            "gh|u_",
            "gh|s_",
            "gh|r_",
            "github|_pat_",
            "gl|pat-",
            "np|m_",
            "dckr|_pat_",
            "pypi|-AgE",
            "sk|_live_",
            "rk|_test_",
            "wh|sec_",
            "GOC|SPX-",
            "xo|xb-12345-",
            "xa|pp-1-",
            "h|f_",
            "gs|k_",
            "xa|i-",
            "dop|_v1_",
            "h|vs.",
            "S|G.abcdefghij0123456789.",
            "eyJ|hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.",
            "AK|IAIOSFODNN7EXAMPLE",
            "AGE-SECRET|-KEY-1",
        ];
        let key = |begin: &str| {
            let begin = begin.replace('|', "");
            if begin.starts_with("AKIA") { begin } else { begin + word }
        };
        begins.map(key).into()
    }

    #[test]
    fn every_row_is_a_family() {
        for row in super::rows() {
            assert!(super::Family::read(&row).is_some(), "{row:?}");
        }
        assert_eq!(super::FAMILIES.len(), 42);
    }

    #[test]
    fn keys_and_tokens_of_every_family_are_hidden() {
        for secret in keys() {
            for text in [
                secret.clone(),
                format!("key={secret}"),
                format!("{{\"key\":\"{secret}\",\"x\":1}}"),
                format!("a line\\n{secret}\\nand more"),
                format!("é{secret}é, {secret}."),
            ] {
                assert_eq!(redact(&text, &Values::default()), text.replace(&secret, HIDDEN));
            }
        }
    }

    #[test]
    fn what_colours_or_quotes_a_key_does_not_keep_it_from_being_hidden() {
        for secret in keys() {
            for before in [
                "\u{1b}[31m",
                "\u{1b}[1;31m",
                "\u{1b}(B",
                "\\u001b[31m",
                "\\x1b[0;1m",
                "\\u0022",
                "\\x22",
                "%22",
                "%3D",
                "\\b",
                "\\f",
                "\\\\n",
            ] {
                let text = format!("it is {before}{secret}\u{1b}[0m there");
                assert_eq!(
                    redact(&text, &Values::default()),
                    text.replace(&secret, HIDDEN),
                    "{before:?}"
                );
            }
        }
        let text = format!("tok_ghp_{0} and xxgithub_pat_{0}", "0123456789abcdefghij");
        assert_eq!(redact(&text, &Values::default()), "tok_*** and xx***");
    }
}
