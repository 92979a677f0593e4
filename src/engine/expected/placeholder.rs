//! What the skeletons hold in parentheses, to be replaced: text that an agent has not written.

use std::path::Path;
use std::sync::LazyLock;

use crate::models::agent::Delivers;
use crate::prompt::blocks::skeleton;
use crate::template::Phase;

/// The words that a skeleton gives to a scenario.
const SCAFFOLD: [&str; 2] = ["WHEN", "THEN"];

/// Everything that the examples of all skeletons hold in parentheses, but for ids.
static PLACEHOLDERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let skeletons = Phase::ALL
        .iter()
        .filter_map(|phase| skeleton(*phase, Path::new("change"), Delivers::Files));
    let mut found = Vec::new();
    for skeleton in skeletons {
        // The examples are what stands between fences: every second piece.
        for example in skeleton.split("~~~~").skip(1).step_by(2) {
            found.extend(example.lines().flat_map(in_parentheses).map(str::to_owned));
        }
    }
    found.sort();
    found.dedup();
    found
});

fn in_parentheses(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('(').filter_map(|(start, _)| {
        let length = line[start..].find(')')? + 1;
        let piece = &line[start..start + length];
        // `(R1)` names a requirement.
        (!piece.bytes().any(|byte| byte.is_ascii_digit())).then_some(piece)
    })
}

/// Returns whether a text has words of its own, beside what a skeleton put there.
pub(super) fn has_own_words(text: &str) -> bool {
    let rest = without_placeholders(text);
    let mut words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| !SCAFFOLD.contains(&word))
}

fn without_placeholders(text: &str) -> String {
    let mut rest = String::with_capacity(text.len());
    let mut copied = 0;
    for (at, _) in text.match_indices('(') {
        if at < copied {
            continue;
        }
        let here = |placeholder: &&String| text[at..].starts_with(placeholder.as_str());
        if let Some(placeholder) = PLACEHOLDERS.iter().find(here) {
            rest.push_str(&text[copied..at]);
            copied = at + placeholder.len();
        }
    }
    rest.push_str(&text[copied..]);
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_skeleton_says_in_parentheses_is_nobodys_own_text() {
        for nothing in [
            "",
            "(Title)",
            "(What is wrong or missing, and who is affected)",
            "- **WHEN** (what happens)\n- **THEN** (what can be observed)\n",
            " (…) (…) ",
            "- (What users can do now)",
        ] {
            assert!(!has_own_words(nothing), "{nothing}");
        }
        for own in [
            "(none)",
            "(What is wrong or missing)",
            "x (Title)",
            "(R1)",
            "- **WHEN** it rains",
            "要件",
        ] {
            assert!(has_own_words(own), "{own}");
        }
        assert!(PLACEHOLDERS.len() > 25, "{PLACEHOLDERS:?}");
    }
}
