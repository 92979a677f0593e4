//! What makes two bullets the same: the words, whatever their case, their spacing and the marker before them.

use unicase::UniCase;

/// What is left of a bullet when all that does not count is taken away.
///
/// Case is folded in full, as Unicode defines it: `Straße` is `STRASSE`. The crate for it is built in any case, for the
/// Markdown parser. Two ways to compose an accent stay two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct BulletKey(String);

impl BulletKey {
    pub(super) fn of(text: &str) -> Self {
        Self(UniCase::unicode(plain(text)).to_folded_case())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the words of a bullet: without markers before them, every run of white space as one blank.
pub(super) fn plain(text: &str) -> String {
    let mut rest = text.trim();
    while let Some(after) = after_marker(rest) {
        rest = after.trim_start();
    }
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns what stands after a bullet's marker. As in Markdown a marker is one only before white space or at the end:
/// `--force` and `*all*` are words.
pub(super) fn after_marker(line: &str) -> Option<&str> {
    let rest = line.strip_prefix(['-', '*', '+'])?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_spacing_and_markers_do_not_count() {
        for (left, right) in [
            ("- A", "*  a"),
            ("Straße", "STRASSE"),
            ("+ - * Keep   it\tshort ", "keep it SHORT"),
            ("ΌΣΟΣ", "όσος"),
            ("ﬁne", "FINE"),
        ] {
            assert_eq!(BulletKey::of(left), BulletKey::of(right), "{left} and {right}");
        }
        for (left, right) in [("a b", "ab"), ("--force", "force"), ("-1 means no", "+1 means no")] {
            assert_ne!(BulletKey::of(left), BulletKey::of(right), "{left} and {right}");
        }
        assert_eq!(plain("- - *"), "");
    }
}
