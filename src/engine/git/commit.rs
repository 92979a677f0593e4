//! The name of a commit: its full hash, and nothing that git would have to guess at.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::models::checked_text;

/// A commit's full hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Commit(String);

/// What was given as a commit is no full hash.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is not the full hash of a commit")]
pub struct NotACommit(String);

checked_text!(Commit, NotACommit);

impl Commit {
    fn is_valid(text: &str) -> bool {
        // 40 digits are SHA-1, 64 are SHA-256.
        matches!(text.len(), 40 | 64)
            && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_hash_is_a_commit() {
        let full = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(Commit::try_from(full.to_owned()).unwrap().as_str(), full);
        let wrong = ["", "HEAD", "--all", "0123456", &full.to_uppercase(), &format!("{full}0")];
        for text in wrong {
            assert!(Commit::try_from(text.to_owned()).is_err(), "{text}");
        }
        let json = serde_json::to_string(&Commit(full.to_owned())).unwrap();
        assert_eq!(serde_json::from_str::<Commit>(&json).unwrap().as_str(), full);
        assert!(serde_json::from_str::<Commit>("\"HEAD\"").is_err());
    }
}
