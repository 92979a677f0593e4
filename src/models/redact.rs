//! Hides keys and tokens in text that is shown, logged or kept: what is derived from a run never holds a secret.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::private_keys::private_keys;

/// What stands in place of a secret.
pub(super) const HIDDEN: &str = "***";

/// Values shorter than this are not looked for: they would be found in ordinary words.
const SHORTEST_VALUE: usize = 6;

/// The names of secrets have one of these among their words.
const SECRET_WORDS: [&str; 14] = [
    "KEY",
    "APIKEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
    "AUTH",
    "PASS",
    "COOKIE",
    "JWT",
];

/// Keys and tokens that can be told by how they begin.
struct Family {
    prefix: &'static str,
    /// How many characters follow at least.
    least: usize,
    follows: Follows,
}

/// What follows the beginning of a key.
#[derive(Clone, Copy)]
enum Follows {
    /// Letters, digits, `-` and `_`.
    Word,
    /// The same, with a digit among them: names such as `sk-learn-extensions` have none.
    WordWithDigit,
    /// Capital letters and digits alone.
    Capitals,
}

const FAMILIES: [Family; 13] = [
    Family { prefix: "sk-ant-", least: 8, follows: Follows::Word },
    Family { prefix: "sk-", least: 20, follows: Follows::WordWithDigit },
    Family { prefix: "AIza", least: 30, follows: Follows::Word },
    Family { prefix: "ya29.", least: 20, follows: Follows::Word },
    Family { prefix: "ghp_", least: 20, follows: Follows::Word },
    Family { prefix: "gho_", least: 20, follows: Follows::Word },
    Family { prefix: "ghu_", least: 20, follows: Follows::Word },
    Family { prefix: "ghs_", least: 20, follows: Follows::Word },
    Family { prefix: "ghr_", least: 20, follows: Follows::Word },
    Family { prefix: "github_pat_", least: 20, follows: Follows::Word },
    Family { prefix: "xox", least: 12, follows: Follows::WordWithDigit },
    Family { prefix: "AKIA", least: 16, follows: Follows::Capitals },
    Family { prefix: "ASIA", least: 16, follows: Follows::Capitals },
];

/// What stands where a text was cut.
const CUT: &str = "…";

/// Replaces keys, tokens and the given values by `***`, in linear time. What is left of one before a cut goes too.
pub(super) fn redact<'t>(text: &'t str, values: &[impl AsRef<str>]) -> Cow<'t, str> {
    let mut hidden = known(text.as_bytes());
    hidden.extend(private_keys(text.as_bytes()));
    let cuts: Vec<usize> = memmem::find_iter(text.as_bytes(), CUT).collect();
    for value in values.iter().map(AsRef::as_ref).filter(|value| value.len() >= SHORTEST_VALUE) {
        let found = memmem::find_iter(text.as_bytes(), value);
        hidden.extend(found.map(|start| start..start + value.len()));
        hidden.extend(cuts.iter().filter_map(|cut| beginning(&text[..*cut], value)));
    }
    if hidden.is_empty() {
        return Cow::Borrowed(text);
    }
    hidden.sort_unstable_by_key(|range| range.start);
    let mut out = String::with_capacity(text.len());
    let mut shown = 0;
    for range in hidden {
        if range.start >= shown {
            out.push_str(&text[shown..range.start]);
            out.push_str(HIDDEN);
        }
        shown = shown.max(range.end);
    }
    out.push_str(&text[shown..]);
    Cow::Owned(out)
}

/// Finds the beginning of a value at the end of a text.
fn beginning(text: &str, value: &str) -> Option<Range<usize>> {
    let lengths =
        (SHORTEST_VALUE..value.len()).rev().filter(|length| value.is_char_boundary(*length));
    let length = lengths.into_iter().find(|length| text.ends_with(&value[..*length]))?;
    Some(text.len() - length..text.len())
}

/// Says whether a variable of this name holds a secret, by the words of its name.
pub(crate) fn names_a_secret(name: &str) -> bool {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .into_iter()
        .any(|word| SECRET_WORDS.iter().any(|secret| word.eq_ignore_ascii_case(secret)))
}

/// Finds what can be told to be a key or token. Every word is looked at once, as the beginning of one.
fn known(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if !is_word(text[at]) {
            at += 1;
            continue;
        }
        let start = at + usize::from(is_escape(text, at));
        at = word_end(text, at);
        let range =
            family(text, start).or_else(|| jwt(text, start)).or_else(|| bearer(text, start..at));
        if let Some(range) = range {
            at = at.max(range.end);
            found.push(range);
        }
    }
    found
}

fn family(text: &[u8], start: usize) -> Option<Range<usize>> {
    FAMILIES.iter().find_map(|family| {
        let rest = text[start..].strip_prefix(family.prefix.as_bytes())?;
        let length = match family.follows {
            Follows::Word | Follows::WordWithDigit => word_end(rest, 0),
            Follows::Capitals => {
                let capital = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
                let length = rest.iter().take_while(|byte| capital(byte)).count();
                (length == word_end(rest, 0)).then_some(length)?
            }
        };
        let has_digit = match family.follows {
            Follows::Word | Follows::Capitals => true,
            Follows::WordWithDigit => rest[..length].iter().any(u8::is_ascii_digit),
        };
        let end = start + family.prefix.len() + length;
        let is_whole = length >= family.least && has_digit;
        let is_cut = length > 0 && text[end..].starts_with(CUT.as_bytes());
        (is_whole || is_cut).then_some(start..end)
    })
}

/// Finds three words with dots between them, of which two are the beginning of JSON in base64.
fn jwt(text: &[u8], start: usize) -> Option<Range<usize>> {
    const LEAST: usize = 10;
    let part = |start: usize| {
        let end = word_end(text, start);
        (end - start >= LEAST).then_some(end)
    };
    let json = |start: usize| text[start..].starts_with(b"eyJ").then(|| part(start))?;
    let after_dot = |end: usize| (text.get(end) == Some(&b'.')).then_some(end + 1);
    let payload = after_dot(json(start)?)?;
    let signature = after_dot(json(payload)?)?;
    Some(start..part(signature)?)
}

/// Finds what follows the word `Bearer`.
fn bearer(text: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    const LEAST: usize = 16;
    if !text[word.clone()].eq_ignore_ascii_case(b"bearer") || text.get(word.end) != Some(&b' ') {
        return None;
    }
    let start = word.end + 1;
    let token = |byte: &u8| is_word(*byte) || b"._~+/=".contains(byte);
    let length = text[start..].iter().take_while(|byte| token(byte)).count();
    let has_digit = text[start..start + length].iter().any(u8::is_ascii_digit);
    (length >= LEAST && has_digit).then_some(start..start + length)
}

/// Says whether a word begins with the letter of an escape such as `\n`, as in a line of JSON.
pub(super) fn is_escape(text: &[u8], at: usize) -> bool {
    at > 0 && text[at - 1] == b'\\' && b"nrt".contains(&text[at])
}

fn word_end(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|byte| is_word(**byte)).count()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];

    #[test]
    fn keys_and_tokens_of_every_family_are_hidden() {
        for secret in [
            "sk-ant-api03-Abc_dEf-0123456789",
            "sk-proj-abcdefghij0123456789",
            "sk-abcdefghijABCDEFGHIJ0123456789",
            "AIzaSyA-0123456789_abcdefghijklmnopqrs",
            "ya29.a0AfB_0123456789abcdefgh",
            "ghp_0123456789abcdefghijABCDEFGHIJ012345",
            "gho_0123456789abcdefghijABCDEFGHIJ012345",
            "github_pat_11ABCDEFG0123456789_abcdefghij",
            "xoxb-123456789012-abcdefghij",
            "AKIAIOSFODNN7EXAMPLE",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
        ] {
            for text in [
                secret.to_owned(),
                format!("key={secret}"),
                format!("{{\"key\":\"{secret}\",\"x\":1}}"),
                format!("a line\\n{secret}\\nand more"),
                format!("é{secret}é, {secret}."),
            ] {
                let redacted = redact(&text, &NONE);
                assert!(!redacted.contains(&secret[8..]), "{text} became {redacted}");
                assert_eq!(redacted, text.replace(secret, HIDDEN));
            }
        }
        let header = "Authorization: Bearer abc.DEF-0123456789/+=\nnext";
        assert_eq!(redact(header, &NONE), "Authorization: Bearer ***\nnext");
        assert_eq!(redact("bearer 0123456789abcdef", &NONE), "bearer ***");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "",
            "commit 8ffea8b1c0ffee00112233445566778899aabbcc",
            "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "550e8400-e29b-41d4-a716-446655440000",
            "sk-learn-contrib-extensions-for-everyone",
            "a task-0123456789012345678901234567890 and a risk-0123456789012345678901",
            "the bearer of this letter, Bearer authentication-is-required-here",
            "AKIA and AKIAIOSFODNN7 and AKIAIOSFODNN7EXAMPLElower",
            "eyJhbGciOiJIUzI1NiJ9 alone, eyJhbGciOiJIUzI1NiJ9.md",
            "https://example.org/a/b?c=d#ghp_short",
            "fn main() { println!(\"{}\", xoxo) } // naïve – „ok“",
        ] {
            assert!(matches!(redact(text, &NONE), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn given_values_are_hidden_wherever_they_stand_but_not_short_ones() {
        let values = ["hunter2!", "hunter2!extra", "a", "päßword"];
        assert_eq!(redact("xhunter2!y hunter2!extra päßword a", &values), "x***y *** *** a");
        assert_eq!(redact("hunter2!hunter2!", &values), "******");
        let overlapping = ["hhhh-hunter2!"];
        assert_eq!(redact("sk-ant-hhhhhhhh-hunter2! ok", &overlapping), "*** ok");
    }

    #[test]
    fn what_a_cut_has_left_of_a_secret_is_hidden_too() {
        let values = ["hunter2!extra"];
        assert_eq!(redact("it was hunter2!ex… and on", &values), "it was ***… and on");
        assert_eq!(redact("it was hunte… and on", &values), "it was hunte… and on");
        assert_eq!(redact("sk-proj-abc… and ghp_ab…", &NONE), "***… and ***…");
        assert_eq!(redact("a task… and a risk…", &NONE), "a task… and a risk…");
    }

    #[test]
    fn names_of_secrets_are_known_by_their_words() {
        for name in [
            "ANTHROPIC_API_KEY",
            "GH_TOKEN",
            "github_token",
            "DB_PASSWORD",
            "AWS_SECRET_ACCESS_KEY",
            "X-API-KEY",
            "APIKEY",
        ] {
            assert!(names_a_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "PWD",
            "GIT_AUTHOR_NAME",
            "KEYBOARD",
            "MAX_THINKING_TOKENS",
            "MONKEY",
            "TOKENIZERS_PARALLELISM",
            "",
        ] {
            assert!(!names_a_secret(name), "{name}");
        }
    }

    /// Gives how long this thread has computed: a busy machine does not count.
    fn computed() -> std::time::Duration {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        std::time::Duration::try_from(time).unwrap()
    }

    #[test]
    fn any_text_takes_linear_time() {
        let time = |piece: &str, size: usize| {
            let text = piece.repeat(size / piece.len());
            let start = computed();
            std::hint::black_box(redact(&text, &["no such value"]));
            computed().saturating_sub(start)
        };
        for piece in [
            "eyJ-",
            "eyJaaaaaaa.",
            "eyJaaaaaaa.eyJaaaaaaa. ",
            "sk-",
            "sk-ant- ",
            "Bearer Bearer ",
            "xox",
            "\\n\\n",
            "a",
            "AKIA",
            "AKIA ",
            "-----BEGIN ",
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY----------END ",
        ] {
            let best = |size| (0..3).map(|_| time(piece, size)).min().unwrap_or_default();
            let (small, large) = (best(1 << 14), best(1 << 17));
            // Eight times the text may take three times eight, where quadratic growth would take 64.
            assert!(
                large < small.saturating_mul(24) + std::time::Duration::from_millis(20),
                "{piece}: {small:?} {large:?}"
            );
        }
    }
}
