//! The name of a spec: the capability that it describes, and a file name that stays in its folder.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::checked_text;

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
#[error("`{}` is not the name of a spec", .0.escape_debug())]
pub struct InvalidSpecName(pub String);

impl InvalidSpecName {
    /// What a name looks like.
    pub const HELP: &'static str = "a spec's name has 1 to 64 lower-case letters, digits, hyphens, underscores and \
                                    full stops, and starts with a letter or digit: specs/login.md";
}

checked_text!(SpecName, InvalidSpecName);

impl SpecName {
    /// Takes the name from the name of a file.
    pub fn of_file(file: &str) -> Result<Self, InvalidSpecName> {
        file.strip_suffix(".md").ok_or_else(|| InvalidSpecName(file.to_owned()))?.parse()
    }

    /// Returns the name of the file.
    pub fn file(&self) -> String {
        format!("{}.md", self.0)
    }

    fn is_valid(text: &str) -> bool {
        let word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        bytes.first().copied().is_some_and(word)
            && bytes.len() <= LONGEST
            && bytes.iter().all(|byte| word(*byte) || b"-_.".contains(byte))
            && !text.contains("..")
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
