//! A topic of research: a name that is safe as part of a folder's.

use thiserror::Error;

use crate::models::change::ChangeId;
use crate::models::checked_text;

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
#[error("`{}` is not a topic: a topic has 1 to 64 lower-case letters, digits and hyphens, and starts with a letter or digit", .0.escape_debug())]
pub struct InvalidTopic(pub String);

checked_text!(Topic, InvalidTopic);

impl Topic {
    fn is_valid(text: &str) -> bool {
        // The rule is that of an id: both become part of a folder's name.
        text.parse::<ChangeId>().is_ok()
    }
}
