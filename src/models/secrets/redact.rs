//! Hides keys and tokens in text that is shown, logged or kept: what is derived from a run never holds a secret.

use std::borrow::Cow;

use super::contexts::contexts;
use super::families::families;
use super::private_keys::private_keys;
use super::values::Values;

/// What stands in place of a secret.
pub(super) const HIDDEN: &str = "***";

/// Replaces keys, tokens and the given values by `***`, in linear time. What is left of one before a cut goes too.
pub(super) fn redact<'t>(text: &'t str, values: &Values) -> Cow<'t, str> {
    let mut hidden = families(text.as_bytes());
    hidden.extend(contexts(text.as_bytes()));
    hidden.extend(private_keys(text.as_bytes()));
    hidden.extend(values.find(text.as_bytes()));
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

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];

    fn redact<'t>(text: &'t str, values: &[&str]) -> Cow<'t, str> {
        let mut known = Values::default();
        for value in values {
            known.add(value);
        }
        super::redact(text, &known)
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

    /// Returns how long this thread has computed: a busy machine does not count.
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
            "tok_ghp_",
            "AIza",
            "sk_live_",
            "API_KEY=",
            "api_key",
            "api_key=",
            "api_key : ",
            "://",
            "://a:",
            "://@:",
            "basic ",
            "authorization: basic ",
            "bearer  ",
            "%22",
            "\u{1b}[1;",
            "-----BEGIN ",
            "-----BEGIN PRIVATE KEY-----",
            "-----BEGIN PRIVATE KEY----------END ",
        ] {
            let best = |size| (0..3).map(|_| time(piece, size)).min().unwrap_or_default();
            let (small, large) = (best(1 << 13), best(1 << 16));
            // Eight times the text may take three times eight, where quadratic growth would take 64.
            assert!(
                large < small.saturating_mul(24) + std::time::Duration::from_millis(20),
                "{piece}: {small:?} {large:?}"
            );
        }
    }

    #[test]
    fn a_text_takes_no_longer_where_many_values_are_known() {
        let time = |count: usize| {
            let mut known = Values::default();
            for number in 0..count {
                known.add(&format!("abcdef-{number}-hunter2"));
            }
            let text = "abcdef-7-hunter3 and abcdef-… and more. ".repeat(100);
            let start = computed();
            std::hint::black_box(super::redact(&text, &known));
            computed().saturating_sub(start)
        };
        let best = |count| (0..3).map(|_| time(count)).min().unwrap_or_default();
        let (few, many) = (best(100), best(6400));
        // One look-up is deeper; one value after the other would take 64 times as long.
        assert!(many < few * 8, "{few:?} {many:?}");
    }

    #[test]
    fn values_that_overlap_or_begin_alike_are_all_hidden() {
        let values = ["abcdef", "abcdefgh12", "abcdeg", "defghi", "ababab"];
        assert_eq!(redact("abcdefgh11", &values), "***gh11");
        assert_eq!(redact("abcdefgh12", &values), "***");
        assert_eq!(redact("abcdefghi", &values), "***");
        assert_eq!(redact("xababababab", &values), "x***");
        assert_eq!(redact("abcdefgh…", &values), "***…");
        assert_eq!(redact("abcde", &values), "abcde");
    }
}
