//! The id of a change, as it is typed.

use crate::models::change::{ChangeId, InvalidChangeId};

/// Reads an id.
pub(in super::super) fn id(word: &str) -> Result<ChangeId, String> {
    word.parse().map_err(|_| InvalidChangeId::HELP.to_owned())
}

/// Reads an id where a request may have been typed in its place: then the right command is proposed.
pub(super) fn id_or_proposal(word: &str) -> Result<ChangeId, String> {
    word.parse().map_err(|_| {
        let proposed = slug(word);
        if word.contains(char::is_whitespace) && !proposed.is_empty() {
            format!("the id of the change comes first: agentd run {proposed} {word:?}")
        } else {
            InvalidChangeId::HELP.to_owned()
        }
    })
}

/// Makes an id of the first words of a request.
fn slug(request: &str) -> String {
    let words = request.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<_> = words.take(4).map(str::to_ascii_lowercase).collect();
    let mut slug = words.join("-");
    slug.truncate(40);
    slug.trim_end_matches('-').to_owned()
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
