//! The version of a plan, which is kept in a journal that another version of agentd may read.

use serde::{Deserialize, Serialize};

const NUMBER: u32 = 1;

/// The one version that this program writes and reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Version;

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, Self::Error> {
        let other = || {
            format!(
                "the archive's plan has version {number}, and this agentd reads version {NUMBER}"
            )
        };
        if number == NUMBER { Ok(Self) } else { Err(other()) }
    }
}

impl From<Version> for u32 {
    fn from(_: Version) -> Self {
        NUMBER
    }
}
