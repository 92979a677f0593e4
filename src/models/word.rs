//! Writes members of an enum by their words, and reads them back.

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serializer};

use super::plan::Mode;
use crate::template::{Phase, Verdict};

/// Something that has one spelling.
pub trait Word: Copy + Sized {
    /// Gives the spelling.
    fn spelled(self) -> &'static str;
    /// Finds the member with exactly this spelling.
    fn find(word: &str) -> Option<Self>;
}

impl Word for Phase {
    fn spelled(self) -> &'static str {
        self.word()
    }

    fn find(word: &str) -> Option<Self> {
        Self::from_word(word)
    }
}

impl Word for Verdict {
    fn spelled(self) -> &'static str {
        self.word()
    }

    fn find(word: &str) -> Option<Self> {
        Self::from_word(word)
    }
}

impl Word for Mode {
    fn spelled(self) -> &'static str {
        self.word()
    }

    fn find(word: &str) -> Option<Self> {
        Self::from_word(word)
    }
}

/// Writes a member: `#[serde(with = "crate::models::word")]`.
pub fn serialize<T: Word, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.spelled())
}

/// Reads a member.
pub fn deserialize<'de, T: Word, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let word = String::deserialize(deserializer)?;
    T::find(&word).ok_or_else(|| D::Error::custom(format!("unknown word `{word}`")))
}

/// A member that may be absent: `#[serde(default, with = "crate::models::word::optional")]`.
pub mod optional {
    use serde::{Deserializer, Serializer};

    use super::Word;

    /// Writes a member; none is written as nothing.
    #[allow(clippy::ref_option, reason = "serde hands over a reference to the field")]
    pub fn serialize<T: Word, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => super::serialize(value, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a member that is there.
    pub fn deserialize<'de, T: Word, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        super::deserialize(deserializer).map(Some)
    }
}
