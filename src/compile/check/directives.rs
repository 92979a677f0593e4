//! What a phase's prompt must speak of.

use super::super::code::Code;
use super::super::contract::{Directive, directives};
use super::super::diagnostic::Diagnostic;
use super::Template;
use crate::template::Phase;

pub(super) fn check(template: &Template<'_>, phase: Phase, found: &mut Vec<Diagnostic>) {
    if !template.linked.complete {
        return;
    }
    let prose = template.prose();
    for spellings in directives(phase).iter().filter(|spellings| !says(&prose, spellings)) {
        let name = spellings[0];
        found.push(
            Diagnostic::new(
                Code::MissingDirective,
                template.whole(),
                format!("phase `{phase}` must speak of `{name}`, and this template does not"),
            )
            .help(format!("say what the agent has to do about `{name}`, outside code blocks")),
        );
    }
}

/// Says whether prose in lower case holds a directive in one of its spellings.
pub(super) fn says(prose: &str, spellings: Directive) -> bool {
    spellings.iter().any(|phrase| has_phrase(prose, &phrase.to_lowercase()))
}

/// Finds a phrase that is not part of a longer word.
fn has_phrase(prose: &str, phrase: &str) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let begins = is_word(phrase.chars().next());
    let ends = is_word(phrase.chars().next_back());
    prose.match_indices(phrase).any(|(at, _)| {
        let before = prose[..at].chars().next_back();
        let after = prose[at + phrase.len()..].chars().next();
        let is_part = (begins && is_word(before)) || (ends && is_word(after));
        !is_part
    })
}

#[cfg(test)]
mod tests {
    use super::has_phrase;

    #[test]
    fn phrases_are_whole_words() {
        assert!(has_phrase("write `tasks.md`, then", "tasks.md"));
        assert!(has_phrase("in specs/login.md", "specs/"));
        assert!(has_phrase("gaps. stopgaps", "gaps"));
        assert!(!has_phrase("stopgaps", "gaps"));
        assert!(!has_phrase("mytasks.mdx", "tasks.md"));
    }
}
