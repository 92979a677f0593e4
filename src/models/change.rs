//! A change's id: a name that is safe as a folder, a branch and a word on the command line.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::checked_text;

/// The longest id.
const LONGEST: usize = 64;

/// The id of a change: lower-case letters, digits and hyphens, beginning with a letter or digit.
///
/// ```
/// use agentd::models::change::ChangeId;
///
/// assert_eq!("add-login".parse::<ChangeId>().unwrap().as_str(), "add-login");
/// assert!("../etc".parse::<ChangeId>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ChangeId(String);

/// A word that cannot be the id of a change.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{}` is not the id of a change: {}", .0.escape_debug(), Self::HELP)]
pub struct InvalidChangeId(pub String);

impl InvalidChangeId {
    /// What an id looks like.
    pub const HELP: &'static str = "an id has 1 to 64 lower-case letters, digits and hyphens, and starts with a \
                                    letter or digit: add-login";
}

checked_text!(ChangeId, InvalidChangeId);

impl ChangeId {
    fn is_valid(text: &str) -> bool {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        bytes.first().copied().is_some_and(word)
            && bytes.len() <= LONGEST
            && bytes.iter().all(|byte| word(*byte) || *byte == b'-')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_an_id_is_refused() {
        let long = "a".repeat(300);
        for word in
            ["..", "/x", "-rf", "", "a\0b", &long, "Login", ".git", "a/b", "a b", "é", "a_b"]
        {
            assert_eq!(word.parse::<ChangeId>(), Err(InvalidChangeId(word.to_owned())), "{word}");
        }
        for word in ["a", "0", "add-login", "a-", &"a".repeat(64)] {
            assert!(word.parse::<ChangeId>().is_ok(), "{word}");
        }
    }
}
