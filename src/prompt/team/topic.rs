//! A topic of research: a name that is safe as part of a folder's.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The longest name.
const LONGEST: usize = 64;

/// A topic: lower-case letters, digits and hyphens, beginning with a letter or digit.
///
/// ```
/// use agentd::prompt::team::Topic;
///
/// assert_eq!("auth-flow".parse::<Topic>().unwrap().as_str(), "auth-flow");
/// assert!("../auth".parse::<Topic>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Topic(String);

/// A word that cannot name a topic.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{}` is no topic: it has 1 to 64 lower-case letters, digits and hyphens, and begins with a letter or digit", .0.escape_debug())]
pub struct InvalidTopic(pub String);

impl Topic {
    /// Gives the topic as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Topic {
    type Err = InvalidTopic;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let bytes = text.as_bytes();
        let is_valid = bytes.first().copied().is_some_and(is_word)
            && bytes.len() <= LONGEST
            && bytes.iter().all(|byte| is_word(*byte) || *byte == b'-');
        if is_valid { Ok(Self(text.to_owned())) } else { Err(InvalidTopic(text.to_owned())) }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
