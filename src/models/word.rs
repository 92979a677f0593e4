//! The words of closed sets as data for other programs: each is written as it is spelled, and no other is read.

use super::plan::{Mode, ReviewSeverity};
use super::review::ReviewVerdict;
#[cfg(feature = "cli")]
use super::sandbox::SandboxMode;
use super::settings::{Handover, RedBaseline, SameVendor};
use crate::flow::{Outcome, Subject};
use crate::template::{Agent, Phase, Role};

/// Lets serde write and read enums that `words!` declared.
macro_rules! serde_by_word {
    ($($name:ident),+) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.word())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = <String as serde::Deserialize>::deserialize(from)?;
                let unknown = || serde::de::Error::unknown_variant(&word, Self::WORDS);
                Self::from_word(&word).ok_or_else(unknown)
            }
        }
    )+};
}

#[cfg(feature = "cli")]
pub(crate) use serde_by_word;

serde_by_word!(
    Agent,
    Handover,
    Mode,
    Outcome,
    Phase,
    RedBaseline,
    ReviewSeverity,
    ReviewVerdict,
    Role,
    SameVendor,
    Subject
);
#[cfg(feature = "cli")]
serde_by_word!(SandboxMode);

/// Reads `on` or `off`.
#[cfg(feature = "cli")]
pub(super) fn on<'de, D: serde::Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    <String as serde::Deserialize>::deserialize(from).map(|word| word == "on")
}
