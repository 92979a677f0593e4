//! A change's id: a name that is safe as a folder, a branch and a word on the command line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

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
#[error("`{}` is no id of a change", .0.escape_debug())]
pub struct InvalidChangeId(pub String);

impl InvalidChangeId {
    /// What an id looks like.
    pub const HELP: &'static str = "an id has 1 to 64 lower-case letters, digits and hyphens, and begins with a \
                                    letter or digit: add-login";
}

impl ChangeId {
    /// Gives the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ChangeId {
    type Err = InvalidChangeId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        let valid = bytes.first().copied().is_some_and(word)
            && bytes.len() <= LONGEST
            && bytes.iter().all(|byte| word(*byte) || *byte == b'-');
        if valid { Ok(Self(text.to_owned())) } else { Err(InvalidChangeId(text.to_owned())) }
    }
}

impl TryFrom<String> for ChangeId {
    type Error = InvalidChangeId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ChangeId> for String {
    fn from(id: ChangeId) -> Self {
        id.0
    }
}

impl fmt::Display for ChangeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
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
