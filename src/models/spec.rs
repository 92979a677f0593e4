//! The name of a spec: the capability that it describes, and a file name that stays in its folder.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The longest name.
const LONGEST: usize = 64;

/// The name of a spec, without its ending: lower-case letters, digits, hyphens, underscores and single full stops.
///
/// ```
/// use agentd::models::spec::SpecName;
///
/// assert_eq!("login".parse::<SpecName>().unwrap().file(), "login.md");
/// assert!("../login".parse::<SpecName>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SpecName(String);

/// A word that cannot be the name of a spec.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{}` is no name of a spec", .0.escape_debug())]
pub struct InvalidSpecName(pub String);

impl InvalidSpecName {
    /// What a name looks like.
    pub const HELP: &'static str = "a spec's name has 1 to 64 lower-case letters, digits, hyphens, underscores and \
                                    full stops, and begins with a letter or digit: specs/login.md";
}

impl SpecName {
    /// Takes the name from the name of a file.
    pub fn of_file(file: &str) -> Result<Self, InvalidSpecName> {
        file.strip_suffix(".md").ok_or_else(|| InvalidSpecName(file.to_owned()))?.parse()
    }

    /// Gives the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Gives the name of the file.
    pub fn file(&self) -> String {
        format!("{}.md", self.0)
    }
}

impl FromStr for SpecName {
    type Err = InvalidSpecName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        let valid = bytes.first().copied().is_some_and(word)
            && bytes.len() <= LONGEST
            && bytes.iter().all(|byte| word(*byte) || b"-_.".contains(byte))
            && !text.contains("..");
        if valid { Ok(Self(text.to_owned())) } else { Err(InvalidSpecName(text.to_owned())) }
    }
}

impl TryFrom<String> for SpecName {
    type Error = InvalidSpecName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SpecName> for String {
    fn from(name: SpecName) -> Self {
        name.0
    }
}

impl fmt::Display for SpecName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_folder_or_hides_is_no_name() {
        for word in ["", ".", "..", "a..b", ".hidden", "-x", "a/b", "a\\b", "Login", "é", "a b"] {
            assert_eq!(word.parse::<SpecName>(), Err(InvalidSpecName(word.to_owned())), "{word}");
        }
        assert!("a".repeat(65).parse::<SpecName>().is_err());
        for word in ["a", "login", "api-v1.2", "a_b", "0"] {
            assert!(word.parse::<SpecName>().is_ok(), "{word}");
        }
        assert!(SpecName::of_file("login.txt").is_err());
    }
}
