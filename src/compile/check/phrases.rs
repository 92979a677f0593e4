//! What a prompt must speak of, outside code blocks.

use super::super::code::Code;
use super::super::contract::{Contract, Phrase};
use super::super::diagnostic::Diagnostic;
use super::Template;

pub(super) fn check(template: &Template<'_>, contract: &Contract, found: &mut Vec<Diagnostic>) {
    if !template.linked.complete {
        return;
    }
    let prose = template.prose();
    let name = &contract.name;
    let mut report = |message, help| {
        let diagnostic = Diagnostic::new(Code::MissingDirective, template.whole(), message);
        found.push(diagnostic.help(help));
    };
    for phrase in contract.speaks_of.iter().filter(|phrase| !says(&prose, phrase)) {
        let word = &phrase[0];
        report(
            format!("{name} must mention `{word}`, and this template does not"),
            format!("say what the agent must do about `{word}`, outside code blocks"),
        );
    }
    for teaching in &contract.teaches {
        let unsaid = teaching.says.iter().filter(|phrase| !says(&prose, phrase));
        let unsaid: Vec<_> = unsaid.map(|phrase| format!("`{}`", phrase[0])).collect();
        if !unsaid.is_empty() {
            let (about, unsaid) = (&teaching.about, unsaid.join(", "));
            report(
                format!("{name} must explain {about}, and does not mention {unsaid}"),
                "use these words, outside code blocks".to_owned(),
            );
        }
    }
}

/// Returns whether prose in lower case holds a phrase in one of its spellings.
fn says(prose: &str, phrase: &Phrase) -> bool {
    phrase.iter().any(|spelling| has_phrase(prose, &spelling.to_lowercase()))
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
