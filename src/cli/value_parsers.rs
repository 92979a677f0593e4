//! Parsers for values that several commands take.

use crate::models::change::{ChangeId, InvalidChangeId};
use crate::template::nearest::meant;
use crate::template::{Command, Phase, Role};

/// Parses the id of a change.
pub(super) fn id(word: &str) -> Result<ChangeId, String> {
    word.parse().map_err(|_| InvalidChangeId::HELP.to_owned())
}

/// Parses an id. If a request was typed in its place, the error proposes the right command.
pub(super) fn id_or_proposal(word: &str) -> Result<ChangeId, String> {
    id(word).map_err(|help| match slug(word) {
        proposed if word.contains(char::is_whitespace) && !proposed.is_empty() => {
            format!("the id of the change comes first: agentd run {proposed} {word:?}")
        }
        _ => help,
    })
}

/// Derives an id from the first words of a request.
fn slug(request: &str) -> String {
    let words = request.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<_> = words.take(4).map(str::to_ascii_lowercase).collect();
    let mut slug = words.join("-");
    slug.truncate(40);
    slug.trim_end_matches('-').to_owned()
}

/// Parses a phase.
pub(super) fn phase(word: &str) -> Result<Phase, String> {
    Phase::from_word(word).ok_or_else(|| known("phases", word, Phase::WORDS.iter().copied()))
}

/// Parses a role of the team.
pub(super) fn role(word: &str) -> Result<Role, String> {
    Role::from_word(word).ok_or_else(|| known("roles", word, Role::WORDS.iter().copied()))
}

/// Parses a command of the team.
pub(super) fn command(word: &str) -> Result<Command, String> {
    Command::from_word(word).ok_or_else(|| known("commands", word, Command::WORDS.iter().copied()))
}

/// Returns which value was probably meant, else the known values.
pub(super) fn known<'w>(
    kind: &str,
    word: &str,
    words: impl Iterator<Item = &'w str> + Clone,
) -> String {
    meant(word, words.clone())
        .unwrap_or_else(|| format!("the {kind} are {}", words.collect::<Vec<_>>().join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_in_the_id_s_place_gets_the_right_command() {
        let error = id_or_proposal("Add a login page, please!").unwrap_err();
        assert!(
            error.contains("agentd run add-a-login-page \"Add a login page, please!\""),
            "{error}"
        );
        assert!(id_or_proposal("Login").unwrap_err().contains("lower-case"));
        assert_eq!(id_or_proposal("add-login").unwrap().as_str(), "add-login");
    }
}
